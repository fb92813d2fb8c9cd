/*
 * Random numbers of pads for one link: pure.
 *
 * What decides most about a layout is where code lies within 64 bytes. So links come in blocks of
 * DRAW_PHASES: within a block each object is met once at each of the four 16-byte phases, in an
 * order of its own; whole multiples of 64 bytes are independent from link to link. The coarse pad
 * in front takes each of its values once before any comes again: DRAW_PHASES * (PADS_COARSE - 1)
 * links of a program of one object all differ, and more objects only add to that.
 *
 * What is drawn for an object follows from its key, not from its place among the others: links of
 * both versions with one seed put the objects they share at the same places (common random numbers,
 * as for the stack and the heap), wherever in the link they stand. Only code that differs is then
 * met at places that differ, and those average out over the links as they would without the match.
 */
#ifndef RUNNER_LAYOUT_DRAW_H
#define RUNNER_LAYOUT_DRAW_H

#include <stddef.h>
#include <stdint.h>

#define DRAW_PHASES 4

struct draw {
	unsigned coarse;      /* in front of everything: 1 .. PADS_COARSE - 1 */
	const uint64_t *keys; /* borrowed, one a slot */
	unsigned *fine; /* borrowed, one a slot: 0 .. PADS_FINE - 1, phase in the low two bits */
	size_t slots;
};

/* The key of an object file: of its name and its folder's, so that twins in two folders differ. */
uint64_t draw_key(const char *path);

/* Fill in a draw whose `keys`, `fine` and `slots` are set. Same seed, number and key: same pad. */
void draw_make(struct draw *draw, uint64_t seed, unsigned number);

/* Every function moves: for the trial link that shows that they can. */
void draw_make_trial(struct draw *draw);

#endif
