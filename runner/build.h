/*
 * Build both versions, each confined in its own tree: exported trees -> built trees.
 *
 * Stands between versions and plan. The two builds run at the same time, one a side, so that a
 * two-core machine is used; nothing is measured yet. Every process of a build is gone, verified,
 * before build_both() returns.
 */
#ifndef RUNNER_BUILD_H
#define RUNNER_BUILD_H

#include "sandbox/base/buf.h"
#include "sandbox/base/log.h"
#include "sandbox/sandbox.h"

#include <signal.h>
#include <stdbool.h>

#define BUILD_LOG_BYTES 8000 /* the tail kept of what a build prints */
#define BUILD_REASON_BYTES 200

/* One side's build. Strings are borrowed. */
struct build_side {
	enum sandbox_side side;
	const char *tree;    /* outside */
	const char *scratch; /* outside, read-write for the build */
	const char *setup;   /* for /bin/sh -c; NULL = none */
	const char *command; /* for /bin/sh -c */
	double seconds_max;  /* both commands together */
	struct buf log;      /* owned by the caller's struct: the tail of both commands' output */
	bool built;          /* result: both commands ended with 0 */
	char failure[300];   /* result: why not, "" where built */
};

/*
 * Run the builds of `sides`. A build that fails, or has not ended after its seconds_max, is not an
 * error: built is false and failure says why. All sides are built to their end.
 *
 * Errors: ERR_CONFINE, ERR_OS; ERR_USAGE "interrupted" once *stop is set.
 */
int build_both(struct build_side *sides, size_t count, const struct sandbox_machine *machine,
	const volatile sig_atomic_t *stop, struct err *err) ATTR_MUST_USE;

/*
 * The line of a failed build's log that tells most: the first that speaks of an error (what follows
 * are its consequences), else the last. Printable, cut at its end.
 */
void build_reason(char out[BUILD_REASON_BYTES], const char *log);

const char *build_side_name(enum sandbox_side side); /* "baseline", "candidate" */

#endif
