#include "runner/report/width.h"

#include "sandbox/base/attr.h"

#include <stdbool.h>
#include <stdint.h>

struct width_range {
	uint32_t first, last;
};

static const struct width_range wide[] = {
	{0x1100, 0x115f},
	{0x231a, 0x231b},
	{0x23e9, 0x23ec},
	{0x2614, 0x2615},
	{0x26a1, 0x26a1},
	{0x2705, 0x2705},
	{0x274c, 0x274c},
	{0x2757, 0x2757},
	{0x2b50, 0x2b50},
	{0x2e80, 0x303e},
	{0x3041, 0x33ff},
	{0x3400, 0x4dbf},
	{0x4e00, 0xa4cf},
	{0xa960, 0xa97f},
	{0xac00, 0xd7a3},
	{0xf900, 0xfaff},
	{0xfe30, 0xfe6f},
	{0xff00, 0xff60},
	{0xffe0, 0xffe6},
	{0x1f300, 0x1f64f},
	{0x1f680, 0x1f6ff},
	{0x1f900, 0x1f9ff},
	{0x1fa70, 0x1faff},
	{0x20000, 0x3fffd},
};

static const struct width_range combining[] = {
	{0x0300, 0x036f},
	{0x0483, 0x0489},
	{0x0591, 0x05bd},
	{0x064b, 0x065f},
	{0x093c, 0x093c},
	{0x094d, 0x094d},
	{0x0e31, 0x0e31},
	{0x0e34, 0x0e3a},
	{0x0e47, 0x0e4e},
	{0x1ab0, 0x1aff},
	{0x1dc0, 0x1dff},
	{0x20d0, 0x20ff},
	{0xfe20, 0xfe2f},
};

static bool is_in(const struct width_range *ranges, size_t count, uint32_t c)
{
	for (size_t i = 0; i < count; i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

size_t width_columns(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t columns = 0;

	while (*at) {
		uint32_t c = *at < 0x80   ? *at
			     : *at < 0xe0 ? *at & 0x1fu
			     : *at < 0xf0 ? *at & 0xfu
					  : *at & 7u;

		for (at++; (*at & 0xc0) == 0x80; at++)
			c = c << 6 | (*at & 0x3fu);
		if (is_in(combining, ARRAY_LENGTH(combining), c))
			continue;
		columns += is_in(wide, ARRAY_LENGTH(wide), c) ? 2 : 1;
	}
	return columns;
}
