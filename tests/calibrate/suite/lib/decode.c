#include "lib.h"

static uint32_t base64_value(char letter)
{
	if (letter >= 'a' && letter <= 'z')
		return (uint32_t)(letter - 'a' + 26);
	if (letter >= 'A' && letter <= 'Z')
		return (uint32_t)(letter - 'A');
	if (letter >= '0' && letter <= '9')
		return (uint32_t)(letter - '0' + 52);
	return letter == '+' ? 62 : 63;
}

LIB_STEADY size_t base64_decode(unsigned char *out, const char *text, size_t length)
{
	unsigned char *start = out;
	uint32_t group;
	size_t i;

	for (i = 0; i + 4 <= length; i += 4) {
		group = base64_value(text[i]) << 18 | base64_value(text[i + 1]) << 12 |
			base64_value(text[i + 2]) << 6 | base64_value(text[i + 3]);
		*out++ = (unsigned char)(group >> 16);
		*out++ = (unsigned char)(group >> 8);
		*out++ = (unsigned char)group;
	}
	return (size_t)(out - start);
}
