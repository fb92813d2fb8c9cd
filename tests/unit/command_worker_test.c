#include "tests/workers/fake_sandbox.h"
#include "tests/workers/test_launch.h"

#include "runner/pace.h"
#include "runner/runnable.h"
#include "runner/visit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define WHO "candidate: benchmark \"cli\": "

static struct err err;
static struct test_launch test;
static struct runnable runnable;
static struct burst burst;
static const struct launch_offsets offsets = {.environment_bytes = 160};

/* A shell's command line as the benchmark. */
static void make(const char *line)
{
	test_launch_make(&test, "unused", NULL, NULL);
	test.argv[0] = "sh";
	test.argv[1] = "-c";
	test.argv[2] = line;
	test.launch.kind = LAUNCH_COMMAND;
	test.launch.name = "cli";
	memset(&err, 0, sizeof(err));
}

static int run_made(size_t count)
{
	if (runnable_start(&runnable, &test.launch, &offsets, -1, &err) < 0 ||
		runnable_ask_list(&runnable, NULL, &err) < 0)
		return -1;
	return runnable_run(&runnable, 0, 1, count, &burst, &err);
}

static void end(void)
{
	runnable_release(&runnable);
	assert_int_equal(sandbox_kill_all(&test.cell, &err), 0);
}

static void a_command_is_one_benchmark(void **state)
{
	(void)state;
	make("exit 0");
	assert_int_equal(run_made(3), 0);
	assert_int_equal(runnable_list(&runnable)->count, 1);
	assert_string_equal(runnable_list(&runnable)->items[0].name, "cli");
	assert_int_equal(burst.count, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_true(burst.samples[i].cpu_ns > 0);
		assert_true(burst.samples[i].wall_ns > 0);
	}
	end();
}

static void every_run_reads_the_whole_text(void **state)
{
	(void)state;
	make("test \"$(cat)\" = 'some text'");
	test.launch.stdin_text = "some text";
	if (run_made(2) < 0)
		fail_msg("%s", err.text);
	end();
	make("test -z \"$(cat)\"");
	assert_int_equal(run_made(1), 0);
	end();
}

static void a_command_cannot_change_what_the_next_one_reads(void **state)
{
	(void)state;
	make("echo other 2>&- 1<>/proc/self/fd/0; test \"$(cat)\" = 'some text'");
	test.launch.stdin_text = "some text";
	if (run_made(2) < 0)
		fail_msg("%s", err.text);
	end();
}

static void a_failing_command_shows_its_errors(void **state)
{
	(void)state;
	make("echo lost; echo no such file >&2; exit 3");
	assert_int_equal(run_made(1), -1);
	assert_string_equal(err.text, WHO "the command failed: exit status 3");
	assert_string_equal(runnable_tail(&runnable), "no such file\n");
	end();
	make("kill -SEGV $$");
	assert_int_equal(run_made(1), -1);
	assert_string_equal(err.text, WHO "the command failed: killed by SIGSEGV");
	end();
}

static void a_hanging_command_meets_its_deadline(void **state)
{
	(void)state;
	make("sleep 100");
	test.launch.patience.burst_ns = TEST_SECOND_NS / 20;
	assert_int_equal(run_made(1), -1);
	assert_string_equal(
		err.text, WHO "did not end within 0.05 s: it hangs, or takes far too long");
	assert_false(runnable_is_alive(&runnable));
	end();
}

static void a_flood_of_errors_ends_bounded(void **state)
{
	(void)state;
	make("yes >&2");
	assert_int_equal(run_made(1), -1);
	assert_string_equal(err.text, WHO
		"printed more than 1048576 bytes on its standard error: a command must be quiet");
	end();
}

static void a_flood_of_output_is_thrown_away(void **state)
{
	(void)state;
	make("head -c 3000000 /dev/zero");
	assert_int_equal(run_made(1), 0);
	assert_string_equal(runnable_tail(&runnable), "");
	end();
}

static void a_command_is_paced_and_visited(void **state)
{
	struct visit_benchmark benchmark = {.name = "cli"};
	struct visit_plan plan = {
		.launches = {&test.launch, &test.launch},
		.benchmarks = &benchmark,
		.count = 1,
		.cpu = 0,
		.careful = true,
	};
	struct visit_totals totals = {.visits = 0};
	struct visit_failure failure;
	struct rng rng;

	(void)state;
	make("exit 0");
	rng_seed(&rng, 1);
	assert_int_equal(pace_find(&plan, &rng, &failure, &err), 0);
	assert_int_equal(benchmark.pace.iterations, 1);
	assert_int_equal(visit_run(&plan, &rng, &totals, &failure, &err), 0);
	if (benchmark.outcome != VISIT_MEASURED)
		fail_msg("%s", benchmark.err.text);
	assert_true(benchmark.cpu_ns[VISIT_BASELINE] > 1000);
	make("sleep 100 & exit 0");
	assert_int_equal(visit_run(&plan, &rng, &totals, &failure, &err), 0);
	assert_int_equal(benchmark.outcome, VISIT_FAILED);
	assert_non_null(strstr(benchmark.err.text, "running: a benchmark ends what it starts"));
	visit_benchmark_reset(&benchmark);
}

static int setup(void **state)
{
	(void)state;
	fake_setup();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_is_one_benchmark),
		cmocka_unit_test(every_run_reads_the_whole_text),
		cmocka_unit_test(a_command_cannot_change_what_the_next_one_reads),
		cmocka_unit_test(a_failing_command_shows_its_errors),
		cmocka_unit_test(a_hanging_command_meets_its_deadline),
		cmocka_unit_test(a_flood_of_errors_ends_bounded),
		cmocka_unit_test(a_flood_of_output_is_thrown_away),
		cmocka_unit_test(a_command_is_paced_and_visited),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
