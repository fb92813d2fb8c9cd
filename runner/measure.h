/*
 * The timing pass: visits until every benchmark is settled or the budget is spent.
 *
 * plan and sides -> pairs in the report. Every visit runs a fresh random link of each side where
 * both can be varied, else fresh copies; some visits pair the baseline with itself (stats/null.h).
 * Judged as it goes by runner/stats/judge.h and across.h, only to know what to measure next and
 * when to stop: decide.h gives the verdicts. Settled benchmarks come back where all together look
 * slower, or a few visits more would settle that; where time is short, schedule.h chooses.
 */
#ifndef RUNNER_MEASURE_H
#define RUNNER_MEASURE_H

#include "runner/artifact/schema.h"
#include "runner/plan.h"
#include "runner/side.h"
#include "sandbox/base/log.h"

#include <signal.h>

#define MEASURE_PAIRS_MIN 8u
#define MEASURE_PAIRS_MAX 64u        /* of a stage, layouts varied or shared */
#define MEASURE_PAIRS_MAX_FIXED 120u /* layouts not varied */
#define MEASURE_RETAKES_MAX 2u       /* of one visit that the host stole too much of */

/* What the pass needs; all borrowed. report->benchmarks are in the plan's order. */
struct measure {
	struct report *report;
	const struct plan *plan;
	struct side *sides; /* two, by enum sandbox_side */
	bool varied;        /* both sides: a fresh link for each visit */
	double budget_s;
	struct log *log;
	const volatile sig_atomic_t *stop; /* once set, what was measured so far is all */
};

/*
 * Measure. What stopped it early, and what had to be measured again, is in the report's notes.
 * Benchmarks measured before an error keep their pairs. Errors: ERR_BENCH a worker as a whole
 * failed (its side's tail is set); ERR_CONFINE; ERR_OS.
 */
int measure_run(struct measure *measure, struct err *err) ATTR_MUST_USE;

#endif
