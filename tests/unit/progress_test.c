#include "runner/progress.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECOND_NS UINT64_C(1000000000)

static char said[4096];

/* Ten seconds of measuring, a benchmark begun every tenth; what reaches stderr, in `said`. */
static void measure_ten_seconds(enum log_level level, bool live)
{
	int before = dup(STDERR_FILENO);
	char path[] = "/tmp/duel-progress.XXXXXX";
	int file = mkstemp(path);
	struct progress progress;
	struct log log;
	ssize_t length;

	assert_true(file >= 0);
	assert_int_equal(unlink(path), 0);
	assert_true(dup2(file, STDERR_FILENO) >= 0);
	log_init(&log, level);
	log.live = live;
	progress_start(&progress, &log, 7, 20, 3 * SECOND_NS);
	for (uint64_t tenth = 1; tenth <= 100; tenth++)
		progress_show(&progress, tenth / 25, 7, "parse", (30 + tenth) * SECOND_NS / 10);
	assert_true(dup2(before, STDERR_FILENO) >= 0);
	(void)close(before);
	length = pread(file, said, sizeof(said) - 1, 0);
	assert_true(length >= 0);
	said[length] = '\0';
	(void)close(file);
}

static size_t count_of(const char *text)
{
	size_t count = 0;

	for (const char *at = said; (at = strstr(at, text)); at++)
		count++;
	return count;
}

static void elsewhere_a_line_comes_every_five_seconds(void **state)
{
	(void)state;
	measure_ten_seconds(LOG_NORMAL, false);
	assert_string_equal(said, "measuring 7 benchmarks, for at most 20 s\n"
				  "measuring 5 s, settled 2 of 7\n"
				  "measuring 10 s, settled 4 of 7\n");
	measure_ten_seconds(LOG_VERBOSE, false);
	assert_int_equal(count_of("\n"), 3);
}

static void a_terminal_has_one_line_that_names_the_benchmark(void **state)
{
	(void)state;
	measure_ten_seconds(LOG_NORMAL, true);
	assert_int_equal(count_of("\n"), 0);
	assert_int_equal(count_of("\rmeasuring 10 s, settled 4 of 7: parse\033[K"), 1);
	assert_in_range(count_of("\r"), 50, 101);
}

static void a_quiet_run_says_nothing(void **state)
{
	(void)state;
	measure_ten_seconds(LOG_QUIET, false);
	assert_string_equal(said, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elsewhere_a_line_comes_every_five_seconds),
		cmocka_unit_test(a_terminal_has_one_line_that_names_the_benchmark),
		cmocka_unit_test(a_quiet_run_says_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
