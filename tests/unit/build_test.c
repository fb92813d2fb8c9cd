#include "runner/build.h"

#include "runner/workspace.h"
#include "sandbox/base/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cmocka.h>

#define PATIENT 60.0

static struct sandbox_machine machine;
static struct workspace workspace;
static struct build_side sides[2];
static volatile sig_atomic_t stop;
static struct err err;

static int setup(void **state)
{
	(void)state;
	err = (struct err){0};
	stop = 0;
	if (workspace_make(&workspace, &err) < 0)
		return -1;
	for (enum sandbox_side side = SANDBOX_BASELINE; side <= SANDBOX_CANDIDATE; side++) {
		const struct workspace_side *paths = &workspace.sides[side];

		if (sandbox_give(&machine, side, paths->tree, &err) < 0 ||
			sandbox_give(&machine, side, paths->scratch, &err) < 0)
			return -1;
		sides[side] = (struct build_side){
			.side = side,
			.tree = paths->tree,
			.scratch = paths->scratch,
			.command = "true",
			.seconds_max = PATIENT,
		};
		buf_init(&sides[side].log, (size_t)8 * BUILD_LOG_BYTES);
	}
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	buf_release(&sides[0].log);
	buf_release(&sides[1].log);
	/* LeakSanitizer reads our memory as a debugger would. */
	(void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	return workspace_remove(&workspace, &err);
}

static void build(const char *baseline, const char *candidate)
{
	sides[0].command = baseline;
	sides[1].command = candidate;
	if (build_both(sides, 2, &machine, &stop, &err) < 0)
		fail_msg("%s", err.text);
}

static bool is_made(enum sandbox_side side, const char *name)
{
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/%s", workspace.sides[side].tree, name);
	return access(path, F_OK) == 0;
}

static void both_are_built_in_their_own_trees(void **state)
{
	(void)state;
	build("echo first; touch one", "echo second >&2; touch two");
	assert_true(sides[0].built && sides[1].built);
	assert_string_equal(sides[0].failure, "");
	assert_true(is_made(SANDBOX_BASELINE, "one") && !is_made(SANDBOX_BASELINE, "two"));
	assert_true(is_made(SANDBOX_CANDIDATE, "two"));
	assert_string_equal(buf_text(&sides[0].log), "first\n");
	assert_string_equal(buf_text(&sides[1].log), "second\n");
}

static void setup_comes_first_and_the_log_has_both(void **state)
{
	(void)state;
	sides[1].setup = "echo set up; touch ready";
	build("true", "test -f ready && echo built");
	assert_true(sides[1].built);
	assert_string_equal(buf_text(&sides[1].log), "set up\nbuilt\n");
}

static void a_failed_setup_is_the_end(void **state)
{
	(void)state;
	sides[0].setup = "exit 3";
	build("touch never", "true");
	assert_false(sides[0].built);
	assert_string_equal(sides[0].failure, "setup: 'exit 3': exit status 3");
	assert_false(is_made(SANDBOX_BASELINE, "never"));
	assert_true(sides[1].built);
}

static void a_failure_says_how_it_ended_and_keeps_what_it_said(void **state)
{
	(void)state;
	build("echo no; exit 7", "kill -9 $$");
	assert_string_equal(sides[0].failure, "build: 'echo no; exit 7': exit status 7");
	assert_string_equal(buf_text(&sides[0].log), "no\n");
	assert_string_equal(sides[1].failure, "build: 'kill -9 $$': killed by SIGKILL");
}

static void a_late_build_is_ended_and_the_other_one_is_not(void **state)
{
	(void)state;
	sides[0].seconds_max = 0.3;
	build("echo waiting; sleep 1000", "sleep 0.6; touch done");
	assert_false(sides[0].built);
	assert_string_equal(sides[0].failure, "build: 'echo waiting; sleep 1000': not ended after "
					      "0.3 s: --build-limit gives it more");
	assert_string_equal(buf_text(&sides[0].log), "waiting\n");
	assert_true(sides[1].built && is_made(SANDBOX_CANDIDATE, "done"));
}

static void of_a_flood_the_end_is_kept(void **state)
{
	const char *text;

	(void)state;
	build("yes flood | head -n 3000000; echo the end", "true");
	assert_true(sides[0].built);
	buf_keep_tail(&sides[0].log, BUILD_LOG_BYTES);
	assert_int_equal(sides[0].log.length, BUILD_LOG_BYTES);
	text = buf_text(&sides[0].log);
	assert_string_equal(
		text + BUILD_LOG_BYTES - strlen("flood\nthe end\n"), "flood\nthe end\n");
}

static void what_a_build_leaves_running_does_not_hold_it_up(void **state)
{
	uint64_t start_ns = io_now_ns();

	(void)state;
	build("(setsid sleep 1000 &); echo started", "true");
	assert_true(sides[0].built);
	assert_true(io_seconds_since(start_ns) < 30);
}

static void nobody_waits_for_a_build_once_told_to_stop(void **state)
{
	(void)state;
	stop = 1;
	sides[0].command = "sleep 1000";
	assert_int_equal(build_both(sides, 2, &machine, &stop, &err), -1);
	assert_string_equal(err.text, "interrupted while building");
	assert_int_equal(err.kind, ERR_USAGE);
}

static void one_side_is_built_alone(void **state)
{
	(void)state;
	sides[1].command = "touch two";
	assert_int_equal(build_both(sides + 1, 1, &machine, &stop, &err), 0);
	assert_true(sides[1].built && is_made(SANDBOX_CANDIDATE, "two"));
	assert_false(sides[0].built);
}

static void the_build_finds_duel_h_by_its_environment(void **state)
{
	(void)state;
	build("test \"${DUEL_INCLUDE%/include}\" != \"$DUEL_INCLUDE\" && test -n "
	      "\"$COMPILER_PATH\"",
		"true");
	assert_true(sides[0].built);
}

static void the_first_error_of_a_log_is_its_reason(void **state)
{
	static const struct {
		const char *log, *reason;
	} cases[] = {
		{"", ""},
		{"\n\nonly this\n\n", "only this"},
		{"start\nend without newline", "end without newline"},
		{"cc a.c\na.c:1: error: one\na.c:2: error: two\nmake: *** [all] Error 1\n",
			"a.c:1: error: one"},
		{"ld: a.o: undefined reference to `x'\ncollect2: error: ld returned 1\n",
			"ld: a.o: undefined reference to `x'"},
		{"make: *** No rule to make target 'bench'.  Stop.\n",
			"make: *** No rule to make target 'bench'.  Stop."},
		{"sh: 1: cargo: not found\nbye\n", "sh: 1: cargo: not found"},
		{"\x1b[31mred error: x\n", "?[31mred error: x"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		char reason[BUILD_REASON_BYTES];

		build_reason(reason, cases[i].log);
		assert_string_equal(reason, cases[i].reason);
	}
}

static int probe(void **state)
{
	(void)state;
	if (sandbox_probe(&machine, SANDBOX_TIER_AUTO, &err) == 0)
		return 0;
	print_error("%s\n", err.text);
	return -1;
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(both_are_built_in_their_own_trees),
		CASE(setup_comes_first_and_the_log_has_both),
		CASE(a_failed_setup_is_the_end),
		CASE(a_failure_says_how_it_ended_and_keeps_what_it_said),
		CASE(a_late_build_is_ended_and_the_other_one_is_not),
		CASE(of_a_flood_the_end_is_kept),
		CASE(what_a_build_leaves_running_does_not_hold_it_up),
		CASE(nobody_waits_for_a_build_once_told_to_stop),
		CASE(one_side_is_built_alone),
		CASE(the_build_finds_duel_h_by_its_environment),
		cmocka_unit_test(the_first_error_of_a_log_is_its_reason),
	};

	return cmocka_run_group_tests(tests, probe, NULL);
}
