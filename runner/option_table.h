/*
 * A command line read by a table: one row an option, which also makes the help.
 *
 * Knows no option by name. The verbs' tables are in options.c and read_options.c; strings that are
 * stored are borrowed from argv.
 */
#ifndef RUNNER_OPTION_TABLE_H
#define RUNNER_OPTION_TABLE_H

#include "sandbox/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define OPTION_TABLE_ROWS_MAX 48

struct option_row {
	const char *name;
	char letter;       /* the short form; '\0' = none */
	unsigned verbs;    /* bits of the verbs that know it */
	const char *value; /* name of its argument in the help; NULL = it takes none */
	const char *help;
	/* NULL: the argument (const char *), or true, is stored at `offset` as it is. */
	int (*set)(void *options, const char *value, struct err *err);
	size_t offset; /* in the struct that is filled */
};

struct option_table {
	const struct option_row *rows;
	size_t count;
	const char *verb; /* its name, for messages */
	unsigned bit;     /* which of the rows are its */
};

/*
 * Fill `options`; what is no option moves to argv's end, *operands is the index of the first.
 *
 * Errors: ERR_USAGE naming the argument and where help is; as the row's set().
 */
int option_table_parse(void *options, const struct option_table *table, int argc, char **argv,
	int *operands, struct err *err) ATTR_MUST_USE;

/* The verb's rows as help text. */
void option_table_help(const struct option_table *table, FILE *out);

#endif
