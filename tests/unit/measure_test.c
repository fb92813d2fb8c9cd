#include "tests/workers/fake_sandbox.h"
#include "tests/workers/test_launch.h"

#include "runner/decide.h"
#include "runner/measure.h"
#include "runner/processor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/time.h>

#include <cmocka.h>

#define BENCHMARKS 2

static struct err err;
static struct test_launch tests[2];
static struct side sides[2];
static struct side_source sources[2];
static struct plan plan;
static struct plan_benchmark planned[BENCHMARKS];
static struct report report;
static struct log quiet;
static volatile sig_atomic_t stop;
static struct measure measure;

/* Of the processor, as the test wants it: visits whose host steals, from the first one on. */
static unsigned visits_stolen, reads;
/* Of the linker: layouts from .. before `until` are unusable. */
static unsigned fails_from, fails_until;

int processor_pin(struct processor_pin *pin, int cpu, struct err *error)
{
	(void)cpu;
	(void)error;
	*pin = (struct processor_pin){.is_pinned = false};
	return 0;
}

void processor_unpin(struct processor_pin *pin)
{
	(void)pin;
}

unsigned processor_count(void)
{
	return 1;
}

int processor_nth(unsigned n)
{
	(void)n;
	return 0;
}

/* Read before and after each visit: 10 ticks, half of them stolen or none. */
void processor_read_ticks(struct processor_ticks *ticks, int cpu)
{
	unsigned visit = reads / 2, after = reads % 2;
	unsigned stolen = visit < visits_stolen ? visit : visits_stolen;

	(void)cpu;
	reads++;
	ticks->all = (uint64_t)10 * (visit + after);
	ticks->stolen = (uint64_t)5 * (stolen + (after && visit < visits_stolen));
}

void processor_parse_ticks(struct processor_ticks *ticks, const char *text, int cpu)
{
	(void)ticks;
	(void)text;
	(void)cpu;
}

int layout_link_start(
	struct layout_side *side, unsigned number, struct layout_set *set, struct err *error)
{
	(void)side;
	(void)error;
	*set = (struct layout_set){.number = number};
	return 0;
}

int layout_link_finish(struct layout_side *side, struct layout_set *set, struct err *error)
{
	(void)side;
	if (set->number >= fails_from && set->number < fails_until)
		return err_set(error, ERR_BUILD, "prog: link %u failed", set->number);
	return 0;
}

void layout_set_release(struct layout_set *set)
{
	memset(set, 0, sizeof(*set));
}

static const char *const names[BENCHMARKS] = {"first", "second"};

static void make_side(size_t index, const char *what, const char *detail)
{
	struct side *side = &sides[index];

	test_launch_make(&tests[index], "misbehaving", what, detail);
	tests[index].launch.side = index ? "candidate" : "baseline";
	sources[index] = (struct side_source){.launch = tests[index].launch};
	sources[index].launch.argv = tests[index].argv;
	*side = (struct side){.sources = &sources[index], .sources_count = 1};
	for (size_t i = 0; i < BENCHMARKS; i++) {
		struct worker_benchmark *listed = worker_list_add(&sources[index].list, &err);

		assert_non_null(listed);
		(void)snprintf(listed->name, sizeof(listed->name), "%s", names[i]);
	}
	assert_int_equal(mappings_scan_tree(&side->tree, tests[index].tree, &err), 0);
}

/* An honest baseline, and a candidate that does `what`. */
static void make(const char *what, const char *detail)
{
	make_side(0, "honest", "");
	make_side(1, what, detail);
	report_init(&report);
	report.seed = 7;
	report.machine.cores = 1;
	report.limits.cpu = 1.02;
	report.limits.across = 1.005;
	report.limits.confidence = 0.99;
	for (size_t i = 0; i < BENCHMARKS; i++) {
		struct report_benchmark *benchmark;

		planned[i] = (struct plan_benchmark){
			.name = names[i], .id = {(uint32_t)i, (uint32_t)i}};
		assert_int_equal(report_add_benchmark(&report, &benchmark, &err), 0);
		assert_int_equal(report_set(&benchmark->name, names[i], 100, &err), 0);
		benchmark->verdict = VERDICT_UNSETTLED;
		benchmark->limit = 1.02;
		benchmark->alpha = 0.005;
		benchmark->pairs_min = MEASURE_PAIRS_MIN;
		benchmark->pairs_max = MEASURE_PAIRS_MAX;
	}
	plan = (struct plan){.benchmarks = planned, .count = BENCHMARKS};
	stop = 0;
	reads = visits_stolen = 0;
	fails_from = fails_until = 0;
	measure = (struct measure){.report = &report,
		.plan = &plan,
		.sides = sides,
		.varied = true,
		.budget_s = 20,
		.log = &quiet,
		.stop = &stop};
}

