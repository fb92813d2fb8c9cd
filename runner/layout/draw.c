#include "runner/layout/draw.h"

#include "runner/layout/pads.h"
#include "runner/stats/rng.h"

#define MANY_SLOTS 64 /* beyond that smaller pads do: their sum is what moves the code */
#define FEW_STEPS 4

/* What each random stream is for. */
enum { FOR_COARSE = 1, FOR_BLOCK, FOR_LINK };

/* A generator for one purpose: neighbouring keys are unrelated after the mixing of rng_bits(). */
static void seed_for(struct rng *rng, uint64_t seed, uint64_t purpose, uint64_t key)
{
	rng_seed(rng, seed);
	rng_seed(rng, rng_bits(rng) ^ purpose);
	rng_seed(rng, rng_bits(rng) ^ key);
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

void draw_make(struct draw *draw, uint64_t seed, unsigned number)
{
	unsigned steps = draw->slots > MANY_SLOTS ? FEW_STEPS : PADS_FINE / DRAW_PHASES;
	struct rng of_block, of_link;

	draw->coarse = draw_coarse(seed, number / DRAW_PHASES);
	seed_for(&of_block, seed, FOR_BLOCK, number / DRAW_PHASES);
	seed_for(&of_link, seed, FOR_LINK, number);
	for (size_t i = 0; i < draw->slots; i++)
		draw->fine[i] = DRAW_PHASES * rng_below(&of_link, steps) +
				(rng_below(&of_block, DRAW_PHASES) + number) % DRAW_PHASES;
}

void draw_make_trial(struct draw *draw)
{
	draw->coarse = PADS_COARSE - 1;
	for (size_t i = 0; i < draw->slots; i++)
		draw->fine[i] = DRAW_PHASES + 1;
}
