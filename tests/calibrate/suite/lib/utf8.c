#include "lib.h"

static int utf8_is_tail(const unsigned char *bytes, size_t count)
{
	size_t i;

	for (i = 1; i <= count; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
	}
	return 1;
}

LIB_STEADY int utf8_is_valid(const unsigned char *bytes, size_t length)
{
	size_t i = 0;
	size_t tail;

	while (i < length) {
		if (bytes[i] < 0x80)
			tail = 0;
		else if (bytes[i] >= 0xc2 && bytes[i] < 0xe0)
			tail = 1;
		else if ((bytes[i] & 0xf0) == 0xe0)
			tail = 2;
		else if (bytes[i] >= 0xf0 && bytes[i] < 0xf5)
			tail = 3;
		else
			return 0;
		if (length - i <= tail || !utf8_is_tail(bytes + i, tail))
			return 0;
		if ((bytes[i] == 0xe0 && bytes[i + 1] < 0xa0) ||
			(bytes[i] == 0xed && bytes[i + 1] > 0x9f) ||
			(bytes[i] == 0xf0 && bytes[i + 1] < 0x90) ||
			(bytes[i] == 0xf4 && bytes[i + 1] > 0x8f))
			return 0;
		i += tail + 1;
	}
	return 1;
}
