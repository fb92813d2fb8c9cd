/*
 * Exact bounds of a centre of symmetry by signed ranks.
 *
 * The bounds are order statistics of the Walsh averages (x_i + x_j)/2, i <= j (J. L. Hodges and
 * E. L. Lehmann, "Estimates of location based on rank tests", Ann. Math. Statist. 34, 1963), at the
 * rank that the exact distribution of F. Wilcoxon's signed-rank statistic ("Individual comparisons
 * by ranking methods", Biometrics Bulletin 1, 1945) gives. Assumes independent visits, each
 * symmetric about the centre; nothing about their scale or tails, and they need not be alike. Ties
 * make the bounds wider than they need be, never narrower.
 *
 * The values are integers (millionths of the log ratio), so that every comparison is exact.
 */
#ifndef RUNNER_STATS_WILCOXON_H
#define RUNNER_STATS_WILCOXON_H

#include <stdbool.h>
#include <stdint.h>

#define WILCOXON_COUNT_MAX 128u

/*
 * The largest k with P(W <= k - 1) <= alpha, W being the statistic of `count` values: the k-th
 * smallest Walsh average is the lower bound. 0 where `count` is too small to exclude anything.
 */
uint32_t wilcoxon_rank(uint32_t count, double alpha);

/*
 * Bounds each missing the centre with probability at most alpha, in the unit of the values. False,
 * with infinite bounds, where nothing can be excluded. At most WILCOXON_COUNT_MAX values are used.
 */
bool wilcoxon_bounds(
	double *low, double *high, const int32_t *values, uint32_t count, double alpha);

#endif
