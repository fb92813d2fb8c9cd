/*
 * One benchmark while it is measured: its pace, its judge so far, and its part of the report.
 *
 * Between visit and report: measure.c hands each visit's result here and asks what is missing.
 */
#ifndef RUNNER_MEASURED_H
#define RUNNER_MEASURED_H

#include "runner/artifact/schema.h"
#include "runner/plan.h"
#include "runner/stats/judge.h"
#include "runner/typical.h"
#include "runner/visit.h"

#include <stdbool.h>
#include <stdint.h>

#define MEASURED_ALTERNATIONS_MAX 32u /* of a visit, where visits scatter */

/* Nanoseconds an iteration, by side: CPU time, wall time. */
#define MEASURED_FIGURES (2 * VISIT_SIDES)

struct measured {
	const struct plan_benchmark *planned; /* borrowed, as the next */
	struct report_benchmark *report;
	struct visit_benchmark visit; /* the pace, and the last visit's result */
	struct judge judge;
	struct typical figures[MEASURED_FIGURES];
	double visit_s; /* the last visit of it; 0 = none so far */
	bool failed;
	bool chosen; /* for the next visit */
};

/* Both sides have it. Wants measured_release(). */
void measured_start(struct measured *measured, const struct plan_benchmark *planned,
	struct report_benchmark *report);

/* Begin anew under the rules that the report has now; only before the first pair. */
void measured_judge_anew(struct measured *measured);

/* Is its time measured at all? */
bool measured_counts(const struct measured *measured);

/* Visits until its own verdict, about, within what the rules allow; 0 = none wanted. */
uint32_t measured_missing(const struct measured *measured);

/*
 * What the last visit left in measured->visit: a pair (`null`: baseline with baseline) of visit
 * number `visit`, a failure, or nothing. Errors: ERR_OS, ERR_LIMIT.
 */
int measured_take(
	struct measured *measured, uint32_t visit, bool null, struct err *err) ATTR_MUST_USE;

/* A failure only: for visits that were to find the pace. Errors: as measured_take(). */
int measured_take_failure(struct measured *measured, struct err *err) ATTR_MUST_USE;

/* The medians over all visits, into the report. */
void measured_finish(struct measured *measured);

void measured_release(struct measured *measured);

#endif
