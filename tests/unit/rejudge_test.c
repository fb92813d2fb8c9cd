#include "tests/unit/report_simulate.h"

#include "runner/artifact/read.h"
#include "runner/artifact/write.h"
#include "runner/decide.h"
#include "runner/rejudge.h"

/* One loss of 5 % and one of 1 %, both plain to see; the caller releases it. */
static void two_losses(struct report *report)
{
	simulated_run(report);
	(void)simulated_benchmark(
		report, &(struct simulated){"five", 1.05, SIMULATED_SCATTER, 0, 60}, 1);
	(void)simulated_benchmark(
		report, &(struct simulated){"one", 1.01, SIMULATED_SCATTER, 0, 60}, 2);
	MUST(decide_report(report, &must_err));
	assert_int_equal(report->benchmarks[0].verdict, VERDICT_SLOWER);
	assert_int_equal(report->benchmarks[1].verdict, VERDICT_SAME);
	assert_int_equal(report->verdict, RUN_REGRESSED);
}

static void without_other_limits_nothing_changes(void **state)
{
	struct report report, again;

	(void)state;
	two_losses(&report);
	two_losses(&again);
	MUST(rejudge_report(&again, &(struct rejudge_limits){0}, &must_err));
	assert_same_reports(&report, &again);
	report_release(&report);
	report_release(&again);
}

static void a_looser_limit_passes_what_regressed(void **state)
{
	struct report report;

	(void)state;
	two_losses(&report);
	MUST(rejudge_report(
		&report, &(struct rejudge_limits){.cpu = 1.1, .across = 1.1}, &must_err));
	assert_int_equal(report.benchmarks[0].verdict, VERDICT_SAME);
	assert_int_equal(report.verdict, RUN_PASSED);
	assert_true(report.limits.cpu == 1.1 && report.benchmarks[1].limit == 1.1);
	assert_string_equal(report.limits.source, "duel judge (cpu 1.1, across 1.1)");
	report_release(&report);
}

static void a_tighter_limit_finds_more(void **state)
{
	struct report report;

	(void)state;
	two_losses(&report);
	MUST(report_set(&report.limits.source, "duel.json", SCHEMA_TEXT_BYTES_MAX, &must_err));
	MUST(rejudge_report(&report, &(struct rejudge_limits){.cpu = 1.005}, &must_err));
	assert_int_equal(report.benchmarks[0].verdict, VERDICT_SLOWER);
	assert_int_equal(report.benchmarks[1].verdict, VERDICT_SLOWER);
	assert_string_equal(report.limits.source, "duel judge (cpu 1.005), all else duel.json");
	report_release(&report);
}

static void across_alone_turns_the_run(void **state)
{
	struct report report;

	(void)state;
	two_losses(&report);
	MUST(rejudge_report(&report, &(struct rejudge_limits){.cpu = 1.1}, &must_err));
	assert_int_equal(report.across_verdict, VERDICT_SLOWER);
	assert_int_equal(report.verdict, RUN_REGRESSED);
	MUST(rejudge_report(&report, &(struct rejudge_limits){.across = 1.1}, &must_err));
	assert_int_equal(report.across_verdict, VERDICT_SAME);
	assert_int_equal(report.verdict, RUN_PASSED);
	report_release(&report);
}

static void more_confidence_widens_the_interval(void **state)
{
	struct report report;
	double width;

	(void)state;
	two_losses(&report);
	width = report.benchmarks[1].cpu.high - report.benchmarks[1].cpu.low;
	MUST(rejudge_report(&report, &(struct rejudge_limits){.confidence = 0.9999}, &must_err));
	assert_true(report.benchmarks[1].alpha > 0.000049 && report.benchmarks[1].alpha < 0.000051);
	assert_true(report.benchmarks[1].cpu.high - report.benchmarks[1].cpu.low > width);
	report_release(&report);
}

static void strict_decides_over_layouts_that_were_not_varied(void **state)
{
	struct report report;

	(void)state;
	two_losses(&report);
	report.benchmarks[0].layout = LAYOUT_FIXED;
	MUST(rejudge_report(
		&report, &(struct rejudge_limits){.lenient = true, .across = 1.1}, &must_err));
	assert_int_equal(report.benchmarks[0].verdict, VERDICT_UNSETTLED);
	assert_int_equal(report.verdict, RUN_PASSED);
	MUST(rejudge_report(&report, &(struct rejudge_limits){.strict = true}, &must_err));
	assert_int_equal(report.benchmarks[0].verdict, VERDICT_SLOWER);
	assert_true(report.limits.strict);
	MUST(rejudge_report(&report, &(struct rejudge_limits){.lenient = true}, &must_err));
	assert_int_equal(report.verdict, RUN_PASSED);
	assert_false(report.limits.strict);
	report_release(&report);
}

static void a_stored_run_is_judged_to_the_byte_as_it_was(void **state)
{
	AUTO_BUF bytes = {.bytes_max = SCHEMA_COMPRESSED_BYTES_MAX};
	struct report report, stored;

	(void)state;
	two_losses(&report);
	MUST(artifact_encode(&bytes, &report, &must_err));
	MUST(artifact_decode(&stored, bytes.data, bytes.length, &must_err));
	MUST(rejudge_report(&stored, &(struct rejudge_limits){0}, &must_err));
	assert_same_reports(&report, &stored);
	report_release(&report);
	report_release(&stored);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_other_limits_nothing_changes),
		cmocka_unit_test(a_looser_limit_passes_what_regressed),
		cmocka_unit_test(a_tighter_limit_finds_more),
		cmocka_unit_test(across_alone_turns_the_run),
		cmocka_unit_test(more_confidence_widens_the_interval),
		cmocka_unit_test(strict_decides_over_layouts_that_were_not_varied),
		cmocka_unit_test(a_stored_run_is_judged_to_the_byte_as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
