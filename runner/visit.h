/*
 * One visit: a fresh process of each version, every open benchmark measured on both, everything
 * ended again.
 *
 * plan (which benchmarks, how much) -> visit -> one ratio a benchmark (runner/stats/estimate.h).
 * The processes of a visit are a pair: started in random order with the same random offsets, pinned
 * to one processor, benchmarks in random order, sides in the order A B B A. The pipeline puts fresh
 * copies or links of the code in place before (fresh.h) and judges afterwards.
 *
 * A benchmark that fails ends alone while its worker lives. A worker that is lost fails the
 * benchmark in flight; the rest stays VISIT_UNMEASURED, for the next visit.
 */
#ifndef RUNNER_VISIT_H
#define RUNNER_VISIT_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"

#include "runner/launch.h"
#include "runner/mappings.h"
#include "runner/stats/rng.h"
#include "runner/worker_list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VISIT_STOLEN_MAX 0.2 /* of a visit's time on its processor */

enum visit_side {
	VISIT_BASELINE,
	VISIT_CANDIDATE,
	VISIT_SIDES,
};

enum visit_outcome {
	VISIT_UNMEASURED, /* not reached: a worker was lost before */
	VISIT_MEASURED,
	VISIT_FAILED, /* err, tail and failed_side say how */
};

/* How much of a benchmark is measured in one visit: pace.h finds it once a run. */
struct visit_pace {
	uint64_t iterations;   /* in a sample, the same on both sides */
	uint32_t samples;      /* in a burst (J) */
	uint32_t alternations; /* bursts of a side (m) */
	uint32_t warmups;      /* bursts of a side at most before that */
	double iteration_ns;   /* CPU time, about */
};

struct visit_benchmark {
	/* in */
	const char *name; /* borrowed */
	size_t id[VISIT_SIDES];
	struct visit_pace pace;
	/* out */
	enum visit_outcome outcome;
	int32_t millionths;         /* of the log ratio candidate / baseline */
	double cpu_ns[VISIT_SIDES]; /* an iteration, median over the samples */
	double wall_ns[VISIT_SIDES];
	uint64_t items, bytes; /* an iteration, as the candidate says; 0 = not said */
	uint32_t retaken;      /* bursts taken again: the other side was not idle */
	double elapsed_s;      /* that it took of the visit */
	enum visit_side failed_side;
	struct err err;
	char *tail; /* owned; what the failed side printed; NULL = nothing */
};

/* Asked before each benchmark of a visit: false leaves it and the rest unmeasured. */
struct visit_watch {
	bool (*go_on)(void *payload, const struct visit_benchmark *next);
	/* Asked before each burst: true leaves this one unmeasured too. NULL = never. */
	bool (*is_over)(void *payload);
	void *payload;
};

struct visit_plan {
	const struct launch *launches[VISIT_SIDES]; /* borrowed; the same twice = an A/A null */
	const struct worker_list *expected[VISIT_SIDES]; /* borrowed; NULL = not known yet */
	const struct mappings_tree *trees[VISIT_SIDES];  /* borrowed; NULL = mappings unchecked */
	struct visit_benchmark *benchmarks;              /* borrowed */
	size_t count;
	int cpu;             /* -1 = anywhere */
	bool same_addresses; /* matched randomisation: launch_can_fix_addresses() */
	bool careful; /* look for left-behind processes after each benchmark: the first visit */
	const struct visit_watch *watch; /* borrowed; NULL = nobody */
};

/* Where the wall time went, seconds. */
struct visit_time {
	double starts; /* processes until hello, lists */
	double setup;  /* of benchmarks, and their teardown */
	double warmup;
	double samples;  /* inside the workers' samples */
	double handover; /* around them */
	double checks;   /* mappings, population */
	double ends;     /* until all processes of the visit are gone */
};

/* What one visit, or many added up, met. */
struct visit_totals {
	struct visit_time time;
	uint64_t visits;
	uint64_t retaken;                  /* bursts */
	uint64_t involuntary[VISIT_SIDES]; /* context switches of the workers */
	uint64_t stolen_ticks, all_ticks;  /* of the visit's processor */
};

/* What went wrong with a worker as a whole, not with one benchmark. */
struct visit_failure {
	enum visit_side side;
	char *tail; /* owned; NULL = nothing */
};

/* Zeroed benchmark -> ready for the next visit: results dropped, pace and IDs kept. */
void visit_benchmark_reset(struct visit_benchmark *benchmark);
/* The error of a benchmark or worker that left processes running. Returns -1. */
int visit_set_left_behind(unsigned count, struct err *err);
/* Is the time over, as far as somebody watches? */
bool visit_is_over(const struct visit_watch *watch);
/* Seconds of all parts. */
double visit_time_sum(const struct visit_time *time);
/* Add what one visit, or several, met. */
void visit_totals_add(struct visit_totals *totals, const struct visit_totals *more);
/*
 * Did the host take so much of the processor meanwhile (VISIT_STOLEN_MAX) that the visit says
 * little? False where the machine does not tell.
 */
bool visit_is_stolen(const struct visit_totals *visit);

/*
 * One visit. *totals is added to. Afterwards no process of either cell lives.
 *
 * Errors: ERR_BENCH a worker as a whole failed (did not start, changed its list, runs foreign code,
 * left processes behind), *failure says whose side and what it printed; ERR_CONFINE, ERR_OS.
 * Benchmarks measured before that keep their results. The caller frees failure->tail.
 */
int visit_run(const struct visit_plan *plan, struct rng *rng, struct visit_totals *totals,
	struct visit_failure *failure, struct err *err) ATTR_MUST_USE;

#endif
