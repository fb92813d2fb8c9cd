/*
 * "Worse in both measurements": when a sequence of looks at growing data may end.
 *
 * Looking again and again inflates the error of each single look, most of all close to the limit.
 * So a finding only opens a second measurement: what was measured so far is forgotten, and the
 * finding stands if fresh data lead to it again. Shared by judge.h (one benchmark) and across.h
 * (all of them); knows nothing of how an interval comes about.
 */
#ifndef RUNNER_STATS_CONFIRM_H
#define RUNNER_STATS_CONFIRM_H

#include "runner/stats/verdict.h"

#include <stdbool.h>
#include <stdint.h>

#define CONFIRM_PAIRS_MAX 128u /* in one stage */

/* What the caller asks for. Names and units are the artifact's. */
struct judge_rules {
	double limit_ratio; /* candidate / baseline that is still accepted, above 1: 1.02 */
	double alpha;       /* error probability a side: 0.005 */
	uint32_t pairs_min; /* before the first look of a stage: 8 */
	uint32_t pairs_max; /* of one stage, so a run may need twice as many: 64, unvaried 120 */
};

struct confirm {
	unsigned stage; /* 1 or 2 */
	int direction;  /* what stage 1 found: 1 slower, -1 faster, 0 nothing so far */
	bool settled;
	enum verdict verdict;
};

/* The interval of the log ratio at one look, and the pairs it rests on. */
struct confirm_interval {
	double low, high;
	uint32_t pairs;
};

/* Finite, limit_ratio above 1, alpha in (0, 0.5), 2 <= pairs_min <= pairs_max <= the maximum. */
bool confirm_rules_valid(const struct judge_rules *rules);

/* Rules that are not valid settle at once as VERDICT_ERROR. */
void confirm_start(struct confirm *confirm, const struct judge_rules *rules);

/* 1: the whole interval lies above the limit; -1: below the limit's reciprocal; else 0. */
int confirm_finding(const struct judge_rules *rules, const struct confirm_interval *interval);

/*
 * One look, from pairs_min on. In this order:
 *  - a finding in stage 1 starts stage 2: returns true, and the caller forgets its data;
 *  - a finding in stage 2 is the verdict where it is stage 1's; opposite findings are `same`;
 *  - all below the limit is `same`, once it also lies above the reciprocal or twice pairs_min are
 *    reached (up to there, `faster` still has its chance);
 *  - pairs_max leaves it `unsettled`.
 */
bool confirm_look(struct confirm *confirm, const struct judge_rules *rules,
	const struct confirm_interval *interval);

#endif
