#include "tests/unit/report_simulate.h"

#include "runner/artifact/read.h"
#include "runner/artifact/write.h"
#include "runner/decide.h"
#include "runner/verdict.h"

static struct report_benchmark *add(
	struct report *report, const char *name, double ratio, uint32_t pairs)
{
	return simulated_benchmark(report,
		&(struct simulated){name, ratio, SIMULATED_SCATTER, 0, pairs},
		100 + report->benchmarks_count);
}

static void assert_said(
	const struct report_benchmark *benchmark, enum verdict verdict, const char *reason)
{
	assert_string_equal(verdict_name(benchmark->verdict), verdict_name(verdict));
	assert_string_equal(benchmark->reason, reason);
}

static void a_slower_benchmark_makes_the_run_regressed(void **state)
{
	struct report report;

	(void)state;
	simulated_run(&report);
	add(&report, "same", 1, 20);
	add(&report, "slower", 1.1, 20);
	add(&report, "faster", 0.9, 20);
	MUST(decide_report(&report, &must_err));
	assert_said(&report.benchmarks[0], VERDICT_SAME, "");
	assert_said(&report.benchmarks[1], VERDICT_SLOWER, "");
	assert_said(&report.benchmarks[2], VERDICT_FASTER, "");
	assert_true(report.benchmarks[1].confirmed && !report.benchmarks[0].confirmed);
	assert_true(report.benchmarks[1].cpu.low > 1.02 && report.benchmarks[1].cpu.low < 1.1);
	assert_true(report.benchmarks[1].cpu.high > 1.1 && report.benchmarks[1].cpu.high < 1.12);
	assert_true(report.benchmarks[0].smallest_loss > 1.02);
	assert_true(report.null_trusted && report.noise_floor > 0.0005);
	assert_int_equal(report.verdict, RUN_REGRESSED);
	assert_int_equal(verdict_exit_status(report.verdict), 1);
	report_release(&report);
}

static void equal_versions_pass(void **state)
{
	struct report report;

	(void)state;
	simulated_run(&report);
	for (int i = 0; i < 12; i++) {
		char name[16];

		(void)snprintf(name, sizeof(name), "b%d", i);
		add(&report, name, 1, 20);
	}
	MUST(decide_report(&report, &must_err));
	assert_int_equal(report.verdict, RUN_PASSED);
	assert_int_equal(report.across_verdict, VERDICT_SAME);
	assert_int_equal(verdict_exit_status(report.verdict), 0);
	report_release(&report);
}

static void a_small_loss_everywhere_is_found_across_the_board(void **state)
{
	struct report report;

	(void)state;
	simulated_run(&report);
	for (int i = 0; i < 12; i++) {
		char name[16];

		(void)snprintf(name, sizeof(name), "b%d", i);
		add(&report, name, 1.01, 40);
	}
	MUST(decide_report(&report, &must_err));
	for (uint32_t i = 0; i < report.benchmarks_count; i++)
		assert_said(&report.benchmarks[i], VERDICT_SAME, "");
	assert_int_equal(report.across_verdict, VERDICT_SLOWER);
	assert_true(report.across.low > 1.005 && report.across.high < 1.02);
	assert_int_equal(report.verdict, RUN_REGRESSED);
	report_release(&report);
}

static void with_one_layout_time_alone_fails_nothing(void **state)
{
	struct report_benchmark *slower, *faster;
	struct report report;

	(void)state;
	simulated_run(&report);
	slower = add(&report, "slower", 1.1, 20);
	faster = add(&report, "faster", 0.9, 20);
	slower->layout = faster->layout = LAYOUT_FIXED;
	MUST(report_set(&slower->layout_reason, "built by go", SCHEMA_TEXT_BYTES_MAX, &must_err));
	MUST(report_set(&faster->layout_reason, "built by go", SCHEMA_TEXT_BYTES_MAX, &must_err));
	MUST(decide_report(&report, &must_err));
	assert_said(slower, VERDICT_UNSETTLED,
		"layout not varied: built by go; a slowdown seen by time alone may be layout");
	assert_said(faster, VERDICT_UNSETTLED,
		"layout not varied: built by go; a gain seen by time alone may be layout");
	assert_int_equal(report.verdict, RUN_PASSED);

	report.limits.strict = true;
	MUST(decide_report(&report, &must_err));
	assert_said(slower, VERDICT_SLOWER,
		"layout not varied: built by go; strict: time alone decides");
	assert_int_equal(report.verdict, RUN_REGRESSED);

	report.limits.strict = false;
	slower->layout = LAYOUT_SHARED;
	MUST(decide_report(&report, &must_err));
	assert_said(slower, VERDICT_SLOWER, "");
	report_release(&report);
}

