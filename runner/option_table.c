#include "runner/option_table.h"

#include <assert.h>
#include <getopt.h>
#include <string.h>

#define LONG_BASE 1000 /* above every letter: what getopt_long() gives for row 0 */
#define HELP_COLUMNS 20

static bool is_ours(const struct option_table *table, size_t row)
{
	return (table->rows[row].verbs & table->bit) != 0;
}

/* What getopt_long() wants: long options, and letters behind a colon (it tells a missing value). */
struct forms {
	struct option longs[OPTION_TABLE_ROWS_MAX + 1];
	char letters[2 * OPTION_TABLE_ROWS_MAX + 2];
};

static void make_forms(struct forms *forms, const struct option_table *table)
{
	size_t longs = 0, letters = 0;

	*forms = (struct forms){0};
	forms->letters[letters++] = ':';
	for (size_t i = 0; i < table->count; i++) {
		const struct option_row *row = &table->rows[i];

		if (!is_ours(table, i))
			continue;
		forms->longs[longs++] = (struct option){row->name,
			row->value ? required_argument : no_argument, NULL, LONG_BASE + (int)i};
		if (!row->letter)
			continue;
		forms->letters[letters++] = row->letter;
		if (row->value)
			forms->letters[letters++] = ':';
	}
}

/* The row behind a letter or a long option; NULL = unknown. */
static const struct option_row *find_row(const struct option_table *table, int got)
{
	if (got >= LONG_BASE)
		return &table->rows[got - LONG_BASE];
	for (size_t i = 0; i < table->count; i++)
		if (is_ours(table, i) && table->rows[i].letter && table->rows[i].letter == got)
			return &table->rows[i];
	return NULL;
}

static int store(void *options, const struct option_row *row, const char *value, struct err *err)
{
	void *place = (char *)options + row->offset;

	if (row->set)
		return row->set(options, value, err);
	if (row->value)
		*(const char **)place = value;
	else
		*(bool *)place = true;
	return 0;
}

int option_table_parse(void *options, const struct option_table *table, int argc, char **argv,
	int *operands, struct err *err)
{
	struct forms forms;

	assert(table->count <= OPTION_TABLE_ROWS_MAX);
	make_forms(&forms, table);
	optind = 0; /* glibc's way to begin anew */
	opterr = 0;
	for (;;) {
		int got = getopt_long(argc, argv, forms.letters, forms.longs, NULL);
		const struct option_row *row = find_row(table, got);

		if (got == -1)
			break;
		if (got == ':')
			return err_set(err, ERR_USAGE, "%s needs a value: see duel %s --help",
				argv[optind - 1], table->verb);
		if (!row)
			return err_set(err, ERR_USAGE, "unknown option %s: see duel %s --help",
				argv[optind - 1], table->verb);
		if (store(options, row, optarg, err) < 0)
			return -1;
	}
	*operands = optind;
	return 0;
}

void option_table_help(const struct option_table *table, FILE *out)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct option_row *row = &table->rows[i];
		const char *value = row->value ? row->value : "";
		size_t used = strlen(row->name) + (*value ? 1 : 0);
		int pad = used < HELP_COLUMNS ? (int)(HELP_COLUMNS - used) : 0;

		if (is_ours(table, i))
			(void)fprintf(out, "  --%s%s%-*s %s\n", row->name, *value ? " " : "", pad,
				value, row->help);
	}
}
