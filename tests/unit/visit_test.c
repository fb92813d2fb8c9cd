#include "tests/workers/fake_sandbox.h"
#include "tests/workers/test_launch.h"

#include "runner/pace.h"
#include "runner/processor.h"
#include "runner/visit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define WHO "candidate: duel/bench: "

static struct err err;
static struct test_launch tests[VISIT_SIDES];
static struct visit_benchmark benchmarks[2];
static struct visit_plan plan;
static struct visit_totals totals;
static struct visit_failure failure;
static struct rng rng;

/* A plan of an honest baseline and a candidate that does `what`. */
static void make_plan(const char *what, const char *detail)
{
	test_launch_make(&tests[VISIT_BASELINE], "misbehaving", "honest", "");
	test_launch_make(&tests[VISIT_CANDIDATE], "misbehaving", what, detail);
	tests[VISIT_BASELINE].launch.side = "baseline";
	for (size_t i = 0; i < ARRAY_LENGTH(benchmarks); i++) {
		benchmarks[i] = (struct visit_benchmark){
			.name = i ? "second" : "first",
			.id = {i, i},
			.pace = {.iterations = 150, .samples = 4, .alternations = 8, .warmups = 8},
		};
	}
	plan = (struct visit_plan){
		.launches = {&tests[VISIT_BASELINE].launch, &tests[VISIT_CANDIDATE].launch},
		.benchmarks = benchmarks,
		.count = 2,
		.cpu = 0,
		.same_addresses = launch_can_fix_addresses(),
		.careful = true,
	};
	memset(&totals, 0, sizeof(totals));
	memset(&err, 0, sizeof(err));
}

static void expect_nothing_left(void)
{
	unsigned count;

	for (int i = 0; i < VISIT_SIDES; i++) {
		assert_int_equal(sandbox_population(&tests[i].cell, &count, &err), 0);
		assert_int_equal(count, 0);
	}
	while (waitpid(-1, NULL, WNOHANG) > 0)
		continue;
}

static int visit(void)
{
	struct err ignored = err;
	int result = visit_run(&plan, &rng, &totals, &failure, &err);

	ignored = err;
	expect_nothing_left();
	err = ignored;
	return result;
}

static void release(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(benchmarks); i++)
		visit_benchmark_reset(&benchmarks[i]);
	free(failure.tail);
	failure.tail = NULL;
}

static void visit_well(void)
{
	if (visit() < 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < ARRAY_LENGTH(benchmarks); i++) {
		if (benchmarks[i].outcome != VISIT_MEASURED)
			fail_msg("%s", benchmarks[i].err.text);
	}
}

static void an_honest_pair_is_measured(void **state)
{
	(void)state;
	make_plan("honest", "");
	visit_well();
	for (size_t i = 0; i < ARRAY_LENGTH(benchmarks); i++) {
		assert_in_range(benchmarks[i].millionths + 300000, 0, 600000);
		assert_true(benchmarks[i].cpu_ns[VISIT_BASELINE] > 10);
		assert_true(benchmarks[i].wall_ns[VISIT_CANDIDATE] > 10);
	}
	assert_int_equal(totals.visits, 1);
	assert_true(totals.time.samples > 0);
	assert_true(totals.time.starts > 0);
	release();
}

static void twice_the_work_has_the_ratio_two(void **state)
{
	(void)state;
	make_plan("slow", "");
	visit_well();
	assert_in_range(benchmarks[0].millionths, 500000, 900000);
	assert_in_range(benchmarks[1].millionths, 500000, 900000);
	release();
}

static void both_sides_of_a_null_share_one_cell(void **state)
{
	(void)state;
	make_plan("honest", "");
	plan.launches[VISIT_CANDIDATE] = plan.launches[VISIT_BASELINE];
	visit_well();
	release();
}

static void the_supervisor_is_unpinned_afterwards(void **state)
{
	cpu_set_t before, after;

	(void)state;
	make_plan("honest", "");
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	visit_well();
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_true(CPU_EQUAL(&before, &after));
	release();
}

static void a_crash_fails_its_benchmark_and_leaves_the_rest_unmeasured(void **state)
{
	size_t hit;

	(void)state;
	make_plan("crash", "run");
	assert_int_equal(visit(), 0);
	hit = benchmarks[0].outcome == VISIT_FAILED ? 0 : 1;
	assert_int_equal(benchmarks[hit].outcome, VISIT_FAILED);
	assert_int_equal(benchmarks[hit].failed_side, VISIT_CANDIDATE);
	assert_int_equal(benchmarks[!hit].outcome, VISIT_UNMEASURED);
	assert_non_null(
		strstr(benchmarks[hit].err.text, hit ? WHO "benchmark \"second\": ended instead of "
							   "answering \"run\": killed by SIGSEGV"
						     : WHO "benchmark \"first\": ended instead of "
							   "answering \"run\": killed by SIGSEGV"));
	assert_string_equal(benchmarks[hit].tail, "about to crash\n");
	release();
}

