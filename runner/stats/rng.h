/*
 * A seeded generator: the random choices of a run can be made again from its seed.
 *
 * Not for secrets. The generator is SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast splittable
 * pseudorandom number generators", OOPSLA 2014): a counter in steps of the golden ratio, mixed. Any
 * seed is as good as any other, zero included, and the streams of neighbouring seeds are unrelated.
 */
#ifndef RUNNER_STATS_RNG_H
#define RUNNER_STATS_RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
	uint64_t state;
};

void rng_seed(struct rng *rng, uint64_t seed);

uint64_t rng_bits(struct rng *rng);

/*
 * Evenly from 0 .. n-1, without the bias of a remainder; 0 where n is 0. Multiply and reject:
 * D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019).
 */
uint32_t rng_below(struct rng *rng, uint32_t n);

/* Evenly from [0, 1), in steps of 2^-53. */
double rng_unit(struct rng *rng);

/* Put the items in random order, each order equally likely (Fisher and Yates 1938; Durstenfeld
 * 1964). */
void rng_shuffle(struct rng *rng, uint32_t *items, uint32_t count);

/* A generator for a part of its own: what the part draws does not move what others draw later. */
void rng_split(struct rng *rng, struct rng *part);

#endif