static int run(void)
{
	unsigned left;
	int result = measure_run(&measure, &err);

	for (size_t i = 0; i < 2; i++) {
		struct err ignored;

		assert_int_equal(sandbox_population(&tests[i].cell, &left, &ignored), 0);
		assert_int_equal(left, 0);
	}
	while (waitpid(-1, NULL, WNOHANG) > 0)
		continue;
	return result;
}

static void run_well(void)
{
	if (run() < 0)
		fail_msg("%s", err.text);
	assert_int_equal(decide_report(&report, &err), 0);
}

static void release(void)
{
	report_release(&report);
	for (size_t i = 0; i < 2; i++) {
		worker_list_release(&sources[i].list);
		mappings_tree_release(&sides[i].tree);
	}
}

static bool is_noted(const char *text)
{
	for (size_t i = 0; report.notes[i]; i++) {
		if (strstr(report.notes[i], text))
			return true;
	}
	return false;
}

static void twice_the_work_is_slower_and_shown_as_medians(void **state)
{
	(void)state;
	make("slow", "");
	run_well();
	for (size_t i = 0; i < BENCHMARKS; i++) {
		const struct report_benchmark *benchmark = &report.benchmarks[i];

		assert_int_equal(benchmark->verdict, VERDICT_SLOWER);
		assert_true(benchmark->confirmed);
		assert_in_range(benchmark->pairs_count, 16, 64);
		assert_true(benchmark->nulls_count > 0);
		assert_true(benchmark->candidate_ns > 1.6 * benchmark->baseline_ns);
		assert_true(benchmark->candidate_ns < 2.4 * benchmark->baseline_ns);
		assert_true(benchmark->baseline_wall_ns > 0.9 * benchmark->baseline_ns);
	}
	assert_int_equal(report.across_verdict, VERDICT_SLOWER);
	assert_null(report.notes[0]);
	release();
}

static void the_time_of_the_pass_is_accounted_for(void **state)
{
	uint64_t start_ns = io_now_ns();
	const struct report_time *time = &report.time;
	double wall_s, sum_s;

	(void)state;
	make("slow", "");
	run_well();
	wall_s = io_seconds_since(start_ns);
	sum_s = time->links + time->starts + time->setup + time->warmup + time->samples +
		time->handover;
	assert_true(sum_s < wall_s && sum_s > 0.9 * wall_s);
	assert_true(time->samples > 0 && time->warmup > 0 && time->starts > 0);
	release();
}

static void a_visit_the_host_stole_from_is_taken_again(void **state)
{
	(void)state;
	make("slow", "");
	visits_stolen = 2;
	run_well();
	assert_true(is_noted("2 visits were measured again: the host took more than 20 %"));
	assert_int_equal(report.benchmarks[0].visits[0], 0);
	assert_int_equal(report.benchmarks[0].visits[1], 1);
	assert_true(report.machine.steal > 0);
	release();
}

static void a_host_that_always_steals_does_not_hold_up(void **state)
{
	uint32_t pairs;

	(void)state;
	make("slow", "");
	visits_stolen = 100000;
	run_well();
	pairs = report.benchmarks[0].pairs_count;
	assert_in_range(pairs, 16, 64);
	assert_true(is_noted(" visits were measured again"));
	/* Each visit, the nulls too, at most three times. */
	assert_true(reads / 2 <= 3 * (pairs + report.benchmarks[0].nulls_count));
	assert_true(reads / 2 > 2 * pairs);
	release();
}

static void an_unusable_layout_costs_nothing_but_itself(void **state)
{
	(void)state;
	make("slow", "");
	fails_from = 1;
	fails_until = 3;
	run_well();
	assert_int_equal(report.benchmarks[0].verdict, VERDICT_SLOWER);
	assert_int_equal(report.benchmarks[0].layout, LAYOUT_VARIED);
	assert_null(report.notes[0]);
	release();
}

