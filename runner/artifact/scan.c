#include "runner/artifact/scan.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define ESCAPE_DIGITS 4

static int refuse(struct err *err, size_t at, const char *what)
{
	return err_set(err, ERR_HOSTILE, "byte %zu: %s", at, what);
}

static int hex_value(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	digit = (char)(digit | 0x20);
	return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* The number of the \uXXXX whose backslash stands at `at`; UINT32_MAX where there is none. */
static uint32_t unicode_escape(const char *text, size_t length, size_t at)
{
	uint32_t value = 0;

	if (at + 2 + ESCAPE_DIGITS > length || text[at] != '\\' || text[at + 1] != 'u')
		return UINT32_MAX;
	for (size_t i = 0; i < ESCAPE_DIGITS; i++) {
		int digit = hex_value(text[at + 2 + i]);

		if (digit < 0)
			return UINT32_MAX;
		value = value << 4 | (uint32_t)digit;
	}
	return value;
}

/* Step over the escape at *at. */
static int skip_escape(const char *text, size_t length, size_t *at, struct err *err)
{
	uint32_t value = unicode_escape(text, length, *at);

	if (value == UINT32_MAX) {
		if (*at + 1 >= length || !text[*at + 1] || !strchr("\"\\/bfnrt", text[*at + 1]))
			return refuse(err, *at, "an escape that JSON does not have");
		*at += 2;
		return 0;
	}
	if (value == 0)
		return refuse(err, *at, "a zero character in a string");
	if (value >= 0xdc00 && value <= 0xdfff)
		return refuse(err, *at, "half a surrogate pair");
	if (value >= 0xd800 && value <= 0xdbff) {
		uint32_t low = unicode_escape(text, length, *at + 2 + ESCAPE_DIGITS);

		if (low < 0xdc00 || low > 0xdfff)
			return refuse(err, *at, "half a surrogate pair");
		*at += 2 + ESCAPE_DIGITS;
	}
	*at += 2 + ESCAPE_DIGITS;
	return 0;
}

/* Step over the string whose quote stands at *at. */
static int skip_string(const char *text, size_t length, size_t *at, struct err *err)
{
	size_t start = (*at)++;

	while (*at < length && text[*at] != '"') {
		if ((unsigned char)text[*at] < ' ')
			return refuse(err, *at, "a control character in a string");
		if (text[*at] != '\\')
			(*at)++;
		else if (skip_escape(text, length, at, err) < 0)
			return -1;
	}
	if (*at >= length)
		return refuse(err, start, "a string that does not end");
	(*at)++;
	return 0;
}

int scan_check(const char *text, size_t length, size_t depth_max, size_t nodes_max, struct err *err)
{
	size_t depth = 0, nodes = 1, at = 0;

	while (at < length) {
		char c = text[at];

		if (c == '"') {
			if (skip_string(text, length, &at, err) < 0)
				return -1;
			continue;
		}
		if (c == '{' || c == '[')
			depth++;
		else if ((c == '}' || c == ']') && depth > 0)
			depth--;
		else if ((unsigned char)c < ' ' && c != '\n' && c != '\r' && c != '\t')
			return refuse(err, at, "a control character");
		/* Each value stands at the beginning, behind a bracket or behind a comma. */
		nodes += c == ',' || c == '{' || c == '[';
		if (depth > depth_max)
			return refuse(err, at, "brackets are nested too deep");
		if (nodes > nodes_max)
			return refuse(err, at, "too many values");
		at++;
	}
	return 0;
}
