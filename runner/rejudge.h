/*
 * A stored run under other limits: the same raw pairs, other verdicts.
 *
 * What `duel judge` does between reading and showing. Pairs are those of the run: under a tighter
 * limit, or more confidence, they may be too few, and then a benchmark is unsettled.
 */
#ifndef RUNNER_REJUDGE_H
#define RUNNER_REJUDGE_H

#include "runner/artifact/schema.h"

/* 0 or false: as the run had it. */
struct rejudge_limits {
	double cpu;        /* of every benchmark, whatever overrides it had; a ratio */
	double across;     /* of all together */
	double confidence; /* alpha follows from it and the number of benchmarks */
	bool strict;       /* time alone may fail a run ... */
	bool lenient;      /* ... or may not */
};

/*
 * Set the limits, say in limits.source that they are not the run's, and decide anew. Without other
 * limits every verdict stays what it was. Errors: ERR_OS.
 */
int rejudge_report(
	struct report *report, const struct rejudge_limits *limits, struct err *err) ATTR_MUST_USE;

#endif
