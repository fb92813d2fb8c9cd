/*
 * Where the wall time of the timing pass went: every part has a name, what is left over too.
 */
#ifndef RUNNER_PASS_TIME_H
#define RUNNER_PASS_TIME_H

#include "runner/artifact/schema.h"
#include "runner/visit.h"
#include "sandbox/base/log.h"

/* Seconds. */
struct pass_time {
	double wall;
	double pace;  /* finding how much of each benchmark makes a sample */
	double links; /* random layouts */
	double files; /* putting them, or copies, in place */
	struct visit_time visits;
};

/* What is none of the parts: judging, choosing. Never negative. */
double pass_time_rest(const struct pass_time *time);

/* Add it to the run's: pace counts as warm-up, files as links, the rest as hand-over. */
void pass_time_report(const struct pass_time *time, struct report_time *report);

/* All parts in one line, with -v. */
void pass_time_say(const struct pass_time *time, uint64_t visits, struct log *log);

#endif
