/* Hashes and checksums over one block of random bytes. */
#include "../lib/lib.h"
#include "../suite.h"

#include <stdlib.h>

struct block {
	uint32_t table[256];
	size_t length;
	unsigned char bytes[4096];
};

static void *make_block(size_t length)
{
	struct block *block = suite_memory(sizeof(*block));
	uint64_t seed = 11;
	size_t i;

	crc_make_table(block->table);
	block->length = length;
	for (i = 0; i < length; i++)
		block->bytes[i] = (unsigned char)suite_random(&seed, 256);
	duel_bytes(length);
	return block;
}

static void *make_short(long value)
{
	return make_block((size_t)value + 1500);
}

static void *make_long(long value)
{
	return make_block((size_t)value + 4096);
}

SUITE("hash: fnv", make_short, free)
{
	const struct block *block = state;

	duel_keep(hash_fnv(block->bytes, block->length));
}

SUITE("checksum: crc32", make_long, free)
{
	const struct block *block = state;

	duel_keep(crc_update(block->table, block->bytes, block->length));
}

SUITE("checksum: adler", make_long, free)
{
	const struct block *block = state;

	duel_keep(crc_adler(block->bytes, block->length));
}
