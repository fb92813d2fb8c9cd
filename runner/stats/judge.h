/*
 * The verdict on one benchmark, from its visits' log ratios one by one.
 *
 * In: d of estimate.h, one a visit, in order. Out: at any time the verdict so far, the ratio with
 * its interval, and how near a decision is. A plain value: no allocation, no clock; the same series
 * under the same rules gives the same result, now or when the artifact is read.
 *
 * The interval of the log ratio is the hull of two, each of confidence 1 - 2*alpha:
 *
 *     Huber location -+ t(alpha, n - 1) * standard error                    (huber.h, student.h)
 *     Wilcoxon's exact bounds                                               (wilcoxon.h)
 *
 * The first is sharp and trusts its scale; the second is exact whatever the scale does. Visits in
 * two heaps show why both: the first alone covers the truth in 62 % of cases where 99 % are meant,
 * and called three in ten losses of 3 % `same`.
 *
 * After each visit, from rules.pairs_min of the current stage on, confirm.h compares the interval
 * with log(limit_ratio). Looks are repeated, which alone would let too many alarms pass: a finding
 * must be met again from fresh visits. Rates: tests/unit/stats_rates_test.c.
 *
 * Assumes visits that are independent of each other. A bias that all visits share (one link's
 * layout, one copy of the file) is not seen here: the pairs must vary it.
 */
#ifndef RUNNER_STATS_JUDGE_H
#define RUNNER_STATS_JUDGE_H

#include "runner/stats/confirm.h"
#include "runner/stats/huber.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Visits that scatter by more than this (a log ratio) deserve more samples each. */
#define JUDGE_SPREAD_WANTED 0.006
#define JUDGE_SPREAD_PAIRS_MIN 4u /* below, the scatter is not known well enough to act on */

struct judge {
	struct judge_rules rules;
	struct confirm confirm;
	int32_t pairs[CONFIRM_PAIRS_MAX]; /* of the current stage */
	uint32_t pairs_count;
	uint32_t pairs_total; /* of both stages */
	/* What figures_pairs pairs say; stage 1's until stage 2 has enough. */
	struct huber huber;
	struct confirm_interval interval;
	uint32_t figures_pairs;
	uint32_t figures_first; /* index of their first in the whole series */
};

/* Every figure is 0 where it is unknown, which is with fewer than two pairs. */
struct judge_result {
	enum verdict verdict;
	bool settled;   /* false: more visits could change the verdict */
	unsigned stage; /* 1 or 2: the measurement that decided or is under way */
	int direction;  /* what stage 1 found: 1 slower, -1 faster, 0 nothing */
	uint32_t pairs_total;
	uint32_t pairs;                      /* the figures below rest on these ... */
	uint32_t pairs_first;                /* ... from this one of the series on */
	double ratio, ratio_low, ratio_high; /* candidate / baseline, at confidence 1 - 2*alpha */
	double smallest_loss_ratio;          /* a loss that data like these call slower */
	double noise;                        /* scatter of one pair, as a log ratio */
};

/*
 * Nearest millionth, ties away from 0; beyond the range (and for what is not a number) the range's
 * end, never INT32_MIN, which has no negative.
 */
int32_t judge_millionths(double log_ratio);

/* Rules that confirm_rules_valid() refuses settle at once as VERDICT_ERROR. */
void judge_start(struct judge *judge, const struct judge_rules *rules);

/* The next visit. Does nothing once settled. */
void judge_add(struct judge *judge, int32_t log_ratio_millionths);

/*
 * Any time; unsettled where the budget ran out. While stage 2 has fewer than pairs_min pairs the
 * figures are still those that ended stage 1.
 */
void judge_result(const struct judge *judge, struct judge_result *result);

/* Replay a stored series; what comes after the decision is not looked at. */
void judge_series(struct judge_result *result, const struct judge_rules *rules,
	const int32_t *pairs, size_t count);

/*
 * About how many more visits a decision needs if the ratio and the scatter are what they seem: 0
 * once settled, UINT32_MAX where no number helps. Nearest first is least first; it may be more than
 * the rules allow.
 */
uint32_t judge_pairs_missing(const struct judge *judge);

/* Do the visits scatter so much that each should take twice as many samples? */
bool judge_wants_more_samples(const struct judge *judge);

#endif
