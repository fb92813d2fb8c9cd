/*
 * Artifacts of shards -> one run: the same two versions, benchmarks measured apart, one family.
 *
 * Shards are added one by one; merge_end() gives each benchmark the error probability of the whole
 * family. Verdicts are decide.h's business afterwards. Pure but for memory.
 *
 * Visits of different shards keep their numbers. Where all benchmarks are judged together, equal
 * numbers are taken for one visit: shards share no processes, so what they add to its sum is
 * independent, and the variance by visit stays right.
 */
#ifndef RUNNER_MERGE_H
#define RUNNER_MERGE_H

#include "runner/artifact/schema.h"

struct merge {
	struct report *report;                     /* the one run; the caller's */
	const char *first;                         /* name of the first shard */
	const char *origin[SCHEMA_BENCHMARKS_MAX]; /* the shard of each benchmark */
	uint32_t shards, skipped;
	bool failed; /* a shard did: report->failure says which */
};

/* `report` is initialised here; the caller releases it. */
void merge_start(struct merge *merge, struct report *report);

/*
 * Take the shard's benchmarks, notes and times; `name` is shown in messages and must live until
 * merge_end(). The shard may be released afterwards, and has to be.
 *
 * Errors: ERR_USAGE where the shard is of other versions or limits, or has a benchmark that is
 * there already: both shards are named. ERR_LIMIT too many benchmarks; ERR_OS.
 */
int merge_add(
	struct merge *merge, struct report *shard, const char *name, struct err *err) ATTR_MUST_USE;

/* Behind the last shard. Errors: ERR_OS. */
int merge_end(struct merge *merge, struct err *err) ATTR_MUST_USE;

#endif
