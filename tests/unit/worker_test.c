#include "tests/workers/fake_sandbox.h"
#include "tests/workers/test_launch.h"

#include "runner/clock_check.h"
#include "runner/worker.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define WHO "candidate: duel/bench: "
#define FIRST WHO "benchmark \"first\": "
#define NOT_PROTOCOL "does not speak the worker protocol: "
#define SHORT_NS (TEST_SECOND_NS / 20)

static struct err err;
static struct worker worker;
static struct burst burst;
static char tail[CHANNEL_TAIL_BYTES + 1];

static int run_through(const struct launch *launch, const struct worker_list *expected)
{
	static const struct launch_offsets offsets = {.heap_bytes = 160};
	struct sandbox_exit exit;
	struct worker_ready ready;

	if (worker_start(&worker, launch, &offsets, -1, &err) < 0 ||
		worker_ask_list(&worker, expected, &err) < 0 ||
		worker_setup(&worker, 0, &ready, &err) < 0 ||
		worker_run(&worker, 0, 100, 2, &burst, &err) < 0 ||
		worker_teardown(&worker, 0, &err) < 0)
		return -1;
	return worker_quit(&worker, &exit, &err);
}

/* The whole life of one worker that does `what`; what is left of it ends. */
static int live(const char *what, const char *detail, bool is_hanging)
{
	struct test_launch test;
	int result;

	memset(&err, 0, sizeof(err));
	test_launch_make(&test, "misbehaving", what, detail);
	if (is_hanging)
		test.launch.patience = (struct launch_patience){
			SHORT_NS, SHORT_NS, SHORT_NS, SHORT_NS};
	result = run_through(&test.launch, NULL);
	(void)snprintf(tail, sizeof(tail), "%s", worker_tail(&worker));
	worker_release(&worker);
	assert_int_equal(sandbox_kill_all(&test.cell, &err), 0);
	return result;
}

static void expect(const char *what, const char *detail, const char *message)
{
	assert_int_equal(live(what, detail, false), -1);
	assert_string_equal(err.text, message);
	assert_int_equal(err.kind, ERR_BENCH);
}