static void an_error_of_one_benchmark_spares_the_other(void **state)
{
	(void)state;
	make_plan("say-error", "");
	assert_int_equal(visit(), 0);
	assert_int_equal(benchmarks[0].outcome, VISIT_FAILED);
	assert_string_equal(
		benchmarks[0].err.text, WHO "benchmark \"first\": \"setup\" failed: no ?[1mroom");
	assert_int_equal(benchmarks[1].outcome, VISIT_MEASURED);
	release();
}

static void expect_lie(const char *what)
{
	static const char begin[] = WHO "benchmark \"first\": the worker's own clock says ";
	double inside_us, outside_us;
	int end = 0;

	make_plan(what, "");
	plan.count = 1;
	assert_int_equal(visit(), 0);
	assert_int_equal(benchmarks[0].outcome, VISIT_FAILED);
	assert_memory_equal(benchmarks[0].err.text, begin, sizeof(begin) - 1);
	assert_int_equal(sscanf(benchmarks[0].err.text + sizeof(begin) - 1,
				 "%lf us of CPU time for a burst, the system says %lf us%n",
				 &inside_us, &outside_us, &end),
		2);
	assert_int_equal(benchmarks[0].err.text[(int)sizeof(begin) - 1 + end], '\0');
	release();
}

static void a_worker_that_lies_about_its_time_is_found_out(void **state)
{
	(void)state;
	expect_lie("lie-low");
	expect_lie("lie-high");
}

static void a_process_left_behind_is_its_benchmark_s(void **state)
{
	(void)state;
	make_plan("daemonise", "teardown");
	plan.count = 1;
	assert_int_equal(visit(), 0);
	assert_int_equal(benchmarks[0].outcome, VISIT_FAILED);
	assert_int_equal(benchmarks[0].failed_side, VISIT_CANDIDATE);
	assert_string_equal(benchmarks[0].err.text,
		WHO "benchmark \"first\": left 1 process running: a benchmark ends what it starts");
	release();
}

static void a_process_left_at_the_end_is_the_worker_s(void **state)
{
	(void)state;
	make_plan("daemonise", "quit");
	assert_int_equal(visit(), -1);
	assert_string_equal(
		err.text, WHO "left 1 process running: a benchmark ends what it starts");
	assert_int_equal(failure.side, VISIT_CANDIDATE);
	release();
}

static void a_side_that_is_never_idle_is_an_error(void **state)
{
	(void)state;
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		skip();
	make_plan("spin", "");
	/* Long enough for the kernel's tick to show what runs elsewhere. */
	for (size_t i = 0; i < ARRAY_LENGTH(benchmarks); i++) {
		benchmarks[i].pace.iterations = 10000;
		benchmarks[i].pace.warmups = 1;
	}
	if (visit() == 0) {
		assert_int_equal(benchmarks[0].outcome, VISIT_FAILED);
		memcpy(&err, &benchmarks[0].err, sizeof(err));
		failure.side = benchmarks[0].failed_side;
	}
	assert_non_null(strstr(err.text, "was not idle while the other side was measured"));
	assert_int_equal(failure.side, VISIT_CANDIDATE);
	release();
}

static void a_worker_that_cannot_start_shows_its_output(void **state)
{
	(void)state;
	make_plan("crash", "hello");
	assert_int_equal(visit(), -1);
	assert_string_equal(
		err.text, WHO "ended instead of answering \"hello\": killed by SIGSEGV");
	assert_int_equal(failure.side, VISIT_CANDIDATE);
	assert_string_equal(failure.tail, "about to crash\n");
	release();
}

static void foreign_code_in_a_worker_is_named(void **state)
{
	static char library[] = "somewhere/libc.so";
	char *paths[] = {library};
	struct mappings_tree tree = {.root = tests[0].tree, .paths = paths, .count = 1};

	(void)state;
	make_plan("honest", "");
	plan.trees[VISIT_CANDIDATE] = &tree;
	assert_int_equal(visit(), -1);
	assert_non_null(strstr(err.text, WHO "runs /"));
	assert_non_null(strstr(err.text, "which is not its version's: the tree holds "
					 "somewhere/libc.so"));
	assert_int_equal(benchmarks[0].outcome, VISIT_MEASURED);
	release();
}

