#include "lib.h"

static const char base64_letters[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t base64_encode(char *out, const unsigned char *bytes, size_t length)
{
	char *start = out;
	uint32_t group;
	size_t i;

	for (i = 0; i + 3 <= length; i += 3) {
		group = (uint32_t)bytes[i] << 16 | (uint32_t)bytes[i + 1] << 8 | bytes[i + 2];
		*out++ = base64_letters[group >> 18];
		*out++ = base64_letters[group >> 12 & 63];
		*out++ = base64_letters[group >> 6 & 63];
		*out++ = base64_letters[group & 63];
	}
	return (size_t)(out - start);
}
