/*
 * All stages of one run, in order: the only file that knows them all.
 *
 * config -> versions -> build -> side -> plan -> measure -> decide; each stage takes what the one
 * before it left and knows nothing of the others. What was found is in the report.
 */
#ifndef RUNNER_PIPELINE_H
#define RUNNER_PIPELINE_H

#include "runner/artifact/schema.h"
#include "runner/options.h"

#include <signal.h>

/*
 * Run the stages. *stop is set by a signal handler: the run ends soon, what was settled is kept.
 *
 * A version that cannot be built or measured is no error here: the report's verdict is RUN_FAILED
 * and its failure says whose side. Errors: ERR_CONFIG, ERR_VERSION, ERR_CONFINE, ERR_OS, ERR_LIMIT.
 */
int pipeline_run(struct report *report, const struct options *options, struct log *log,
	const volatile sig_atomic_t *stop, struct err *err) ATTR_MUST_USE;

/*
 * The stages up to the plan: which benchmarks a run would compare. They are in the report with the
 * verdicts added, removed, or unsettled where both sides have them; nothing else in it counts.
 *
 * A version that cannot be built is no error here either: RUN_FAILED, as above. Errors: as above.
 */
int pipeline_list(struct report *report, const struct options *options, struct log *log,
	const volatile sig_atomic_t *stop, struct err *err) ATTR_MUST_USE;

#endif
