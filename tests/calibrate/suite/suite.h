/*
 * The calibration suite: benchmarks whose cost can be raised by a chosen percentage.
 *
 * SUITE("name", setup, teardown) { block } is DUEL_BENCHMARK_WITH() with the planted work behind
 * each iteration. Both versions run the same instructions; only how often the planted loop turns
 * differs, and that is a number in plant.o. Names hold no comma: PLANT_ONLY lists them.
 */
#ifndef SUITE_H
#define SUITE_H

#include "duel.h"

#include <stddef.h>
#include <stdint.h>

/* How many steps to plant behind an iteration of this benchmark. plant.c */
unsigned long plant_steps(const char *name);

/* Turn that often, with nothing of the benchmark overlapping. plant.c */
void plant_spin(unsigned long steps);

/* A number from 0 to below - 1; the same series for the same seed. data.c */
uint32_t suite_random(uint64_t *seed, uint32_t below);

/* Zeroed memory; exits where there is none. data.c */
void *suite_memory(size_t bytes);

/* Letters in words and lines, ended by a zero byte; `length` bytes in all. data.c */
char *suite_text(uint64_t seed, size_t length);

/*
 * A function that begins a cache line, whatever the layout. Small loops cost up to twice as much in
 * an unlucky place; about a third of the suite is left to that, mildly, and the rest is kept from
 * it, so that both kinds of code are judged. They stand in a section of their own: its alignment
 * would else be the whole object's, and what is not kept from its layout would lie at one place of
 * a cache line in every link.
 */
#define SUITE_STEADY __attribute__((noinline, aligned(64), section(".text.steady")))

#define SUITE(name, setup, teardown) SUITE_(__LINE__, name, setup, teardown)
#define SUITE_(line, name, setup, teardown)                                           \
	static void DUEL_JOIN_(suite_block_, line)(void *state);                      \
	static unsigned long DUEL_JOIN_(suite_steps_, line);                          \
	__attribute__((constructor)) static void DUEL_JOIN_(suite_plant_, line)(void) \
	{                                                                             \
		DUEL_JOIN_(suite_steps_, line) = plant_steps(name);                   \
	}                                                                             \
	DUEL_BENCHMARK_WITH(name, setup, teardown)                                    \
	{                                                                             \
		DUEL_JOIN_(suite_block_, line)(state);                                \
		plant_spin(DUEL_JOIN_(suite_steps_, line));                           \
	}                                                                             \
	static void DUEL_JOIN_(suite_block_, line)(void *state)

#endif
