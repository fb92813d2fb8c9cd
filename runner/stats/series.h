/*
 * What the visits of one run said about one benchmark: the view that across.h and null.h share.
 *
 * A visit runs all open benchmarks in the same two processes, so pairs of one visit may be off
 * together; the visit's number says which belong to each other. All arrays are borrowed.
 */
#ifndef RUNNER_STATS_SERIES_H
#define RUNNER_STATS_SERIES_H

#include "runner/stats/confirm.h"

#include <stdint.h>

#define SERIES_VISITS_MAX 1024u /* pairs of later visits are left out of what is pooled */

struct series {
	const int32_t *pairs;   /* millionths of the log ratio, in order of visits */
	const uint32_t *visits; /* the visit of each, numbered from 0 */
	uint32_t count;
	const int32_t *nulls; /* the same unit, baseline against baseline; the k-th one belongs to
			       * the k-th visit of that kind */
	uint32_t nulls_count;
};

/* Pairs of some visits, unpacked. */
struct series_part {
	double logs[CONFIRM_PAIRS_MAX];
	uint32_t visits[CONFIRM_PAIRS_MAX];
	uint32_t count;
};

/* The first CONFIRM_PAIRS_MAX pairs of the visits first .. last that are below SERIES_VISITS_MAX.
 */
void series_take(
	struct series_part *part, const struct series *series, uint32_t first, uint32_t last);

#endif
