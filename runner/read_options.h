/*
 * The command lines of the verbs that read artifacts: report, judge and merge.
 *
 * Strings are borrowed from argv.
 */
#ifndef RUNNER_READ_OPTIONS_H
#define RUNNER_READ_OPTIONS_H

#include "runner/report/report.h"
#include "sandbox/base/err.h"

#include <stdbool.h>
#include <stdio.h>

enum read_verb { READ_REPORT, READ_JUDGE, READ_MERGE, READ_VERBS };

struct read_options {
	char **files; /* one; of merge one or more */
	size_t files_count;
	enum report_format format;
	struct report_view view;
	const char *out;   /* a new artifact; NULL = none */
	double cpu;        /* other limits, as ratios; 0 = those of the run */
	double across;     /* of all benchmarks together */
	double confidence; /* 0 = the run's */
	bool strict, lenient;
	bool help;
};

/* Errors: ERR_USAGE naming the argument and what is allowed. */
int read_options_parse(struct read_options *out, enum read_verb verb, int argc, char **argv,
	struct err *err) ATTR_MUST_USE;

/* Usage and the verb's options. */
void read_options_help(enum read_verb verb, FILE *out);

#endif
