/*
 * What a run says while it measures: one line redrawn on a terminal, elsewhere a few plain lines.
 *
 * Called before each benchmark of a visit, so often that most calls say nothing. With -v every line
 * is plain.
 */
#ifndef RUNNER_PROGRESS_H
#define RUNNER_PROGRESS_H

#include "sandbox/base/log.h"

#include <stddef.h>
#include <stdint.h>

#define PROGRESS_LIVE_NS UINT64_C(100000000)   /* between two redraws */
#define PROGRESS_PLAIN_NS UINT64_C(5000000000) /* between two lines */

struct progress {
	struct log *log;   /* borrowed */
	uint64_t start_ns; /* of measuring */
	uint64_t said_ns;
};

/* Measuring so many benchmarks begins now, for at most budget_s. */
void progress_start(
	struct progress *progress, struct log *log, size_t count, double budget_s, uint64_t now_ns);

/* `benchmark` is next; `settled` of `count` have their verdict. */
void progress_show(struct progress *progress, size_t settled, size_t count, const char *benchmark,
	uint64_t now_ns);

#endif
