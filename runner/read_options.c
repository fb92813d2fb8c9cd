#include "runner/read_options.h"

#include "runner/option_table.h"
#include "runner/show.h"
#include "sandbox/base/text.h"

#include <stddef.h>
#include <string.h>

/* The ranges of duel.json. */
#define LIMIT_MIN 1.001
#define LIMIT_MAX 10
#define CONFIDENCE_MIN 0.9
#define CONFIDENCE_MAX 0.9999

static int set_format(void *out, const char *value, struct err *err)
{
	struct read_options *options = out;

	options->format = report_format_by_name(value);
	if (options->format == REPORT_FORMATS)
		return err_set(
			err, ERR_USAGE, "--format '%s': give text, markdown, json or csv", value);
	return 0;
}

static int read_limit(double *limit, const char *option, const char *value, struct err *err)
{
	if (!text_to_double(value, limit) || *limit < LIMIT_MIN || *limit > LIMIT_MAX)
		return err_set(err, ERR_USAGE, "%s '%s': give a ratio from %g to %g, such as 1.02",
			option, value, LIMIT_MIN, (double)LIMIT_MAX);
	return 0;
}

static int set_cpu(void *out, const char *value, struct err *err)
{
	struct read_options *options = out;

	return read_limit(&options->cpu, "--limit-cpu", value, err);
}

static int set_across(void *out, const char *value, struct err *err)
{
	struct read_options *options = out;

	return read_limit(&options->across, "--across", value, err);
}

static int set_confidence(void *out, const char *value, struct err *err)
{
	struct read_options *options = out;
	double *confidence = &options->confidence;

	if (!text_to_double(value, confidence) || *confidence < CONFIDENCE_MIN ||
		*confidence > CONFIDENCE_MAX)
		return err_set(err, ERR_USAGE,
			"--confidence '%s': give a confidence from %g to %g, such as 0.99", value,
			CONFIDENCE_MIN, CONFIDENCE_MAX);
	return 0;
}

static int set_color(void *out, const char *value, struct err *err)
{
	struct read_options *options = out;
	bool always = strcmp(value, "always") == 0, never = strcmp(value, "never") == 0;

	if (!always && !never && strcmp(value, "auto") != 0)
		return err_set(err, ERR_USAGE, "--color '%s': give auto, always or never", value);
	options->view.color = show_in_color(always, never);
	return 0;
}

#define REPORT (1u << READ_REPORT)
#define JUDGE (1u << READ_JUDGE)
#define MERGE (1u << READ_MERGE)
#define ALL (REPORT | JUDGE | MERGE)
#define PLAIN(member) NULL, offsetof(struct read_options, member)

static const struct option_row rows[] = {
	{"limit-cpu", 0, JUDGE, "RATIO", "of each benchmark's CPU time, overrides included: 1.05",
		set_cpu, 0},
	{"across", 0, JUDGE, "RATIO", "of all benchmarks together: 1.005", set_across, 0},
	{"confidence", 0, JUDGE, "SHARE", "of each verdict's interval: 0.99", set_confidence, 0},
	{"strict", 0, JUDGE, NULL, "let time alone fail a run whose layout could not be varied",
		PLAIN(strict)},
	{"no-strict", 0, JUDGE, NULL, "do not, whatever the run did", PLAIN(lenient)},
	{"out", 'o', JUDGE | MERGE, "FILE", "write what is found there too, as an artifact",
		PLAIN(out)},
	{"format", 0, ALL, "FORMAT", "text, markdown, json or csv (default: text)", set_format, 0},
	{"verbose", 'v', ALL, NULL, "-v: every benchmark, pairs, smallest losses, times",
		PLAIN(view.verbose)},
	{"color", 0, ALL, "WHEN", "auto, always or never; NO_COLOR is honoured", set_color, 0},
	{"help", 'h', ALL, NULL, "this text", PLAIN(help)},
};

static const struct {
	const char *name, *operands;
} verbs[READ_VERBS] = {
	[READ_REPORT] = {"report", "FILE"},
	[READ_JUDGE] = {"judge", "FILE"},
	[READ_MERGE] = {"merge", "FILE..."},
};

static struct option_table table_of(enum read_verb verb)
{
	return (struct option_table){rows, ARRAY_LENGTH(rows), verbs[verb].name, 1u << verb};
}

static int check(const struct read_options *options, enum read_verb verb, struct err *err)
{
	if (options->files_count == 0)
		return err_set(err, ERR_USAGE, "which artifact? duel %s %s; - is standard input",
			verbs[verb].name, verbs[verb].operands);
	if (options->files_count > 1 && verb != READ_MERGE)
		return err_set(err, ERR_USAGE,
			"unexpected argument '%s': one artifact at a time; duel merge makes one of "
			"several",
			options->files[1]);
	if (options->strict && options->lenient)
		return err_set(err, ERR_USAGE, "--strict and --no-strict: give one");
	return 0;
}

int read_options_parse(
	struct read_options *out, enum read_verb verb, int argc, char **argv, struct err *err)
{
	const struct option_table table = table_of(verb);
	int operands;

	*out = (struct read_options){.view.color = show_in_color(false, false)};
	if (option_table_parse(out, &table, argc, argv, &operands, err) < 0)
		return -1;
	out->files = argv + operands;
	out->files_count = (size_t)(argc - operands);
	return out->help ? 0 : check(out, verb, err);
}

void read_options_help(enum read_verb verb, FILE *out)
{
	const struct option_table table = table_of(verb);

	(void)fprintf(
		out, "usage: duel %s [OPTIONS] %s\n\n", verbs[verb].name, verbs[verb].operands);
	option_table_help(&table, out);
}
