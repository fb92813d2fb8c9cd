#include "sandbox/base/err.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>

#include <cmocka.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static void setting_an_error_returns_minus_one_and_keeps_kind_and_text(void **state)
{
	struct err err = {0};

	(void)state;
	assert_int_equal(err_set(&err, ERR_CONFIG, "line %d: %s", 7, "wrong"), -1);
	assert_int_equal(err.kind, ERR_CONFIG);
	assert_int_equal(err.os_errno, 0);
	assert_string_equal(err.text, "line 7: wrong");
}

static void errno_is_named_recorded_and_left_as_it_was(void **state)
{
	struct err err = {0};

	(void)state;
	errno = ENOENT;
	assert_int_equal(err_errno(&err, ERR_OS, "open %s", "x"), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(err.os_errno, ENOENT);
	assert_string_equal(err.text, "open x: No such file or directory");
}

static void wrapping_goes_outwards_and_keeps_the_kind(void **state)
{
	struct err err = {0};

	(void)state;
	(void)err_set(&err, ERR_BUILD, "exit status 2");
	assert_int_equal(err_wrap(&err, "run '%s'", "make"), -1);
	assert_int_equal(err_wrap(&err, "candidate"), -1);
	assert_string_equal(err.text, "candidate: run 'make': exit status 2");
	assert_int_equal(err.kind, ERR_BUILD);
}

static void text_that_is_too_long_is_cut_and_stays_terminated(void **state)
{
	char longer[2 * ERR_TEXT_BYTES];
	struct err err = {0};

	(void)state;
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	(void)err_set(&err, ERR_OS, "%s", longer);
	assert_int_equal(strlen(err.text), ERR_TEXT_BYTES - 1);
	(void)err_wrap(&err, "%s", longer);
	assert_int_equal(strlen(err.text), ERR_TEXT_BYTES - 1);
	errno = EACCES;
	(void)err_errno(&err, ERR_OS, "%s", longer);
	assert_int_equal(strlen(err.text), ERR_TEXT_BYTES - 1);
	(void)err_set(&err, ERR_OS, "inner");
	longer[ERR_TEXT_BYTES - 4] = 0;
	(void)err_wrap(&err, "%s", longer);
	assert_string_equal(err.text + ERR_TEXT_BYTES - 4, ": i");
}

static void a_record_fits_a_pipe_write_that_cannot_be_split(void **state)
{
	(void)state;
	assert_true(sizeof(struct err) <= PIPE_BUF);
}

static void a_received_record_is_made_safe(void **state)
{
	struct err err;

	(void)state;
	memset(&err, 0x1b, sizeof(err));
	err_from_wire(&err);
	assert_int_equal(err.kind, ERR_BUG);
	assert_int_equal(strlen(err.text), ERR_TEXT_BYTES - 1);
	assert_null(strchr(err.text, 0x1b));
	err = (struct err){.kind = ERR_CONFINE, .text = "landlock: a\nb"};
	err_from_wire(&err);
	assert_int_equal(err.kind, ERR_CONFINE);
	assert_string_equal(err.text, "landlock: a b");
	err.kind = ERR_NONE;
	err_from_wire(&err);
	assert_int_equal(err.kind, ERR_BUG);
	err.kind = -1;
	err_from_wire(&err);
	assert_int_equal(err.kind, ERR_BUG);
	err.kind = ERR_KINDS;
	err_from_wire(&err);
	assert_int_equal(err.kind, ERR_BUG);
}

static void each_kind_has_the_exit_status_it_promises(void **state)
{
	static const int promised[ERR_KINDS] = {0, 2, 2, 3, 3, 3, 4, 5, 6, 7, 7, 70};

	(void)state;
	for (int kind = 0; kind < ERR_KINDS; kind++)
		assert_int_equal(err_exit_status((enum err_kind)kind), promised[kind]);
	assert_int_equal(err_exit_status(ERR_KINDS), 70);
	assert_int_equal(err_exit_status((enum err_kind) - 1), 70);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(setting_an_error_returns_minus_one_and_keeps_kind_and_text),
		cmocka_unit_test(errno_is_named_recorded_and_left_as_it_was),
		cmocka_unit_test(wrapping_goes_outwards_and_keeps_the_kind),
		cmocka_unit_test(text_that_is_too_long_is_cut_and_stays_terminated),
		cmocka_unit_test(a_record_fits_a_pipe_write_that_cannot_be_split),
		cmocka_unit_test(a_received_record_is_made_safe),
		cmocka_unit_test(each_kind_has_the_exit_status_it_promises),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
