#include "runner/options.h"

#include "runner/option_table.h"
#include "runner/report/report.h"
#include "sandbox/base/text.h"

#include <stddef.h>
#include <string.h>

static int set_config(void *out, const char *value, struct err *err)
{
	struct options *options = out;

	if (!*value || *value == '/' || strstr(value, ".."))
		return err_set(
			err, ERR_USAGE, "--config '%s': give a path inside the repository", value);
	options->config = value;
	return 0;
}

/* "10s", "500ms", "2m" or plain seconds. */
static bool read_seconds(double *seconds, const char *value, double min, double max)
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
			return false;
		*seconds = amount * units[i].seconds;
		return *seconds >= min && *seconds <= max;
	}
	return false;
}

static int set_budget(void *out, const char *value, struct err *err)
{
	struct options *options = out;

	if (!read_seconds(&options->budget_s, value, 0.1, 3600))
		return err_set(err, ERR_USAGE,
			"--budget '%s': give a time from 100ms to 60m, such as 10s", value);
	return 0;
}

static int set_build_limit(void *out, const char *value, struct err *err)
{
	struct options *options = out;

	if (!read_seconds(&options->build_limit_s, value, 1, 86400))
		return err_set(err, ERR_USAGE,
			"--build-limit '%s': give a time from 1s to 1440m, such as 10m", value);
	return 0;
}

static int set_seed(void *out, const char *value, struct err *err)
{
	struct options *options = out;

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

static int add_report(void *out, const char *value, struct err *err)
{
	struct options *options = out;

	if (report_format_by_path(value) == REPORT_FORMATS)
		return err_set(err, ERR_USAGE,
			"--report '%s': give a file that ends in .txt, .md, .json or .csv", value);
	if (options->reports_count == OPTIONS_REPORTS_MAX)
		return err_set(err, ERR_USAGE, "more than %d times --report", OPTIONS_REPORTS_MAX);
	options->reports[options->reports_count++] = value;
	return 0;
}

static int set_confinement(void *out, const char *value, struct err *err)
{
	struct options *options = out;

	return options_read_tier(&options->tier, "--confinement", value, err);
}

static int set_layout(void *out, const char *value, struct err *err)
{
	struct options *options = out;

	options->layout_fixed = strcmp(value, "fixed") == 0;
	if (!options->layout_fixed && strcmp(value, "varied") != 0)
		return err_set(err, ERR_USAGE, "--layout '%s': give varied or fixed", value);
	return 0;
}

static int set_quiet(void *out, const char *value, struct err *err)
{
	struct options *options = out;

	(void)value;
	(void)err;
	options->level = LOG_QUIET;
	return 0;
}

static int set_verbose(void *out, const char *value, struct err *err)
{
	struct options *options = out;

	(void)value;
	(void)err;
	options->level = LOG_VERBOSE;
	return 0;
}

static int set_color(void *out, const char *value, struct err *err)
{
	struct options *options = out;

	options->color_always = strcmp(value, "always") == 0;
	options->color_never = strcmp(value, "never") == 0;
	if (!options->color_always && !options->color_never && strcmp(value, "auto") != 0)
		return err_set(err, ERR_USAGE, "--color '%s': give auto, always or never", value);
	return 0;
}

#define RUN (1u << 0)
#define LIST (1u << 1)
#define BOTH (RUN | LIST)
#define PLAIN(member) NULL, offsetof(struct options, member)

static const struct option_row rows[] = {
	{"baseline", 0, BOTH, "REF",
		"compare against this revision (default: where HEAD left the main branch)",
		PLAIN(baseline)},
	{"candidate", 0, BOTH, "REF", "the revision to judge (default: HEAD)", PLAIN(candidate)},
	{"worktree", 0, BOTH, NULL, "judge the working tree with its uncommitted changes",
		PLAIN(worktree)},
	{"only", 0, BOTH, "PATTERN", "benchmarks whose name matches, * and ? allowed", PLAIN(only)},
	{"budget", 0, RUN, "TIME",
		"how long to measure, such as 10s (default: budget_s of duel.json, 20s)",
		set_budget, 0},
	{"build-limit", 0, BOTH, "TIME", "end a build that takes longer (default: 30m)",
		set_build_limit, 0},
	{"out", 'o', RUN, "FILE", "where the artifact goes (default: duel-1.json.zst)", PLAIN(out)},
	{"report", 0, RUN, "FILE",
		"write the report there too: .txt, .md, .json or .csv; repeatable", add_report, 0},
	{"config", 0, BOTH, "PATH", "the configuration inside each version (default: duel.json)",
		set_config, 0},
	{"repository", 'C', BOTH, "DIR", "a directory of the repository (default: .)",
		PLAIN(repository)},
	{"confinement", 0, BOTH, "TIER", "auto, root, userns, uid or flat: see duel doctor",
		set_confinement, 0},
	{"layout", 0, RUN, "HOW",
		"varied: a fresh random link for each pair; fixed: the build's own", set_layout, 0},
	{"strict", 0, RUN, NULL, "let time alone fail a run whose layout could not be varied",
		PLAIN(strict)},
	{"measure-identical", 0, RUN, NULL, "measure even where both versions are the same code",
		PLAIN(measure_identical)},
	{"seed", 0, RUN, "N",
		"of every random choice (default: from the system; it is in the artifact)",
		set_seed, 0},
	{"keep", 0, BOTH, NULL, "leave the work directory behind and say where it is", PLAIN(keep)},
	{"quiet", 'q', BOTH, NULL, "errors only", set_quiet, 0},
	{"verbose", 'v', BOTH, NULL, "-v: confinement, schedule, where the time went", set_verbose,
		0},
	{"color", 0, BOTH, "WHEN", "auto, always or never; NO_COLOR is honoured", set_color, 0},
	{"help", 'h', BOTH, NULL, "this text", PLAIN(help)},
};

static struct option_table table_of(enum options_verb verb)
{
	return (struct option_table){rows, ARRAY_LENGTH(rows), verb == OPTIONS_RUN ? "run" : "list",
		verb == OPTIONS_RUN ? RUN : LIST};
}

int options_parse(
	struct options *out, enum options_verb verb, int argc, char **argv, struct err *err)
{
	const struct option_table table = table_of(verb);
	int operands;

	*out = (struct options){
		.repository = ".",
		.config = "duel.json",
		.build_limit_s = OPTIONS_BUILD_LIMIT_S,
		.tier = SANDBOX_TIER_AUTO,
		.level = LOG_NORMAL,
	};
	if (option_table_parse(out, &table, argc, argv, &operands, err) < 0)
		return -1;
	if (operands < argc)
		return err_set(err, ERR_USAGE,
			"unexpected argument '%s': name revisions with --baseline and --candidate",
			argv[operands]);
	if (out->worktree && out->candidate)
		return err_set(
			err, ERR_USAGE, "--worktree and --candidate name two candidates: give one");
	return 0;
}

void options_help(enum options_verb verb, FILE *out)
{
	const struct option_table table = table_of(verb);

	option_table_help(&table, out);
}
