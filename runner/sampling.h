/*
 * One benchmark on a running pair: set up, warmed up, sampled in turns, reduced to one ratio.
 *
 * Called by visit.c for each open benchmark of a visit.
 */
#ifndef RUNNER_SAMPLING_H
#define RUNNER_SAMPLING_H

#include "runner/burst.h"
#include "runner/clock_check.h"
#include "runner/runnable.h"
#include "runner/stats/estimate.h"
#include "runner/stats/rng.h"
#include "runner/visit.h"

#include <stddef.h>
#include <stdint.h>

/* A side's samples of one benchmark, and what its clock said. */
struct sampling_side {
	struct runnable *runnable; /* borrowed */
	uint64_t cpu_ns[ESTIMATE_SAMPLES_MAX];
	uint64_t wall_ns[ESTIMATE_SAMPLES_MAX];
	size_t count;
	struct clock_check clock;
	uint64_t watched_ns; /* while the other side was measured, over all benchmarks */
	uint64_t busy_ns;    /* of it, CPU time spent nevertheless */
};

/* The pair, and room for one benchmark at a time. */
struct sampling {
	struct sampling_side sides[VISIT_SIDES];
	struct burst burst;              /* the last one */
	struct rng *rng;                 /* borrowed */
	struct visit_totals *totals;     /* borrowed */
	const struct visit_watch *watch; /* borrowed; NULL = nobody */
};

/*
 * Fills in the benchmark's results; a failure is one of them. It stays VISIT_UNMEASURED where the
 * time is over before its last burst.
 */
void sampling_measure(struct sampling *sampling, struct visit_benchmark *benchmark);

/*
 * Was the side idle while it was not its turn, over the whole visit? The kernel brings the clock of
 * a thread that is running elsewhere up to date with its tick only, so that a single burst tells
 * little of a side that never rests. Errors: ERR_BENCH.
 */
int sampling_check_idle(
	const struct sampling *sampling, enum visit_side side, struct err *err) ATTR_MUST_USE;

#endif
