#include "sandbox/base/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char said[8192];

/* What `say` writes to stderr, kept in `said`. */
static void listen_to(void (*say)(struct log *log), enum log_level level)
{
	int before = dup(STDERR_FILENO);
	char path[] = "/tmp/duel-log.XXXXXX";
	int file = mkstemp(path);
	struct log log;
	ssize_t length;

	assert_true(file >= 0);
	assert_int_equal(unlink(path), 0);
	(void)fflush(stderr);
	assert_true(dup2(file, STDERR_FILENO) >= 0);
	log_init(&log, level);
	say(&log);
	(void)fflush(stderr);
	assert_true(dup2(before, STDERR_FILENO) >= 0);
	(void)close(before);
	length = pread(file, said, sizeof(said) - 1, 0);
	assert_true(length >= 0);
	said[length] = '\0';
	(void)close(file);
}

static void say_one_of_each(struct log *log)
{
	log_error(log, "broken: %d", 1);
	log_warning(log, "odd");
	log_say(log, "result");
	log_detail(log, "detail");
	log_stage(log, "stage");
	log_live(log, "live");
	log_live_end(log);
}

static void each_level_says_what_it_promises(void **state)
{
	(void)state;
	listen_to(say_one_of_each, LOG_QUIET);
	assert_string_equal(said, "duel: broken: 1\n");
	listen_to(say_one_of_each, LOG_NORMAL);
	assert_string_equal(said, "duel: broken: 1\nduel: warning: odd\nresult\nstage\n");
	listen_to(say_one_of_each, LOG_VERBOSE);
	assert_string_equal(said, "duel: broken: 1\nduel: warning: odd\nresult\ndetail\nstage\n");
}

static void say_escapes(struct log *log)
{
	log_say(log, "a\033[31mb\r\xe2\x80\xae");
}

static void nothing_said_acts_on_a_terminal(void **state)
{
	(void)state;
	listen_to(say_escapes, LOG_NORMAL);
	assert_string_equal(said, "a?[31mb?"
				  "?"
				  "?"
				  "?\n");
}

static void say_commands(struct log *log)
{
	log_say(log, "::set-env name=X::y");
	log_say(log, "  ::error::x\n\t::stop-commands::z");
	log_say(log, "\u3000\u00a0 ::notice::x");
	log_say(log, "std::sort ##[group]x ##[endgroup]");
	log_foreign(log, "", "::add-mask::a\n##[command]b\nstd::map");
}

static void nothing_said_is_a_command_to_a_runner(void **state)
{
	(void)state;
	listen_to(say_commands, LOG_NORMAL);
	assert_string_equal(said, ":.set-env name=X::y\n"
				  "  :.error::x\n\t:.stop-commands::z\n"
				  "\u3000\u00a0 :.notice::x\n"
				  "std::sort #.[group]x #.[endgroup]\n"
				  ":.add-mask::a\n#.[command]b\nstd::map\n");
}

static void say_foreign(struct log *log)
{
	log_foreign(log, "  | ", "first\nsecond\n\nfourth");
	log_foreign(log, "  | ", "");
}

static void foreign_lines_are_each_marked(void **state)
{
	(void)state;
	listen_to(say_foreign, LOG_NORMAL);
	assert_string_equal(said, "  | first\n  | second\n  | \n  | fourth\n");
	listen_to(say_foreign, LOG_QUIET);
	assert_string_equal(said, "");
}

static void say_too_much(struct log *log)
{
	static char longer[100000];

	memset(longer, 'x', sizeof(longer) - 1);
	log_say(log, "%s", longer);
	log_foreign(log, "> ", longer);
	log_say(log, "after");
}

static void a_line_that_is_too_long_is_cut_and_still_ends(void **state)
{
	const char *after;

	(void)state;
	listen_to(say_too_much, LOG_NORMAL);
	after = strstr(said, "\nafter\n");
	assert_non_null(after);
	assert_string_equal(after, "\nafter\n");
	assert_true(strcspn(said, "\n") > 1000);
}

static void draw_a_long_name(struct log *log)
{
	log->live = true;
	log_stage(log, "stage");
	/* 77 bytes, then a character of two */
	log_live(log, "%077d\xc3\xa4 and more", 0);
	log_say(log, "plain");
}

static void the_live_line_is_cut_at_a_character_and_makes_way(void **state)
{
	(void)state;
	listen_to(draw_a_long_name, LOG_NORMAL);
	assert_string_equal(said, "\rstage\033[K\r"
				  "0000000000000000000000000000000000000000000000000000000000000"
				  "0000000000000000?\033[K\r\033[Kplain\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_level_says_what_it_promises),
		cmocka_unit_test(nothing_said_acts_on_a_terminal),
		cmocka_unit_test(nothing_said_is_a_command_to_a_runner),
		cmocka_unit_test(foreign_lines_are_each_marked),
		cmocka_unit_test(a_line_that_is_too_long_is_cut_and_still_ends),
		cmocka_unit_test(the_live_line_is_cut_at_a_character_and_makes_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
