#include "tests/unit/report_simulate.h"

#include "runner/decide.h"
#include "runner/merge.h"
#include "runner/stats/family.h"

static const char one[] = "one.zst", two[] = "two.zst";

/* A shard of two commits with `count` benchmarks of this ratio, named prefix0, prefix1, ... */
static void make_shard(struct report *shard, const char *prefix, unsigned count, double ratio)
{
	simulated_run(shard);
	MUST(report_set(&shard->baseline.commit, "aaaa", SCHEMA_NAME_BYTES_MAX, &must_err));
	MUST(report_set(&shard->candidate.commit, "bbbb", SCHEMA_NAME_BYTES_MAX, &must_err));
	shard->time.total = 2;
	for (unsigned i = 0; i < count; i++) {
		char name[40];

		(void)snprintf(name, sizeof(name), "%s%u", prefix, i);
		(void)simulated_benchmark(
			shard, &(struct simulated){name, ratio, SIMULATED_SCATTER, 0, 40}, i + 1);
	}
	MUST(decide_report(shard, &must_err));
}

/* Merge both, which are released; the caller releases the report. */
static int merge_two(
	struct report *report, struct report *first, struct report *second, struct err *err)
{
	struct merge merge;
	int result = 0;

	merge_start(&merge, report);
	if (merge_add(&merge, first, one, err) < 0 || merge_add(&merge, second, two, err) < 0 ||
		merge_end(&merge, err) < 0)
		result = -1;
	report_release(first);
	report_release(second);
	return result;
}

static void must_refuse(struct report *first, struct report *second, const char *message)
{
	struct report report;
	struct err err = {0};

	assert_int_equal(merge_two(&report, first, second, &err), -1);
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(err.text, message);
	report_release(&report);
}

static void shards_become_one_run_with_the_benchmarks_of_all(void **state)
{
	struct report first, second, report;

	(void)state;
	make_shard(&first, "a", 2, 1);
	make_shard(&second, "b", 3, 1.1);
	MUST(merge_two(&report, &first, &second, &must_err));
	MUST(decide_report(&report, &must_err));
	assert_int_equal(report.benchmarks_count, 5);
	assert_string_equal(report.benchmarks[4].name, "b2");
	assert_int_equal(report.benchmarks[0].verdict, VERDICT_SAME);
	assert_int_equal(report.benchmarks[4].verdict, VERDICT_SLOWER);
	assert_int_equal(report.verdict, RUN_REGRESSED);
	assert_true(report.time.total == 4 && report.limits.budget_s == 40);
	assert_string_equal(report.notes[0], "merged from 2 shards; times are their sums");
	assert_null(report.notes[1]);
	report_release(&report);
}

static void the_error_probability_is_the_whole_familys(void **state)
{
	struct report first, second, report;

	(void)state;
	make_shard(&first, "a", 30, 1);
	make_shard(&second, "b", 32, 1);
	MUST(merge_two(&report, &first, &second, &must_err));
	for (uint32_t i = 0; i < report.benchmarks_count; i++)
		assert_true(report.benchmarks[i].alpha == family_alpha(0.99, 62));
	assert_true(report.benchmarks[0].alpha < 0.003);
	report_release(&report);
}

static void other_versions_are_refused(void **state)
{
	struct report first, second;

	(void)state;
	make_shard(&first, "a", 1, 1);
	make_shard(&second, "b", 1, 1);
	MUST(report_set(&second.candidate.commit, "cccc", SCHEMA_NAME_BYTES_MAX, &must_err));
	must_refuse(&first, &second,
		"one.zst and two.zst are of different versions: candidate bbbb and cccc: shards of "
		"one run compare the same two commits");
	make_shard(&first, "a", 1, 1);
	make_shard(&second, "b", 1, 1);
	first.candidate.worktree = true;
	must_refuse(&first, &second,
		"one.zst and two.zst are of different versions: candidate bbbb with uncommitted "
		"changes and bbbb: shards of one run compare the same two commits");
}

