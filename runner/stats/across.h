/*
 * Across the board: are all benchmarks together a little slower, each too little to be called so?
 *
 *     mean of the benchmarks' Huber locations -+ t(alpha, n - 1) * standard error
 *
 * n is the number of pairs of the benchmark that has least. The standard error is the larger of the
 * one that takes benchmarks as independent and the one clustered by visit (K.-Y. Liang and S.
 * Zeger, "Longitudinal data analysis using generalized linear models", Biometrika 73, 1986): the
 * residuals of a visit, clipped at 2.5 scatters, are summed before they are squared, because the
 * benchmarks of a visit share its two processes. Finding and confirmation are confirm.h's.
 *
 * In: every benchmark that is judged by time, with all its pairs so far (also those after its own
 * verdict). The same numbers give the same verdict when the artifact is read: across_replay().
 *
 * Assumes visits independent of each other. Time: one pass over all pairs a look.
 */
#ifndef RUNNER_STATS_ACROSS_H
#define RUNNER_STATS_ACROSS_H

#include "runner/stats/confirm.h"
#include "runner/stats/series.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ACROSS_CLIP 2.5

struct across {
	struct judge_rules rules; /* limit_ratio 1.005; pairs of a benchmark in one stage */
	struct confirm confirm;
	uint32_t first_visit; /* of the current stage */
	double centre, low, high;
	uint32_t pairs; /* of the benchmark with least, behind those three; 0 = no look so far */
};

/* Figures are 0 where there was no look. */
struct across_result {
	enum verdict verdict;
	bool settled;
	unsigned stage;
	int direction;
	uint32_t pairs;
	double ratio, ratio_low, ratio_high; /* geometric mean of candidate / baseline */
};

void across_start(struct across *across, const struct judge_rules *rules);

/*
 * Visits up to `visit` have been measured. Looks if every benchmark has pairs_min pairs in the
 * current stage; looking twice at the same data changes nothing.
 */
void across_look(struct across *across, const struct series *series, size_t count, uint32_t visit);

/* In stage 2 all benchmarks have to be measured afresh, the settled ones too. */
bool across_wants_all(const struct across *across);

/*
 * About how many more visits of all benchmarks the verdict needs if they go on as they seem; at
 * least 1 while there is none. UINT32_MAX: more than the rules allow, or no look so far. `visit` is
 * the last one that was looked at.
 */
uint32_t across_visits_missing(const struct across *across, uint32_t visit);

void across_result(const struct across *across, struct across_result *result);

/* A look after each visit that the series know, in order. */
void across_replay(struct across_result *result, const struct judge_rules *rules,
	const struct series *series, size_t count);

#endif
