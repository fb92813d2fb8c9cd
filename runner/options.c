#include "runner/options.h"

#include "sandbox/base/text.h"

#include <getopt.h>
#include <stddef.h>
#include <string.h>

/*
 * One row an option. `value` is the name of its argument in the help, NULL where it takes none.
 * Without `set` the argument, or true, is stored at `offset` as it is.
 */
struct option_row {
	const char *name;
	const char *value;
	const char *help;
	int (*set)(struct options *options, const char *value, struct err *err);
	size_t offset; /* in struct options */
};

static int set_config(struct options *options, const char *value, struct err *err)
{
	if (!*value || *value == '/' || strstr(value, ".."))
		return err_set(
			err, ERR_USAGE, "--config '%s': give a path inside the repository", value);
	options->config = value;
	return 0;
}

/* "10s", "500ms", "2m" or plain seconds. */
static int set_budget(struct options *options, const char *value, struct err *err)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = {{"ms", 0.001}, {"s", 1}, {"m", 60}, {"", 1}};
	size_t digits = strspn(value, "0123456789.");
	char number[32];

	for (size_t i = 0; i < ARRAY_LENGTH(units) && digits < sizeof(number); i++) {
		double amount;

		if (strcmp(value + digits, units[i].unit) != 0)
			continue;
		memcpy(number, value, digits);
		number[digits] = '\0';
		if (!text_to_double(number, &amount))
			break;
		options->budget_s = amount * units[i].seconds;
		if (options->budget_s >= 0.1 && options->budget_s <= 3600)
			return 0;
	}
	return err_set(
		err, ERR_USAGE, "--budget '%s': give a time from 100ms to 60m, such as 10s", value);
}

static int set_seed(struct options *options, const char *value, struct err *err)
{
	if (!text_to_u64(value, UINT64_MAX, &options->seed) || options->seed == 0)
		return err_set(err, ERR_USAGE, "--seed '%s': give a whole number from 1", value);
	return 0;
}

int options_read_tier(
	enum sandbox_tier *tier, const char *option, const char *value, struct err *err)
{
	*tier = sandbox_tier_by_name(value);
	if (*tier == SANDBOX_TIER_REFUSE || *tier == SANDBOX_TIER_UNKNOWN)
		return err_set(err, ERR_USAGE, "%s '%s': give auto, root, userns, uid or flat",
			option, value);
	return 0;
}

static int set_confinement(struct options *options, const char *value, struct err *err)
{
	return options_read_tier(&options->tier, "--confinement", value, err);
}

static int set_layout(struct options *options, const char *value, struct err *err)
{
	options->layout_fixed = strcmp(value, "fixed") == 0;
	if (!options->layout_fixed && strcmp(value, "varied") != 0)
		return err_set(err, ERR_USAGE, "--layout '%s': give varied or fixed", value);
	return 0;
}

static int set_quiet(struct options *options, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	options->level = LOG_QUIET;
	return 0;
}

static int set_verbose(struct options *options, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	options->level = LOG_VERBOSE;
	return 0;
}

static int set_color(struct options *options, const char *value, struct err *err)
{
	options->color_always = strcmp(value, "always") == 0;
	options->color_never = strcmp(value, "never") == 0;
	if (!options->color_always && !options->color_never && strcmp(value, "auto") != 0)
		return err_set(err, ERR_USAGE, "--color '%s': give auto, always or never", value);
	return 0;
}