static void other_limits_are_refused(void **state)
{
	struct report first, second;

	(void)state;
	make_shard(&first, "a", 1, 1);
	make_shard(&second, "b", 1, 1);
	second.limits.across = 1.01;
	must_refuse(&first, &second,
		"one.zst and two.zst have different limits: across 1.005 and 1.01: duel judge "
		"--out brings them to the same");
}

static void a_benchmark_in_two_shards_is_refused(void **state)
{
	struct report first, second;

	(void)state;
	make_shard(&first, "a", 2, 1);
	make_shard(&second, "a", 1, 1);
	must_refuse(&first, &second,
		"benchmark 'a0' is in one.zst and in two.zst: each belongs to one shard");
}

static void a_shard_that_failed_fails_the_run(void **state)
{
	struct report first, second, report;

	(void)state;
	make_shard(&first, "a", 1, 1);
	make_shard(&second, "b", 0, 1);
	second.verdict = RUN_FAILED;
	MUST(report_set(&second.failure, "candidate: no", SCHEMA_TEXT_BYTES_MAX, &must_err));
	MUST(report_set_log(&second.failure_log, "gone\n", &must_err));
	MUST(merge_two(&report, &first, &second, &must_err));
	MUST(decide_report(&report, &must_err));
	assert_int_equal(report.verdict, RUN_FAILED);
	assert_string_equal(report.failure, "two.zst: candidate: no");
	assert_string_equal(report.failure_log, "gone\n");
	report_release(&report);
}

static void only_if_all_were_skipped_the_run_is(void **state)
{
	struct report first, second, report;

	(void)state;
	for (int both = 0; both < 2; both++) {
		make_shard(&first, "a", 0, 1);
		make_shard(&second, "b", both ? 0 : 1, 1);
		first.verdict = RUN_SKIPPED;
		MUST(report_set(&first.failure, "nothing", SCHEMA_TEXT_BYTES_MAX, &must_err));
		if (both) {
			second.verdict = RUN_SKIPPED;
			MUST(report_set(
				&second.failure, "nothing", SCHEMA_TEXT_BYTES_MAX, &must_err));
		}
		MUST(merge_two(&report, &first, &second, &must_err));
		MUST(decide_report(&report, &must_err));
		assert_int_equal(report.verdict, both ? RUN_SKIPPED : RUN_PASSED);
		assert_string_equal(report.failure, both ? "nothing" : "");
		report_release(&report);
	}
}

static void notes_are_said_once_and_machines_that_differ_are_named(void **state)
{
	struct report first, second, report;

	(void)state;
	make_shard(&first, "a", 1, 1);
	make_shard(&second, "b", 1, 1);
	MUST(report_note(first.notes, &must_err, "both"));
	MUST(report_note(second.notes, &must_err, "both"));
	MUST(report_note(second.notes, &must_err, "second"));
	MUST(report_set(&second.machine.cpu, "slow", SCHEMA_NAME_BYTES_MAX, &must_err));
	MUST(report_set(&first.machine.cpu, "fast", SCHEMA_NAME_BYTES_MAX, &must_err));
	MUST(merge_two(&report, &first, &second, &must_err));
	assert_string_equal(report.notes[0], "both");
	assert_string_equal(report.notes[1],
		"two.zst ran with a processor of its own: slow; the first shard with fast");
	assert_string_equal(report.notes[2], "second");
	report_release(&report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shards_become_one_run_with_the_benchmarks_of_all),
		cmocka_unit_test(the_error_probability_is_the_whole_familys),
		cmocka_unit_test(other_versions_are_refused),
		cmocka_unit_test(other_limits_are_refused),
		cmocka_unit_test(a_benchmark_in_two_shards_is_refused),
		cmocka_unit_test(a_shard_that_failed_fails_the_run),
		cmocka_unit_test(only_if_all_were_skipped_the_run_is),
		cmocka_unit_test(notes_are_said_once_and_machines_that_differ_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