static void across_leaves_out_fixed_layouts_where_there_are_others(void **state)
{
	struct report report;

	(void)state;
	simulated_run(&report);
	add(&report, "varied", 1, 40);
	add(&report, "fixed", 1.1, 40)->layout = LAYOUT_FIXED;
	MUST(decide_report(&report, &must_err));
	assert_int_equal(report.across_verdict, VERDICT_SAME);
	report.benchmarks[0].layout = LAYOUT_FIXED;
	MUST(decide_report(&report, &must_err));
	assert_int_equal(report.across_verdict, VERDICT_UNSETTLED);
	assert_true(report.across.ratio > 1.04);
	assert_string_equal(report.across_reason, "layout not varied in any benchmark; a slowdown "
						  "seen by time alone may be layout");
	report_release(&report);
}

static void a_machine_that_cannot_tell_settles_nothing(void **state)
{
	struct report report;

	(void)state;
	simulated_run(&report);
	for (int i = 0; i < 4; i++) {
		char name[16];

		(void)snprintf(name, sizeof(name), "b%d", i);
		simulated_benchmark(&report,
			&(struct simulated){name, i == 0 ? 1.1 : 1, SIMULATED_SCATTER, 0.03, 40},
			(uint64_t)i);
	}
	MUST(decide_report(&report, &must_err));
	assert_false(report.null_trusted);
	assert_string_equal(report.null_reason, "baseline against baseline differs by +3.0 %, more "
						"than chance explains");
	for (uint32_t i = 0; i < report.benchmarks_count; i++)
		assert_said(&report.benchmarks[i], VERDICT_UNSETTLED,
			"this machine cannot tell: baseline against baseline differs by +3.0 %, "
			"more than chance explains");
	assert_int_equal(report.across_verdict, VERDICT_UNSETTLED);
	assert_int_equal(report.verdict, RUN_PASSED);
	report_release(&report);
}

static void two_heaps_that_do_not_agree_are_unsettled(void **state)
{
	static const struct report_benchmark benchmark = {.limit = 1.02};
	static const struct judge_result time = {.verdict = VERDICT_SLOWER, .pairs_total = 40};
	struct shape shape = {.bimodal = true, .low_ratio = 1.01, .high_ratio = 1.08};
	struct verdict_evidence evidence = {&benchmark, &time, &shape, 0, false, NULL};
	struct verdict_said said;

	(void)state;
	verdict_of_benchmark(&said, &evidence);
	assert_int_equal(said.verdict, VERDICT_UNSETTLED);
	assert_string_equal(said.reason, "bimodal: its visits fall into two heaps, at +1.0 % and "
					 "+8.0 %, which do not agree");
	shape.low_ratio = 1.03;
	verdict_of_benchmark(&said, &evidence);
	assert_int_equal(said.verdict, VERDICT_SLOWER);
	assert_string_equal(said.reason, "");
}

static void two_heaps_are_seen_in_the_pairs(void **state)
{
	struct report_benchmark *benchmark;
	struct report report;
	struct rng rng;

	(void)state;
	simulated_run(&report);
	benchmark = add(&report, "heaps", 1, 0);
	rng_seed(&rng, 4);
	for (uint32_t i = 0; i < 64; i++) {
		double centre = i % 3 == 0 ? 0.07 : -0.05;

		MUST(report_add_pair(benchmark, i,
			judge_millionths(centre + 0.001 * simulate_normal(&rng)), &must_err));
	}
	MUST(decide_report(&report, &must_err));
	assert_true(benchmark->bimodal);
	assert_int_equal(benchmark->verdict, VERDICT_UNSETTLED);
	report_release(&report);
}

static void what_is_unsettled_says_why(void **state)
{
	struct report report;

	(void)state;
	simulated_run(&report);
	add(&report, "no pair", 1, 0);
	add(&report, "few pairs", 1, 5);
	simulated_benchmark(&report, &(struct simulated){"wide", 1.02, 0.01, 0, 64}, 9);
	MUST(decide_report(&report, &must_err));
	assert_said(
		&report.benchmarks[0], VERDICT_UNSETTLED, "no pair was measured in the time given");
	assert_said(&report.benchmarks[1], VERDICT_UNSETTLED,
		"the time was over after 5 pairs, about 3 more would settle it");
	assert_said(&report.benchmarks[2], VERDICT_UNSETTLED,
		"too close to the limit to settle in 64 pairs");
	assert_int_equal(report.verdict, RUN_PASSED);
	report_release(&report);
}

