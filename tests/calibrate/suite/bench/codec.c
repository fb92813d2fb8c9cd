/* Encoders and decoders of the library. */
#include "../lib/lib.h"
#include "../suite.h"

#include <stdlib.h>
#include <string.h>

#define CODEC_BYTES 6000

struct codec {
	size_t length; /* of in */
	unsigned char in[2 * CODEC_BYTES];
	unsigned char out[2 * CODEC_BYTES];
};

static struct codec *make_text(size_t length)
{
	struct codec *codec = suite_memory(sizeof(*codec));
	char *text = suite_text(71, 48);
	uint64_t seed = 5;
	size_t word;
	size_t at;

	/* Words taken from one short text, so that there is something to find again. */
	for (at = 0; at < length; at += word) {
		word = 3 + suite_random(&seed, 9);
		if (word > length - at)
			word = length - at;
		memcpy(codec->in + at, text + suite_random(&seed, 36), word);
	}
	free(text);
	codec->length = length;
	duel_bytes(length);
	return codec;
}

/* What unpacking and decoding work on: the packed or encoded text becomes the input. */
static void *swap(struct codec *codec, size_t length)
{
	memcpy(codec->in, codec->out, length);
	codec->length = length;
	return codec;
}

static void *make_plain(long value)
{
	return make_text((size_t)value + CODEC_BYTES);
}

static void *make_packed(long value)
{
	struct codec *codec = make_text((size_t)value + CODEC_BYTES);

	return swap(codec, lz_pack(codec->out, codec->in, codec->length));
}

static void *make_encoded(long value)
{
	struct codec *codec = make_text((size_t)value + 900);

	return swap(codec, base64_encode((char *)codec->out, codec->in, codec->length));
}

static void *make_utf8(long value)
{
	static const char *const letters[] = {
		"a", "b", " ", "\303\251", "\342\202\254", "e", "\360\237\230\200", "n"};
	struct codec *codec = suite_memory(sizeof(*codec));
	uint64_t seed = 29 + (uint64_t)value;
	const char *letter;

	while (codec->length < 2000) {
		letter = letters[suite_random(&seed, 8)];
		memcpy(codec->in + codec->length, letter, strlen(letter));
		codec->length += strlen(letter);
	}
	duel_bytes(codec->length);
	return codec;
}

static void *make_varints(long value)
{
	struct codec *codec = suite_memory(sizeof(*codec));
	uint64_t seed = 83 + (uint64_t)value;
	int i;

	for (i = 0; i < 800; i++)
		codec->length += varint_write(
			codec->in + codec->length, suite_random(&seed, 1u << (7 + 7 * (i % 3))));
	duel_items(800);
	return codec;
}

SUITE("base64: encode", make_plain, free)
{
	struct codec *codec = state;

	base64_encode((char *)codec->out, codec->in, codec->length);
	duel_keep(codec->out);
}

SUITE("base64: decode", make_encoded, free)
{
	struct codec *codec = state;

	base64_decode(codec->out, (const char *)codec->in, codec->length);
	duel_keep(codec->out);
}

SUITE("lz: pack", make_plain, free)
{
	struct codec *codec = state;

	duel_keep(lz_pack(codec->out, codec->in, codec->length));
}

SUITE("lz: unpack", make_packed, free)
{
	struct codec *codec = state;

	duel_keep(lz_unpack(codec->out, codec->in, codec->length));
}

SUITE("utf-8: validate", make_utf8, free)
{
	const struct codec *codec = state;

	duel_keep(utf8_is_valid(codec->in, codec->length));
}

SUITE("varint: sum", make_varints, free)
{
	const struct codec *codec = state;

	duel_keep(varint_sum(codec->in, codec->length));
}
