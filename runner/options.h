/*
 * The command line of `duel run` and `duel list`: argv -> struct options.
 *
 * One table drives the parser, --help and the checks. Strings are borrowed from argv.
 */
#ifndef RUNNER_OPTIONS_H
#define RUNNER_OPTIONS_H

#include "sandbox/base/err.h"
#include "sandbox/base/log.h"
#include "sandbox/sandbox.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define OPTIONS_REPORTS_MAX 8
#define OPTIONS_BUILD_LIMIT_S 1800

enum options_verb {
	OPTIONS_RUN,
	OPTIONS_LIST, /* those of run that say what to build and how */
};

struct options {
	const char *repository; /* a directory in the repository; "." */
	const char *baseline;   /* a revision; NULL = where the candidate left the main branch */
	const char *candidate;  /* a revision; NULL = HEAD */
	bool worktree;      /* the candidate is the working tree, uncommitted changes included */
	const char *config; /* path inside each version's tree; "duel.json" */
	const char *only;   /* run the benchmarks whose name matches; NULL = all */
	const char *out;    /* where the artifact goes; NULL = duel-1.json.zst */
	const char
		*reports[OPTIONS_REPORTS_MAX]; /* files for the report as well; by their ending */
	size_t reports_count;
	double budget_s;      /* of the timing pass; 0 = as configured */
	double build_limit_s; /* a side's build is ended after it */
	uint64_t seed;        /* of every random choice; 0 = from the system */
	enum sandbox_tier tier;
	bool layout_fixed;      /* measure the one link the build made */
	bool strict;            /* fail on time alone */
	bool measure_identical; /* measure even where both sides are the same code */
	bool keep;              /* leave the work directory behind */
	enum log_level level;
	bool color_always, color_never;
	bool help;
};

/*
 * Errors: ERR_USAGE naming the argument and what is allowed.
 */
int options_parse(struct options *out, enum options_verb verb, int argc, char **argv,
	struct err *err) ATTR_MUST_USE;

/* A tier somebody named. Errors: ERR_USAGE with the option and what is allowed. */
int options_read_tier(enum sandbox_tier *tier, const char *option, const char *value,
	struct err *err) ATTR_MUST_USE;

/* The verb's part of the table as help text. */
void options_help(enum options_verb verb, FILE *out);

#endif
