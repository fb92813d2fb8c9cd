/*
 * Does a series go up or down with time? Kendall's rank correlation, exact.
 *
 * M. G. Kendall, "A new measure of rank correlation", Biometrika 30 (1938): of all pairs in the
 * series, how many stand in the wrong order. In a random order that number is a sum of independent
 * uniform variables on 0 .. i-1, i = 1 .. n, which gives its distribution without approximation.
 * Assumes exchangeable values. Ties count one half and are rounded towards "no trend".
 */
#ifndef RUNNER_STATS_KENDALL_H
#define RUNNER_STATS_KENDALL_H

#include <stdint.h>

#define KENDALL_COUNT_MAX 128u

struct kendall {
	double tau;         /* -1 falls all the way, 1 rises */
	double probability; /* of one as far from 0, either way, in a random order */
};

/* Of the first KENDALL_COUNT_MAX values; of fewer than two, tau is 0 and the probability 1. */
void kendall_test(struct kendall *out, const int32_t *values, uint32_t count);

#endif
