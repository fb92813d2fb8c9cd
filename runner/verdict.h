/*
 * From all that is known to what is said: the verdict of a benchmark and of the run, with reasons.
 *
 * Behind stats/: the judge says what CPU time alone shows; here it meets what limits its word - a
 * layout that was not varied, a machine that cannot tell, visits of two kinds. Pure: the same
 * evidence gives the same verdict, in the run and when the artifact is read again. decide.h calls.
 */
#ifndef RUNNER_VERDICT_H
#define RUNNER_VERDICT_H

#include "runner/artifact/schema.h"
#include "runner/stats/judge.h"
#include "runner/stats/shape.h"

#include <stdbool.h>
#include <stdint.h>

#define VERDICT_REASON_BYTES (SCHEMA_TEXT_BYTES_MAX + 1)

/* About one benchmark. Exact counts of both sides will stand here too: they decide before time. */
struct verdict_evidence {
	const struct report_benchmark *benchmark; /* limit, layout, counts_only, identical */
	const struct judge_result *time;
	const struct shape *shape;    /* of the pairs the judge's figures rest on */
	uint32_t pairs_missing;       /* judge_pairs_missing() */
	bool strict;                  /* time alone decides, whatever the layout */
	const char *machine_distrust; /* why this machine cannot tell; NULL = it can */
};

struct verdict_said {
	enum verdict verdict;
	char reason[VERDICT_REASON_BYTES]; /* "" where the numbers say it */
};

/* Not for verdicts that are facts (error, added, removed): those are found, not judged. */
void verdict_of_benchmark(struct verdict_said *said, const struct verdict_evidence *evidence);

/*
 * All benchmarks together. `time` is the verdict of across.h; `layout_fixed`: none of the pooled
 * benchmarks had its layout varied.
 */
void verdict_across(struct verdict_said *said, enum verdict time, bool layout_fixed,
	const char *machine_distrust);

/*
 * Of the whole run, from its benchmarks' verdicts: regressed if one is slower or all together are;
 * else failed if one could not be measured; else passed. A run that failed as a whole stays failed
 * unless something regressed, a skipped one stays skipped.
 */
enum run_verdict verdict_of_run(const struct report *report);

/* 0 passed or skipped, 1 regressed, 3 failed. */
int verdict_exit_status(enum run_verdict verdict);

#endif
