/*
 * A small Lempel-Ziv codec: a control byte tells which of the next eight items are copies (two
 * bytes of distance, one of length) and which are literal bytes.
 */
#include "lib.h"

#include <string.h>

#define LZ_TABLE_BITS 11
#define LZ_MATCH_MIN 4
#define LZ_MATCH_MAX (255 + LZ_MATCH_MIN)

struct lz_writer {
	unsigned char *out;
	unsigned char *control;
	int items; /* in the open group */
};

static void lz_put_item(struct lz_writer *writer, int is_copy)
{
	if (writer->items == 8) {
		writer->control = writer->out++;
		*writer->control = 0;
		writer->items = 0;
	}
	*writer->control = (unsigned char)(*writer->control | is_copy << writer->items);
	writer->items++;
}

static size_t lz_match(const unsigned char *earlier, const unsigned char *here, size_t room)
{
	size_t length = 0;

	if (room > LZ_MATCH_MAX)
		room = LZ_MATCH_MAX;
	while (length < room && earlier[length] == here[length])
		length++;
	return length;
}

LIB_STEADY size_t lz_pack(unsigned char *out, const unsigned char *bytes, size_t length)
{
	uint16_t table[1 << LZ_TABLE_BITS] = {0};
	struct lz_writer writer = {out, NULL, 8};
	size_t at = 0;
	size_t earlier;
	size_t match;
	uint32_t word;

	while (at < length) {
		match = 0;
		if (at + LZ_MATCH_MIN <= length) {
			memcpy(&word, bytes + at, sizeof(word));
			word = word * 2654435761u >> (32 - LZ_TABLE_BITS);
			earlier = table[word];
			table[word] = (uint16_t)at;
			if (earlier < at)
				match = lz_match(bytes + earlier, bytes + at, length - at);
		}
		lz_put_item(&writer, match >= LZ_MATCH_MIN);
		if (match >= LZ_MATCH_MIN) {
			*writer.out++ = (unsigned char)(at - earlier);
			*writer.out++ = (unsigned char)((at - earlier) >> 8);
			*writer.out++ = (unsigned char)(match - LZ_MATCH_MIN);
			at += match;
		} else {
			*writer.out++ = bytes[at++];
		}
	}
	return (size_t)(writer.out - out);
}

LIB_STEADY size_t lz_unpack(unsigned char *out, const unsigned char *packed, size_t length)
{
	const unsigned char *end = packed + length;
	unsigned char *start = out;
	const unsigned char *from;
	unsigned control = 1;
	size_t match;

	while (packed < end) {
		if (control == 1)
			control = *packed++ | 256u;
		if (control & 1) {
			from = out - (packed[0] | packed[1] << 8);
			for (match = packed[2] + LZ_MATCH_MIN; match > 0; match--)
				*out++ = *from++;
			packed += 3;
		} else {
			*out++ = *packed++;
		}
		control >>= 1;
	}
	return (size_t)(out - start);
}