static void an_honest_worker_is_run_through(void **state)
{
	(void)state;
	if (live("honest", "", false) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(burst.count, 2);
	assert_true(burst.inside_cpu_ns > 0);
	assert_true(burst.inside_cpu_ns <= burst.outside_cpu_ns);
	assert_true(burst.inside_wall_ns <= burst.elapsed_ns);
	assert_string_equal(tail, "");
}

static void noise_of_an_honest_worker_is_kept_apart(void **state)
{
	(void)state;
	assert_int_equal(live("noisy", "", false), 0);
	assert_string_equal(tail, "some noise\n");
}

static void a_hanging_worker_meets_its_deadline(void **state)
{
	static const struct {
		const char *command, *message;
	} cases[] = {
		{"hello", WHO
			"did not answer \"hello\" within 0.05 s: it hangs, or takes far too long"},
		{"list", WHO
			"did not answer \"list\" within 0.05 s: it hangs, or takes far too long"},
		{"setup", FIRST
			"did not answer \"setup\" within 0.05 s: it hangs, or takes far too long"},
		{"run", FIRST
			"did not answer \"run\" within 0.05 s: it hangs, or takes far too long"},
		{"quit", WHO
			"did not answer \"quit\" within 0.05 s: it hangs, or takes far too long"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		assert_int_equal(live("hang", cases[i].command, true), -1);
		assert_string_equal(err.text, cases[i].message);
	}
}

static void a_crash_is_named_by_its_signal_and_shows_its_output(void **state)
{
	(void)state;
	expect("crash", "hello", WHO "ended instead of answering \"hello\": killed by SIGSEGV");
	expect("crash", "setup", FIRST "ended instead of answering \"setup\": killed by SIGSEGV");
	expect("crash", "run", FIRST "ended instead of answering \"run\": killed by SIGSEGV");
	assert_string_equal(tail, "about to crash\n");
	expect("crash", "quit", WHO "was told to end and failed: killed by SIGSEGV");
}

static void an_early_exit_is_told_with_its_status(void **state)
{
	(void)state;
	expect("exit-early", "hello", WHO "ended instead of answering \"hello\": exit status 3");
	expect("exit-early", "run", FIRST "ended instead of answering \"run\": exit status 3");
	expect("exit-0", "run", FIRST "ended instead of answering \"run\": exit status 0");
	expect("fail-at-end", "", WHO "was told to end and failed: exit status 4");
}

static void a_closed_reply_pipe_is_no_wait_for_ever(void **state)
{
	(void)state;
	expect("close-replies", "run", FIRST "closed its reply pipe instead of answering \"run\"");
}

static void a_flood_of_output_ends_bounded(void **state)
{
	static const char message[] = FIRST
		"printed more than 1048576 bytes on its standard output and error: a worker "
		"must be quiet";

	(void)state;
	expect("flood-output", "run", message);
	assert_in_range(strlen(tail), CHANNEL_TAIL_BYTES / 2, CHANNEL_TAIL_BYTES);
	expect("flood-errors", "run", message);
}

static void a_line_without_end_is_refused(void **state)
{
	(void)state;
	expect("flood-line", "run",
		FIRST NOT_PROTOCOL "answered \"run\" with a line of more than 65536 bytes");
	expect("flood-line", "hello",
		WHO NOT_PROTOCOL "answered \"hello\" with a line of more than 65536 bytes");
}

static void other_languages_are_quoted_harmlessly(void **state)
{
	(void)state;
	expect("garbage", "setup",
		FIRST NOT_PROTOCOL "expected \"ready 0 ITEMS BYTES\", got \"?[31mready? setup\"");
	expect("garbage", "list",
		WHO NOT_PROTOCOL
		"expected \"benchmark 0 FLAGS NAME\" or \"end 0\", got \"?[31mready? list\"");
	expect("speak-other", "",
		WHO "speaks version 9 of the worker protocol; this duel knows version 1");
}

static void an_answer_nobody_asked_for_is_refused(void **state)
{
	(void)state;
	/* It answers twice: once too early, once for real. */
	expect("speak-first", "run",
		FIRST NOT_PROTOCOL
		"expected \"samples 0 2\" and 2 times \"CPU_NS WALL_NS\", got \"done 0\"");
	expect("speak-first", "setup",
		FIRST NOT_PROTOCOL "expected \"ready 0 ITEMS BYTES\", got \"done 0\"");
}

static void an_error_reply_names_the_benchmark_and_leaves_the_worker_alive(void **state)
{
	struct test_launch test;
	struct worker_ready ready;
	static const struct launch_offsets offsets;

	(void)state;
	test_launch_make(&test, "misbehaving", "say-error", "");
	assert_int_equal(worker_start(&worker, &test.launch, &offsets, -1, &err), 0);
	assert_int_equal(worker_ask_list(&worker, NULL, &err), 0);
	assert_int_equal(worker_setup(&worker, 0, &ready, &err), -1);
	assert_string_equal(err.text, FIRST "\"setup\" failed: no ?[1mroom");
	assert_true(worker.is_alive);
	assert_int_equal(worker_setup(&worker, 1, &ready, &err), 0);
	worker_release(&worker);
	assert_int_equal(sandbox_kill_all(&test.cell, &err), 0);
}

static void bad_samples_lose_the_worker(void **state)
{
	static const char expected[] = FIRST NOT_PROTOCOL
		"expected \"samples 0 2\" and 2 times \"CPU_NS WALL_NS\", got \"";

	(void)state;
	assert_int_equal(live("wrong-id", "", false), -1);
	assert_memory_equal(err.text, expected, sizeof(expected) - 1);
	assert_non_null(strstr(err.text, "got \"samples 1 2 "));
	assert_int_equal(live("too-few", "", false), -1);
	assert_memory_equal(err.text, expected, sizeof(expected) - 1);
	assert_int_equal(live("too-many", "", false), -1);
	assert_memory_equal(err.text, expected, sizeof(expected) - 1);
	assert_int_equal(live("negative", "", false), -1);
	assert_memory_equal(err.text, expected, sizeof(expected) - 1);
	assert_non_null(strstr(err.text, "samples 0 2 -"));
	assert_int_equal(live("not-a-number", "", false), -1);
	assert_non_null(strstr(err.text, "samples 0 2 fast"));
}

static void lists_are_bounded_unique_and_in_order(void **state)
{
	(void)state;
	expect("twice", "", WHO "has two benchmarks named \"first\"");
	expect("none", "", WHO "has no benchmark");
	expect("many", "", WHO "has more than 4096 benchmarks");
	expect("garbage-list", "",
		WHO NOT_PROTOCOL "expected \"benchmark 1 FLAGS NAME\" or \"end 1\","
				 " got \"benchmark 2 - second\"");
}

static void a_changed_list_is_an_error(void **state)
{
	struct test_launch test, other, longer;
	struct worker first;
	static const struct launch_offsets offsets;

	(void)state;
	test_launch_make(&test, "misbehaving", "honest", "");
	test_launch_make(&other, "misbehaving", "change-list", "");
	test_launch_make(&longer, "misbehaving", "longer-list", "");
	assert_int_equal(worker_start(&first, &test.launch, &offsets, -1, &err), 0);
	assert_int_equal(worker_ask_list(&first, NULL, &err), 0);
	assert_int_equal(run_through(&other.launch, &first.list), -1);
	assert_string_equal(err.text, WHO "changed its list between two starts: benchmark 1 was "
					  "\"second\", now \"other\"");
	worker_release(&worker);
	assert_int_equal(run_through(&longer.launch, &first.list), -1);
	assert_string_equal(
		err.text, WHO "changed its list between two starts: it had 2 benchmarks, now 3");
	worker_release(&worker);
	worker_release(&first);
	assert_int_equal(sandbox_kill_all(&test.cell, &err), 0);
}

static void a_program_that_cannot_start_is_told(void **state)
{
	(void)state;
	fake_refusal = "no cell";
	assert_int_equal(live("honest", "", false), -1);
	fake_refusal = NULL;
	assert_string_equal(err.text, WHO "no cell");
	assert_int_equal(err.kind, ERR_CONFINE);
}

static int check_clock(uint64_t inside_ns, uint64_t outside_ns)
{
	struct clock_check check = {.count = 0};
	struct clock_burst one = {inside_ns, outside_ns, 10000};

	memset(&err, 0, sizeof(err));
	for (int i = 0; i < 5; i++) {
		if (clock_check_add(&check, &one, &err) < 0)
			return -1;
	}
	return clock_check_end(&check, &err);
}

static void clocks_agree_within_two_percent_and_twenty_us(void **state)
{
	(void)state;
	assert_int_equal(check_clock(200000, 210000), 0);
	assert_int_equal(check_clock(200000, 234000), 0);
	assert_int_equal(check_clock(200000, 236000), -1);
	assert_string_equal(err.text, "the worker's own clock says 200.000 us of CPU time for a "
				      "burst, the system says 236.000 us");
	assert_int_equal(check_clock(223000, 200000), 0);
	assert_int_equal(check_clock(225000, 200000), -1);
	assert_int_equal(check_clock(100000000, 102000000), 0);
	assert_int_equal(check_clock(100000000, 102100000), -1);
	assert_int_equal(check_clock(0, 0), 0);
}

static void a_disturbed_burst_is_no_lie(void **state)
{
	struct clock_check check = {.count = 0};
	struct clock_burst good = {200000, 210000, 10000}, hit = {200000, 400000, 10000};

	(void)state;
	assert_int_equal(clock_check_add(&check, &hit, &err), 0);
	assert_int_equal(clock_check_add(&check, &good, &err), 0);
	assert_int_equal(clock_check_end(&check, &err), 0);
	assert_int_equal(clock_check_add(&check, &hit, &err), 0);
	assert_int_equal(clock_check_end(&check, &err), -1);
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
		cmocka_unit_test(an_honest_worker_is_run_through),
		cmocka_unit_test(noise_of_an_honest_worker_is_kept_apart),
		cmocka_unit_test(a_hanging_worker_meets_its_deadline),
		cmocka_unit_test(a_crash_is_named_by_its_signal_and_shows_its_output),
		cmocka_unit_test(an_early_exit_is_told_with_its_status),
		cmocka_unit_test(a_closed_reply_pipe_is_no_wait_for_ever),
		cmocka_unit_test(a_flood_of_output_ends_bounded),
		cmocka_unit_test(a_line_without_end_is_refused),
		cmocka_unit_test(other_languages_are_quoted_harmlessly),
		cmocka_unit_test(an_answer_nobody_asked_for_is_refused),
		cmocka_unit_test(an_error_reply_names_the_benchmark_and_leaves_the_worker_alive),
		cmocka_unit_test(bad_samples_lose_the_worker),
		cmocka_unit_test(lists_are_bounded_unique_and_in_order),
		cmocka_unit_test(a_changed_list_is_an_error),
		cmocka_unit_test(a_program_that_cannot_start_is_told),
		cmocka_unit_test(clocks_agree_within_two_percent_and_twenty_us),
		cmocka_unit_test(a_disturbed_burst_is_no_lie),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
