/*
 * Can this machine tell two versions apart at all? The run's own null: baseline against baseline.
 *
 * Some visits of a run pair the baseline with itself; whatever they show is the machine's doing.
 * They are too few for each benchmark alone, so they are pooled. Each is divided by its benchmark's
 * scatter (of its ordinary pairs, huber.h) and clipped at 2.5. The machine is not trusted where
 *  - biased: their mean is off 0 at 99.9 %. Its variance is that of the ordinary pairs' residuals
 *    with the correlation that these show inside a visit (a one-way random effect by moments; S.
 *    Searle, G. Casella, C. McCulloch, "Variance components", 1992, 3.6), because all null pairs of
 *    a visit may be off together (the nulls' own, around their mean, where it is larger); degrees
 *    of freedom by visits. A bias of less than a tenth of the
 *    limit turns no verdict, and is let pass;
 *  - scattered: more of them lie beyond the limit than chance allows (p < 0.001), and a null visit
 *    on average holds more of these than the worst ordinary visit (a burst of load in one visit is
 *    something the judge copes with). Chance is a t distribution with 3 degrees of freedom at the
 *    benchmark's scatter - visits have heavy tails - and the sum's tail is bounded by Poisson's (T.
 *    Anderson and S. Samuels, 5th Berkeley Symp. 1967).
 * Verdicts from time alone then become unsettled: the caller's part.
 */
#ifndef RUNNER_STATS_NULL_H
#define RUNNER_STATS_NULL_H

#include "runner/stats/series.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NULL_ALPHA 0.001
#define NULL_CLIP 2.5
#define NULL_BIAS_SHARE 0.1  /* of the limit's log: a smaller bias turns no verdict */
#define NULL_PAIRS_MIN 4u    /* a benchmark with fewer ordinary pairs has no known scatter */
#define NULL_VISITS_MAX 256u /* null visits; later ones are left out */

/* The machine compares the baseline with itself before so many visits, and once more early. */
#define NULL_EVERY 8u
#define NULL_EARLY                                                                    \
	2u /* a run of few benchmarks may end after eight visits: one says too little \
	    */

struct null_result {
	bool trusted; /* true too where there is nothing to judge by: pairs is 0 then */
	bool biased, scattered;
	uint32_t pairs;         /* null pairs that were pooled */
	double bias;            /* the median null pair, a log ratio */
	uint32_t beyond;        /* null pairs beyond the limit ... */
	double beyond_expected; /* ... and by chance */
	double noise_floor;     /* 1.4826 * median |null pair|, a log ratio; 0 = unknown */
};

/* `limit_ratio` is the run's limit for time, such as 1.02. */
void null_judge(
	struct null_result *result, const struct series *series, size_t count, double limit_ratio);

/* Does a null visit precede visit number `visit` (from 0)? */
bool null_is_due(uint32_t visit);

#endif
