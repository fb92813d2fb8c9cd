#include "reader.h"
#include "scan.h"

static int escape_one(struct json_text *text, unsigned char byte)
{
	static const char hex[] = "0123456789abcdef";
	static const char bytes[] = "\"\\\b\f\n\r\t";
	static const char letters[] = "\"\\bfnrt";
	const char *found = byte ? strchr(bytes, byte) : NULL;
	char unicode[6] = {'\\', 'u', '0', '0', '0', '0'};

	if (found) {
		unicode[1] = letters[found - bytes];
		return text_append(text, unicode, 2);
	}
	unicode[4] = hex[byte >> 4];
	unicode[5] = hex[byte & 15];
	return text_append(text, unicode, sizeof(unicode));
}

int escape_append(struct json_text *text, const char *bytes, size_t length)
{
	size_t at = 0;
	size_t run;

	if (text_append(text, "\"", 1) != 0)
		return -1;
	for (;;) {
		run = scan_plain(bytes + at, length - at);
		if (text_append(text, bytes + at, run) != 0)
			return -1;
		at += run;
		if (at == length)
			break;
		if (escape_one(text, (unsigned char)bytes[at++]) != 0)
			return -1;
	}
	return text_append(text, "\"", 1);
}
