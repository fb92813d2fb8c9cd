#include "reader.h"
#include "scan.h"

#include <string.h>

static int string_hex(const char *digits, unsigned *code)
{
	int i;
	char digit;

	*code = 0;
	for (i = 0; i < 4; i++) {
		digit = digits[i];
		*code <<= 4;
		if (digit >= '0' && digit <= '9')
			*code |= (unsigned)(digit - '0');
		else if ((digit | 0x20) >= 'a' && (digit | 0x20) <= 'f')
			*code |= (unsigned)((digit | 0x20) - 'a' + 10);
		else
			return -1;
	}
	return 0;
}

static char *string_put_utf8(char *out, unsigned code)
{
	if (code < 0x80) {
		*out++ = (char)code;
	} else if (code < 0x800) {
		*out++ = (char)(0xc0 | code >> 6);
		*out++ = (char)(0x80 | (code & 0x3f));
	} else if (code < 0x10000) {
		*out++ = (char)(0xe0 | code >> 12);
		*out++ = (char)(0x80 | (code >> 6 & 0x3f));
		*out++ = (char)(0x80 | (code & 0x3f));
	} else {
		*out++ = (char)(0xf0 | code >> 18);
		*out++ = (char)(0x80 | (code >> 12 & 0x3f));
		*out++ = (char)(0x80 | (code >> 6 & 0x3f));
		*out++ = (char)(0x80 | (code & 0x3f));
	}
	return out;
}

/* Behind "\u": one code, or two that make a surrogate pair. */
static int string_unicode(struct reader *reader, char **out)
{
	unsigned code;
	unsigned low;

	if (reader->end - reader->at < 4 || string_hex(reader->at, &code) != 0)
		return reader_fail(reader, "four hexadecimal digits expected");
	reader->at += 4;
	if (code >= 0xd800 && code < 0xdc00) {
		if (reader->end - reader->at < 6 || reader->at[0] != '\\' || reader->at[1] != 'u' ||
			string_hex(reader->at + 2, &low) != 0 || low < 0xdc00 || low > 0xdfff)
			return reader_fail(reader, "half a surrogate pair");
		reader->at += 6;
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	} else if (code >= 0xdc00 && code < 0xe000) {
		return reader_fail(reader, "half a surrogate pair");
	}
	*out = string_put_utf8(*out, code);
	return 0;
}

static int string_escape(struct reader *reader, char **out)
{
	static const char letters[] = "\"\\/bfnrt";
	static const char bytes[] = "\"\\/\b\f\n\r\t";
	const char *letter;

	if (reader->at == reader->end)
		return reader_fail(reader, "the string does not end");
	if (*reader->at == 'u') {
		reader->at++;
		return string_unicode(reader, out);
	}
	letter = *reader->at ? strchr(letters, *reader->at) : NULL;
	if (!letter)
		return reader_fail(reader, "unknown escape");
	reader->at++;
	*(*out)++ = bytes[letter - letters];
	return 0;
}

/* The bytes up to the closing quote, none of which shortens: an upper bound of the length. */
static size_t string_raw_length(const struct reader *reader)
{
	const char *at = reader->at;

	while (at < reader->end && *at != '"')
		at += *at == '\\' && at + 1 < reader->end ? 2 : 1;
	return (size_t)(at - reader->at);
}

/* A string with escapes, copied run by run. */
static int string_read_escaped(struct reader *reader, const char **bytes, size_t *length)
{
	char *out = arena_take(reader->document, string_raw_length(reader) + 1);
	size_t run;

	if (!out)
		return reader_fail(reader, "out of memory");
	*bytes = out;
	for (;;) {
		run = scan_plain(reader->at, (size_t)(reader->end - reader->at));
		memcpy(out, reader->at, run);
		out += run;
		reader->at += run;
		if (reader->at == reader->end)
			return reader_fail(reader, "the string does not end");
		if (*reader->at == '"')
			break;
		if (*reader->at != '\\')
			return reader_fail(reader, "control character in a string");
		reader->at++;
		if (string_escape(reader, &out) != 0)
			return -1;
	}
	reader->at++;
	*out = '\0';
	*length = (size_t)(out - *bytes);
	return 0;
}

static int string_store(struct reader *reader, const char *from, size_t length, const char **bytes)
{
	char *out = arena_take(reader->document, length + 1);

	if (!out)
		return reader_fail(reader, "out of memory");
	memcpy(out, from, length);
	out[length] = '\0';
	*bytes = out;
	return 0;
}

int string_read(struct reader *reader, const char **bytes, size_t *length)
{
	const char *start = ++reader->at;
	size_t run = scan_plain(start, (size_t)(reader->end - start));

	if (start + run == reader->end || start[run] != '"') {
		if (string_read_escaped(reader, bytes, length) != 0)
			return -1;
	} else {
		if (string_store(reader, start, run, bytes) != 0)
			return -1;
		reader->at = start + run + 1;
		*length = run;
	}
	if (*length > (size_t)reader->limits[OPTIONS_MAX_STRING_BYTES])
		return reader_fail(reader, "the string is longer than max_string_bytes");
	return 0;
}