static const struct option_row rows[] = {
	{"baseline", "REF",
		"compare against this revision (default: where HEAD left the main branch)", NULL,
		offsetof(struct options, baseline)},
	{"candidate", "REF", "the revision to judge (default: HEAD)", NULL,
		offsetof(struct options, candidate)},
	{"worktree", NULL, "judge the working tree with its uncommitted changes", NULL,
		offsetof(struct options, worktree)},
	{"only", "PATTERN", "benchmarks whose name matches, * and ? allowed", NULL,
		offsetof(struct options, only)},
	{"budget", "TIME", "how long to measure, such as 10s (default: budget_s of duel.json, 20s)",
		set_budget, 0},
	{"out", "FILE", "where the artifact goes (default: duel-1.json.zst)", NULL,
		offsetof(struct options, out)},
	{"config", "PATH", "the configuration inside each version (default: duel.json)", set_config,
		0},
	{"repository", "DIR", "a directory of the repository (default: .)", NULL,
		offsetof(struct options, repository)},
	{"confinement", "TIER", "auto, root, userns, uid or flat: see duel doctor", set_confinement,
		0},
	{"layout", "HOW", "varied: a fresh random link for each pair; fixed: the build's own",
		set_layout, 0},
	{"strict", NULL, "let time alone fail a run whose layout could not be varied", NULL,
		offsetof(struct options, strict)},
	{"seed", "N", "of every random choice (default: from the system; it is in the artifact)",
		set_seed, 0},
	{"keep", NULL, "leave the work directory behind and say where it is", NULL,
		offsetof(struct options, keep)},
	{"quiet", NULL, "errors only", set_quiet, 0},
	{"verbose", NULL, "-v: confinement, schedule, where the time went", set_verbose, 0},
	{"color", "WHEN", "auto, always or never; NO_COLOR is honoured", set_color, 0},
	{"help", NULL, "this text", NULL, offsetof(struct options, help)},
};

#define ROWS ARRAY_LENGTH(rows)

static int find_short(int letter)
{
	static const struct {
		char letter;
		const char *name;
	} shorts[] = {
		{'v', "verbose"}, {'q', "quiet"}, {'h', "help"}, {'o', "out"}, {'C', "repository"}};

	for (size_t i = 0; i < ARRAY_LENGTH(shorts); i++) {
		for (size_t row = 0; shorts[i].letter == letter && row < ROWS; row++) {
			if (strcmp(rows[row].name, shorts[i].name) == 0)
				return (int)row;
		}
	}
	return -1;
}

static int store(
	struct options *options, const struct option_row *row, const char *value, struct err *err)
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

int options_parse(struct options *out, int argc, char **argv, struct err *err)
{
	struct option longs[ROWS + 1] = {0};

	*out = (struct options){
		.repository = ".",
		.config = "duel.json",
		.tier = SANDBOX_TIER_AUTO,
		.level = LOG_NORMAL,
	};
	for (size_t i = 0; i < ROWS; i++)
		longs[i] = (struct option){rows[i].name,
			rows[i].value ? required_argument : no_argument, NULL, 1000 + (int)i};
	optind = 1;
	opterr = 0;
	for (;;) {
		int got = getopt_long(argc, argv, "+:vqho:C:", longs, NULL);
		int row = got >= 1000 ? got - 1000 : find_short(got);

		if (got == -1)
			break;
		if (got == ':')
			return err_set(err, ERR_USAGE, "%s needs a value: see duel run --help",
				argv[optind - 1]);
		if (row < 0)
			return err_set(err, ERR_USAGE, "unknown option %s: see duel run --help",
				argv[optind - 1]);
		if (store(out, &rows[row], optarg, err) < 0)
			return -1;
	}
	if (optind < argc)
		return err_set(err, ERR_USAGE,
			"unexpected argument '%s': name revisions with --baseline and --candidate",
			argv[optind]);
	if (out->worktree && out->candidate)
		return err_set(
			err, ERR_USAGE, "--worktree and --candidate name two candidates: give one");
	return 0;
}

void options_help(FILE *out)
{
	for (size_t i = 0; i < ROWS; i++)
		(void)fprintf(out, "  --%s%s%-*s %s\n", rows[i].name, rows[i].value ? " " : "",
			(int)(20 - strlen(rows[i].name) - (rows[i].value ? 1 : 0)),
			rows[i].value ? rows[i].value : "", rows[i].help);
}
