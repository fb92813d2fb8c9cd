#include "runner/layout/draw.h"

#include "runner/layout/pads.h"
#include "runner/stats/rng.h"

#include <string.h>

#define FEW_STEPS 4 /* of more pads smaller ones do: their sum is what moves the code */
/* Fowler, Noll, Vo: FNV-1a of 64 bits (RFC 9923). */
#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

/* What each random stream is for. */
enum { FOR_COARSE = 1, FOR_BLOCK, FOR_LINK };

/* A generator for one purpose: neighbouring keys are unrelated after the mixing of rng_bits(). */
static void seed_for(struct rng *rng, uint64_t seed, uint64_t purpose, uint64_t key)
{
	rng_seed(rng, seed);
	rng_seed(rng, rng_bits(rng) ^ purpose);
	rng_seed(rng, rng_bits(rng) ^ key);
}

uint64_t draw_key(const char *path)
{
	const char *start = path + strlen(path);
	uint64_t key = FNV_BASIS;

	for (unsigned slashes = 0; start > path && slashes < 2; start--)
		slashes += start[-1] == '/';
	for (start += *start == '/'; *start; start++)
		key = (key ^ (unsigned char)*start) * FNV_PRIME;
	return key;
}

static unsigned draw_coarse(uint64_t seed, unsigned block)
{
	uint32_t order[PADS_COARSE - 1];
	struct rng rng;

	for (uint32_t i = 0; i < PADS_COARSE - 1; i++)
		order[i] = i + 1;
	seed_for(&rng, seed, FOR_COARSE, block / (PADS_COARSE - 1));
	rng_shuffle(&rng, order, PADS_COARSE - 1);
	return order[block % (PADS_COARSE - 1)];
}

/* Its value among those that an object takes, one after the other. */
static unsigned draw_fine(uint64_t seed, uint64_t key, unsigned number, unsigned steps)
{
	struct rng of_block, of_link;

	seed_for(&of_block, seed ^ key, FOR_BLOCK, number / DRAW_PHASES);
	seed_for(&of_link, seed ^ key, FOR_LINK, number);
	return DRAW_PHASES * rng_below(&of_link, steps) +
	       (rng_below(&of_block, DRAW_PHASES) + number) % DRAW_PHASES;
}

void draw_make(struct draw *draw, uint64_t seed, unsigned number)
{
	unsigned steps = draw->slots > PADS_MATCHED_SLOTS ? FEW_STEPS : PADS_FINE / DRAW_PHASES;

	draw->coarse = draw_coarse(seed, number / DRAW_PHASES);
	for (size_t i = 0; i < draw->slots; i++)
		draw->fine[i] = draw_fine(seed, draw->keys[i], number, steps);
}

void draw_make_trial(struct draw *draw)
{
	draw->coarse = PADS_COARSE - 1;
	for (size_t i = 0; i < draw->slots; i++)
		draw->fine[i] = DRAW_PHASES + 1;
}
