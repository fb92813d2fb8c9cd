#include "runner/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define ARGUMENTS_MAX 8

/* argv[0] is the verb's name, as main.c hands it over; getopt may move the pointers. */
static int parse(
	struct options *out, enum options_verb verb, const char *const *words, struct err *err)
{
	char *argv[ARGUMENTS_MAX + 1] = {0};
	int argc = 0;

	for (; words[argc]; argc++)
		argv[argc] = (char *)(uintptr_t)words[argc];
	return options_parse(out, verb, argc, argv, err);
}

static void without_options_all_is_as_documented(void **state)
{
	struct options options;
	struct err err = {0};

	(void)state;
	assert_int_equal(parse(&options, OPTIONS_RUN, (const char *[]){"run", NULL}, &err), 0);
	assert_string_equal(options.repository, ".");
	assert_string_equal(options.config, "duel.json");
	assert_null(options.baseline);
	assert_false(options.strict || options.keep || options.worktree);
	assert_int_equal(options.level, LOG_NORMAL);
	assert_true(options.build_limit_s == OPTIONS_BUILD_LIMIT_S);
	assert_false(options.measure_identical);
}

static void a_time_has_a_unit_or_is_seconds(void **state)
{
	static const struct {
		const char *text;
		double seconds;
	} times[] = {{"1", 1}, {"90s", 90}, {"1500ms", 1.5}, {"2m", 120}, {"0.5m", 30}};

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(times); i++) {
		const char *const words[] = {"run", "--build-limit", times[i].text, NULL};
		struct options options;
		struct err err = {0};

		assert_int_equal(parse(&options, OPTIONS_RUN, words, &err), 0);
		assert_true(options.build_limit_s == times[i].seconds);
	}
}

static void long_and_short_forms_mean_the_same(void **state)
{
	static const char *const words[] = {
		"run", "-vC", "there", "-oa.zst", "--budget=500ms", "--only", "p*", NULL};
	struct options options;
	struct err err = {0};

	(void)state;
	assert_int_equal(parse(&options, OPTIONS_RUN, words, &err), 0);
	assert_int_equal(options.level, LOG_VERBOSE);
	assert_string_equal(options.repository, "there");
	assert_string_equal(options.out, "a.zst");
	assert_string_equal(options.only, "p*");
	assert_true(options.budget_s == 0.5);
}

static void each_mistake_is_named(void **state)
{
	static const struct {
		enum options_verb verb;
		const char *words[4], *message;
	} mistakes[] = {
		{OPTIONS_RUN, {"run", "--bogus"}, "unknown option --bogus: see duel run --help"},
		{OPTIONS_RUN, {"run", "-x"}, "unknown option -x: see duel run --help"},
		{OPTIONS_RUN, {"run", "--only"}, "--only needs a value: see duel run --help"},
		{OPTIONS_RUN, {"run", "v1"},
			"unexpected argument 'v1': name revisions with --baseline and --candidate"},
		{OPTIONS_RUN, {"run", "--worktree", "--candidate=x"},
			"--worktree and --candidate name two candidates: give one"},
		{OPTIONS_RUN, {"run", "--budget", "10x"},
			"--budget '10x': give a time from 100ms to 60m, such as 10s"},
		{OPTIONS_RUN, {"run", "--build-limit", "0.5s"},
			"--build-limit '0.5s': give a time from 1s to 1440m, such as 10m"},
		{OPTIONS_LIST, {"list", "--build-limit", ""},
			"--build-limit '': give a time from 1s to 1440m, such as 10m"},
		{OPTIONS_RUN, {"run", "--seed", "0"}, "--seed '0': give a whole number from 1"},
		{OPTIONS_RUN, {"run", "--config", "/etc/x"},
			"--config '/etc/x': give a path inside the repository"},
		{OPTIONS_LIST, {"list", "--out", "x"},
			"unknown option --out: see duel list --help"},
		{OPTIONS_LIST, {"list", "-o"}, "unknown option -o: see duel list --help"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(mistakes); i++) {
		struct options options;
		struct err err = {0};

		assert_int_equal(parse(&options, mistakes[i].verb, mistakes[i].words, &err), -1);
		assert_string_equal(err.text, mistakes[i].message);
		assert_int_equal(err.kind, ERR_USAGE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_options_all_is_as_documented),
		cmocka_unit_test(long_and_short_forms_mean_the_same),
		cmocka_unit_test(a_time_has_a_unit_or_is_seconds),
		cmocka_unit_test(each_mistake_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
