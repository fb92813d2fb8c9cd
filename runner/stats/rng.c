#include "runner/stats/rng.h"

void rng_seed(struct rng *rng, uint64_t seed)
{
	rng->state = seed;
}

uint64_t rng_bits(struct rng *rng)
{
	uint64_t mixed;

	rng->state += 0x9e3779b97f4a7c15u;
	mixed = rng->state;
	mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
	mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
	return mixed ^ (mixed >> 31);
}

static uint64_t scaled_draw(struct rng *rng, uint32_t n)
{
	return (rng_bits(rng) >> 32) * n;
}

uint32_t rng_below(struct rng *rng, uint32_t n)
{
	uint64_t product = scaled_draw(rng, n);

	/* 2^32 mod n of the low halves are one too many for some results: those are drawn again. */
	if (n && (uint32_t)product < n) {
		uint32_t surplus = (0u - n) % n;

		while ((uint32_t)product < surplus)
			product = scaled_draw(rng, n);
	}
	return (uint32_t)(product >> 32);
}

double rng_unit(struct rng *rng)
{
	return (double)(rng_bits(rng) >> 11) * 0x1p-53;
}

void rng_shuffle(struct rng *rng, uint32_t *items, uint32_t count)
{
	for (uint32_t left = count; left > 1; left--) {
		uint32_t chosen = rng_below(rng, left);
		uint32_t item = items[chosen];

		items[chosen] = items[left - 1];
		items[left - 1] = item;
	}
}

void rng_split(struct rng *rng, struct rng *part)
{
	part->state = rng_bits(rng);
}