static void without_any_layout_the_build_s_own_is_measured(void **state)
{
	(void)state;
	make("slow", "");
	fails_until = 100;
	run_well();
	assert_int_equal(report.benchmarks[0].layout, LAYOUT_FIXED);
	assert_string_equal(report.benchmarks[1].layout_reason,
		"3 layouts in a row could not be linked: prog: link 7 failed");
	assert_int_equal(report.benchmarks[1].pairs_max, MEASURE_PAIRS_MAX_FIXED);
	assert_true(report.benchmarks[1].pairs_count >= 16);
	assert_int_equal(report.benchmarks[1].verdict, VERDICT_UNSETTLED);
	release();
}

static void layouts_that_run_out_end_the_pass_and_keep_its_pairs(void **state)
{
	(void)state;
	make("slow", "");
	fails_from = 8;
	fails_until = 100;
	run_well();
	assert_int_equal(report.benchmarks[0].layout, LAYOUT_VARIED);
	assert_int_equal(report.benchmarks[0].pairs_count, 8);
	assert_int_equal(report.benchmarks[0].verdict, VERDICT_UNSETTLED);
	assert_true(is_noted("measuring ended early: 3 layouts in a row could not be linked"));
	release();
}

static void a_benchmark_that_fails_leaves_the_other_its_verdict(void **state)
{
	(void)state;
	make("say-error", "");
	run_well();
	assert_int_equal(report.benchmarks[0].verdict, VERDICT_ERROR);
	assert_non_null(strstr(report.benchmarks[0].reason, "\"setup\" failed: no "));
	assert_int_equal(report.benchmarks[0].pairs_count, 0);
	assert_true(report.benchmarks[1].pairs_count >= 8);
	release();
}

static void what_was_measured_before_a_worker_failed_is_kept(void **state)
{
	(void)state;
	make("crash", "quit");
	assert_int_equal(run(), -1);
	assert_int_equal(err.kind, ERR_BENCH);
	assert_non_null(strstr(err.text, "candidate: duel/bench: "));
	assert_string_equal(sides[1].tail, "about to crash\n");
	assert_int_equal(report.benchmarks[0].pairs_count, 1);
	assert_int_equal(report.benchmarks[1].pairs_count, 1);
	assert_true(report.benchmarks[1].baseline_ns > 0);
	release();
}

static void a_short_budget_ends_in_time(void **state)
{
	uint64_t start_ns = io_now_ns();

	(void)state;
	make("slow", "");
	measure.budget_s = 0.05;
	run_well();
	assert_true(io_seconds_since(start_ns) < 5);
	assert_true(report.benchmarks[0].pairs_count < 16);
	assert_int_equal(report.benchmarks[0].verdict, VERDICT_UNSETTLED);
	release();
}

static void ask_to_stop(int signal_number)
{
	(void)signal_number;
	stop = 1;
}

static void a_signal_ends_it_even_while_a_worker_hangs(void **state)
{
	const struct itimerval soon = {.it_value = {.tv_usec = 300000}};
	const struct sigaction action = {.sa_handler = ask_to_stop};
	uint64_t start_ns = io_now_ns();

	(void)state;
	make("hang", "run");
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
	run_well();
	assert_true(io_seconds_since(start_ns) < 10);
	assert_string_equal(
		report.failure, "interrupted: only what was settled until then is judged");
	assert_int_equal(report.benchmarks[0].verdict, VERDICT_UNSETTLED);
	assert_int_equal(report.benchmarks[1].verdict, VERDICT_UNSETTLED);
	release();
}

static int setup(void **state)
{
	(void)state;
	fake_setup();
	log_init(&quiet, LOG_QUIET);
	return 0;
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(twice_the_work_is_slower_and_shown_as_medians),
		cmocka_unit_test(the_time_of_the_pass_is_accounted_for),
		cmocka_unit_test(a_visit_the_host_stole_from_is_taken_again),
		cmocka_unit_test(a_host_that_always_steals_does_not_hold_up),
		cmocka_unit_test(an_unusable_layout_costs_nothing_but_itself),
		cmocka_unit_test(without_any_layout_the_build_s_own_is_measured),
		cmocka_unit_test(layouts_that_run_out_end_the_pass_and_keep_its_pairs),
		cmocka_unit_test(a_benchmark_that_fails_leaves_the_other_its_verdict),
		cmocka_unit_test(what_was_measured_before_a_worker_failed_is_kept),
		cmocka_unit_test(a_short_budget_ends_in_time),
		cmocka_unit_test(a_signal_ends_it_even_while_a_worker_hangs),
	};

	return cmocka_run_group_tests(all, setup, NULL);
}
