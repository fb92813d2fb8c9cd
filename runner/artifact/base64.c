#include "runner/artifact/base64.h"

#include <stdlib.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static uint8_t byte_of(const uint32_t *numbers, size_t i)
{
	return (uint8_t)(numbers[i / 4] >> (8 * (i % 4)));
}

char *base64_pack(const uint32_t *numbers, size_t count)
{
	size_t bytes = count * 4, at = 0;
	char *text = malloc((bytes + 2) / 3 * 4 + 1);

	if (!text)
		return NULL;
	for (size_t i = 0; i < bytes; i += 3) {
		size_t left = bytes - i;
		uint32_t group = (uint32_t)byte_of(numbers, i) << 16;

		if (left > 1)
			group |= (uint32_t)byte_of(numbers, i + 1) << 8;
		if (left > 2)
			group |= byte_of(numbers, i + 2);
		text[at++] = digits[group >> 18];
		text[at++] = digits[group >> 12 & 63];
		text[at++] = left > 1 ? digits[group >> 6 & 63] : '=';
		text[at++] = left > 2 ? digits[group & 63] : '=';
	}
	text[at] = '\0';
	return text;
}

static int digit_value(char digit)
{
	const char *at = digit ? strchr(digits, digit) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* The bytes of one group of four digits; 0 where it is none. `last` may be padded. */
static size_t unpack_group(const char *text, bool last, uint8_t bytes[3])
{
	size_t used = !last || text[3] != '=' ? 4 : text[2] != '=' ? 3 : 2;
	uint32_t group = 0;

	for (size_t i = 0; i < 4; i++) {
		int value = i < used ? digit_value(text[i]) : 0;

		if (value < 0)
			return 0;
		group = group << 6 | (uint32_t)value;
	}
	/* What padding leaves over must be zero: one text for some bytes. */
	if ((used == 2 && (group & 0xffff)) || (used == 3 && (group & 0xff)))
		return 0;
	bytes[0] = (uint8_t)(group >> 16);
	bytes[1] = (uint8_t)(group >> 8);
	bytes[2] = (uint8_t)group;
	return used - 1;
}

bool base64_unpack(const char *text, uint32_t *numbers, size_t max, size_t *count)
{
	size_t length = strlen(text), at = 0;

	if (length % 4 != 0 || length / 4 * 3 > max * 4 + 2)
		return false;
	for (size_t i = 0; i < length; i += 4) {
		uint8_t bytes[3];
		size_t got = unpack_group(text + i, i + 4 == length, bytes);

		if (got == 0)
			return false;
		for (size_t j = 0; j < got; j++, at++) {
			if (at / 4 >= max)
				return false;
			numbers[at / 4] = (at % 4 ? numbers[at / 4] : 0) |
					  (uint32_t)bytes[j] << (8 * (at % 4));
		}
	}
	*count = at / 4;
	return at % 4 == 0;
}