static void a_pace_is_found_for_every_benchmark(void **state)
{
	(void)state;
	make_plan("honest", "");
	if (pace_find(&plan, &rng, &failure, &err) < 0)
		fail_msg("%s", err.text);
	expect_nothing_left();
	for (size_t i = 0; i < ARRAY_LENGTH(benchmarks); i++) {
		double sample_ns = benchmarks[i].pace.iteration_ns *
				   (double)benchmarks[i].pace.iterations;

		if (benchmarks[i].outcome == VISIT_FAILED)
			fail_msg("%s", benchmarks[i].err.text);
		assert_true(sample_ns > 0.9 * PACE_SAMPLE_NS && sample_ns < 1.1 * PACE_SAMPLE_NS);
		assert_int_equal(benchmarks[i].pace.samples, 4);
		assert_int_equal(benchmarks[i].pace.alternations, 8);
	}
	release();
}

/* Lets one benchmark pass. */
static bool let_one_pass(void *payload, const struct visit_benchmark *next)
{
	unsigned *asked = payload;

	assert_non_null(next->name);
	return (*asked)++ == 0;
}

static void who_watches_can_end_a_pace_or_a_visit(void **state)
{
	unsigned asked = 0;
	const struct visit_watch watch = {.go_on = let_one_pass, .payload = &asked};

	(void)state;
	make_plan("honest", "");
	plan.watch = &watch;
	for (size_t i = 0; i < ARRAY_LENGTH(benchmarks); i++)
		benchmarks[i].pace.iterations = 0;
	assert_int_equal(pace_find(&plan, &rng, &failure, &err), 0);
	expect_nothing_left();
	assert_int_equal(asked, 2);
	assert_true(benchmarks[0].pace.iterations > 0);
	assert_true(benchmarks[1].pace.iterations == 0);
	asked = 0;
	benchmarks[1].pace = benchmarks[0].pace;
	assert_int_equal(visit(), 0);
	assert_int_equal(asked, 2);
	assert_int_equal((benchmarks[0].outcome == VISIT_MEASURED) +
				 (benchmarks[1].outcome == VISIT_MEASURED),
		1);
	assert_true(benchmarks[0].elapsed_s + benchmarks[1].elapsed_s > 0);
	release();
}

static bool is_over_after_some(void *payload)
{
	unsigned *asked = payload;

	return ++*asked > 3;
}

static bool let_all_pass(void *payload, const struct visit_benchmark *next)
{
	(void)payload;
	return next != NULL;
}

static void when_the_time_is_over_no_further_burst_is_begun(void **state)
{
	unsigned asked = 0;
	const struct visit_watch watch = {
		.go_on = let_all_pass, .is_over = is_over_after_some, .payload = &asked};

	(void)state;
	make_plan("honest", "");
	plan.watch = &watch;
	assert_int_equal(visit(), 0);
	for (size_t i = 0; i < ARRAY_LENGTH(benchmarks); i++)
		assert_int_equal(benchmarks[i].outcome, VISIT_UNMEASURED);
	assert_int_equal(asked, 5);
	asked = 0;
	assert_int_equal(pace_find(&plan, &rng, &failure, &err), 0);
	expect_nothing_left();
	assert_int_equal(asked, 4);
	for (size_t i = 0; i < ARRAY_LENGTH(benchmarks); i++)
		assert_int_equal(benchmarks[i].outcome, VISIT_UNMEASURED);
	assert_int_equal(benchmarks[0].pace.iterations, 0);
	release();
}

static void a_visit_its_host_stole_a_fifth_of_is_no_good(void **state)
{
	struct visit_totals visit = {.stolen_ticks = 3, .all_ticks = 10}, sum = {.visits = 0};

	(void)state;
	assert_true(visit_is_stolen(&visit));
	visit.stolen_ticks = 2;
	assert_false(visit_is_stolen(&visit));
	/* One tick of three may belong to the time before. */
	assert_false(visit_is_stolen(&(struct visit_totals){.stolen_ticks = 1, .all_ticks = 3}));
	assert_false(visit_is_stolen(&(struct visit_totals){.stolen_ticks = 0, .all_ticks = 0}));
	visit.time.samples = 1.5;
	visit_totals_add(&sum, &visit);
	visit_totals_add(&sum, &visit);
	assert_int_equal(sum.stolen_ticks, 4);
	assert_int_equal(sum.all_ticks, 20);
	assert_true(visit_time_sum(&sum.time) > 2.9 && visit_time_sum(&sum.time) < 3.1);
}

