/*
 * Do the visits of one benchmark look like one cloud that stays where it is?
 *
 * bimodal: the visits fall into two clusters (the split of least squared distance within, W. D.
 *   Fisher, "On grouping for maximum homogeneity", JASA 53, 1958), each of at least a fifth and
 *   four of them and each nearer to its own median, and the medians lie more than 5*(1 + (12/n)^2)
 * scales apart; a scale is 1.4826 times the median absolute deviation from the own cluster's
 * median. Few visits fall into two heaps by chance, hence the second term: it was fitted to hold
 * single clouds at about 1 in 100. An interval about a centre where no visit lies says little: a
 * verdict then stands only if both clusters agree. drifting: rank correlation of d with the order
 * of visits, p < 0.001 (kendall.h). Flagged only.
 *
 * Assumes visits in exchangeable order for the drift. Rates: tests/unit/stats_shape_test.c.
 */
#ifndef RUNNER_STATS_SHAPE_H
#define RUNNER_STATS_SHAPE_H

#include "runner/stats/verdict.h"

#include <stdbool.h>
#include <stdint.h>

#define SHAPE_SCALES_APART 5.0
#define SHAPE_FEW_VISITS 12.0
#define SHAPE_CLUSTER_MIN 4u
#define SHAPE_CLUSTER_SHARE 5u /* one in this many visits at least */
#define SHAPE_DRIFT_ALPHA 0.001

struct shape {
	bool bimodal, drifting;
	double low_ratio, high_ratio; /* the clusters' medians; 0 where not bimodal */
	double tau;                   /* rank correlation with the order of visits */
};

/* Of the pairs a verdict rests on, in order of visits (the first 128). */
void shape_look(struct shape *shape, const int32_t *pairs, uint32_t count);

/*
 * `verdict` with the limit it was reached at, or unsettled where the clusters do not both support
 * it. Verdicts other than slower, faster and same pass unchanged.
 */
enum verdict shape_verdict(const struct shape *shape, enum verdict verdict, double limit_ratio);

#endif