static void identical_code_and_counts_only_are_not_judged_by_time(void **state)
{
	struct report report;

	(void)state;
	simulated_run(&report);
	add(&report, "identical", 1, 0)->identical = true;
	add(&report, "counts", 1.2, 20)->counts_only = true;
	MUST(decide_report(&report, &must_err));
	assert_said(&report.benchmarks[0], VERDICT_SAME, "identical code");
	assert_said(&report.benchmarks[1], VERDICT_UNSETTLED,
		"counts_only: its CPU time is shown and decides nothing");
	assert_true(report.benchmarks[1].cpu.ratio > 1.19);
	assert_int_equal(report.verdict, RUN_PASSED);
	report_release(&report);
}

static void facts_are_kept_and_an_error_fails_the_run(void **state)
{
	struct report report;

	(void)state;
	simulated_run(&report);
	add(&report, "same", 1, 20);
	add(&report, "new", 1, 0)->verdict = VERDICT_ADDED;
	add(&report, "gone", 1, 0)->verdict = VERDICT_REMOVED;
	MUST(decide_report(&report, &must_err));
	assert_int_equal(report.verdict, RUN_PASSED);
	add(&report, "broken", 1.5, 20)->verdict = VERDICT_ERROR;
	MUST(report_set(&report.benchmarks[3].reason, "candidate: crashed", 100, &must_err));
	MUST(decide_report(&report, &must_err));
	assert_int_equal(report.benchmarks[1].verdict, VERDICT_ADDED);
	assert_int_equal(report.benchmarks[2].verdict, VERDICT_REMOVED);
	assert_said(&report.benchmarks[3], VERDICT_ERROR, "candidate: crashed");
	assert_int_equal(report.verdict, RUN_FAILED);
	assert_int_equal(verdict_exit_status(report.verdict), 3);
	add(&report, "slower", 1.1, 20);
	MUST(decide_report(&report, &must_err));
	assert_int_equal(report.verdict, RUN_REGRESSED);
	report_release(&report);
}

static void a_run_that_failed_or_was_skipped_stays_so(void **state)
{
	struct report report;

	(void)state;
	simulated_run(&report);
	MUST(report_set(&report.failure, "candidate: does not build", 100, &must_err));
	report.verdict = RUN_FAILED;
	MUST(decide_report(&report, &must_err));
	assert_int_equal(report.verdict, RUN_FAILED);
	report.verdict = RUN_SKIPPED;
	MUST(decide_report(&report, &must_err));
	assert_int_equal(report.verdict, RUN_SKIPPED);
	report_release(&report);
}

static void other_limits_change_the_verdict(void **state)
{
	struct report_benchmark *benchmark;
	struct report report;

	(void)state;
	simulated_run(&report);
	benchmark = add(&report, "slower", 1.1, 40);
	MUST(decide_report(&report, &must_err));
	assert_int_equal(benchmark->verdict, VERDICT_SLOWER);
	benchmark->limit = 1.2;
	report.limits.across = 1.2;
	MUST(decide_report(&report, &must_err));
	assert_int_equal(benchmark->verdict, VERDICT_SAME);
	assert_int_equal(report.verdict, RUN_PASSED);
	report_release(&report);
}

static void encode(struct buf *bytes, const struct report *report)
{
	buf_init(bytes, SCHEMA_COMPRESSED_BYTES_MAX);
	MUST(artifact_encode(bytes, report, &must_err));
}

/* Whatever the artifact says, hostile or not, judging it twice is judging it once. */
static void a_stored_run_judged_again_is_the_same_to_the_byte(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		AUTO_BUF first, second;
		struct report report, stored;

		random_report(&report, seed);
		MUST(decide_report(&report, &must_err));
		encode(&first, &report);
		MUST(artifact_decode(&stored, first.data, first.length, &must_err));
		MUST(decide_report(&stored, &must_err));
		encode(&second, &stored);
		assert_int_equal(first.length, second.length);
		assert_memory_equal(first.data, second.data, first.length);
		report_release(&report);
		report_release(&stored);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slower_benchmark_makes_the_run_regressed),
		cmocka_unit_test(equal_versions_pass),
		cmocka_unit_test(a_small_loss_everywhere_is_found_across_the_board),
		cmocka_unit_test(with_one_layout_time_alone_fails_nothing),
		cmocka_unit_test(across_leaves_out_fixed_layouts_where_there_are_others),
		cmocka_unit_test(a_machine_that_cannot_tell_settles_nothing),
		cmocka_unit_test(two_heaps_that_do_not_agree_are_unsettled),
		cmocka_unit_test(two_heaps_are_seen_in_the_pairs),
		cmocka_unit_test(what_is_unsettled_says_why),
		cmocka_unit_test(identical_code_and_counts_only_are_not_judged_by_time),
		cmocka_unit_test(facts_are_kept_and_an_error_fails_the_run),
		cmocka_unit_test(a_run_that_failed_or_was_skipped_stays_so),
		cmocka_unit_test(other_limits_change_the_verdict),
		cmocka_unit_test(a_stored_run_judged_again_is_the_same_to_the_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