static void a_pace_goes_on_behind_a_benchmark_that_fails(void **state)
{
	(void)state;
	make_plan("honest", "");
	tests[VISIT_BASELINE].argv[1] = "lie-low";
	assert_int_equal(pace_find(&plan, &rng, &failure, &err), 0);
	expect_nothing_left();
	assert_int_equal(benchmarks[0].outcome, VISIT_FAILED);
	assert_int_equal(benchmarks[1].outcome, VISIT_FAILED);
	assert_non_null(strstr(benchmarks[1].err.text,
		"baseline: duel/bench: benchmark \"second\": the worker's own clock says "));
	release();
}

static void long_work_is_repeated_less(void **state)
{
	struct visit_pace pace = pace_of_worker(1000, 1000);

	(void)state;
	assert_int_equal(pace.iterations, 50);
	assert_int_equal(pace.samples, 4);
	assert_int_equal(pace.alternations, 8);
	pace = pace_of_worker(0.001, 0.001);
	assert_int_equal(pace.iterations, 50000000);
	pace = pace_of_worker(1e-9, 1e-9);
	assert_true(pace.iterations == UINT32_MAX);
	pace = pace_of_worker(5e6, 5e6);
	assert_int_equal(pace.iterations, 1);
	assert_int_equal(pace.samples, 1);
	assert_int_equal(pace.alternations, 8);
	pace = pace_of_worker(60e6, 60e6);
	assert_int_equal(pace.samples, 1);
	assert_int_equal(pace.alternations, 2);
	/* What waits is bounded by its wall time. */
	pace = pace_of_worker(1000, 40e6);
	assert_int_equal(pace.iterations, 6);
	assert_int_equal(pace.samples, 1);
	assert_int_equal(pace.alternations, 2);
	assert_int_equal(pace.warmups, 1);
	assert_int_equal(pace_of_worker(1000, 200e6).iterations, 1);
	assert_int_equal(pace_of_command(1e6).alternations, 8);
	assert_int_equal(pace_of_command(1e9).alternations, 1);
	assert_int_equal(pace_of_command(1e9).warmups, 0);
}

static void stolen_ticks_are_read_per_processor(void **state)
{
	static const char text[] = "cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 1 1 1 1 1 1 1 0 0\n"
				   "cpu10 1 2 3 4 5 6 7 9 0 0\nintr 5\n";
	struct processor_ticks ticks;

	(void)state;
	processor_parse_ticks(&ticks, text, 10);
	assert_int_equal(ticks.stolen, 9);
	assert_int_equal(ticks.all, 37);
	processor_parse_ticks(&ticks, text, -1);
	assert_int_equal(ticks.stolen, 8);
	processor_parse_ticks(&ticks, text, 1);
	assert_int_equal(ticks.all, 0);
}

static int setup(void **state)
{
	(void)state;
	fake_setup();
	rng_seed(&rng, 1);
	return 0;
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(an_honest_pair_is_measured),
		cmocka_unit_test(twice_the_work_has_the_ratio_two),
		cmocka_unit_test(both_sides_of_a_null_share_one_cell),
		cmocka_unit_test(the_supervisor_is_unpinned_afterwards),
		cmocka_unit_test(a_crash_fails_its_benchmark_and_leaves_the_rest_unmeasured),
		cmocka_unit_test(an_error_of_one_benchmark_spares_the_other),
		cmocka_unit_test(a_worker_that_lies_about_its_time_is_found_out),
		cmocka_unit_test(a_process_left_behind_is_its_benchmark_s),
		cmocka_unit_test(a_process_left_at_the_end_is_the_worker_s),
		cmocka_unit_test(a_side_that_is_never_idle_is_an_error),
		cmocka_unit_test(a_worker_that_cannot_start_shows_its_output),
		cmocka_unit_test(foreign_code_in_a_worker_is_named),
		cmocka_unit_test(a_pace_is_found_for_every_benchmark),
		cmocka_unit_test(a_pace_goes_on_behind_a_benchmark_that_fails),
		cmocka_unit_test(who_watches_can_end_a_pace_or_a_visit),
		cmocka_unit_test(when_the_time_is_over_no_further_burst_is_begun),
		cmocka_unit_test(a_visit_its_host_stole_a_fifth_of_is_no_good),
		cmocka_unit_test(long_work_is_repeated_less),
		cmocka_unit_test(stolen_ticks_are_read_per_processor),
	};

	return cmocka_run_group_tests(all, setup, NULL);
}
