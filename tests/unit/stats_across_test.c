#include "tests/unit/stats_suite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct suite suite;

struct outcome {
	uint32_t slower, faster, same, second, replayed;
	double pairs; /* of a benchmark, mean */
};

/* Many runs of one kind; every one is replayed from its pairs alone. */
static struct outcome outcome_of(const struct suite *kind, uint32_t runs)
{
	static const struct judge_rules rules = {1.005, 0.005, 8, 64};
	struct outcome outcome = {0};
	struct rng rng;

	rng_seed(&rng, 51);
	for (uint32_t i = 0; i < runs; i++) {
		struct across_result live = {0}, replay = {0};

		memcpy(&suite, kind, sizeof(suite));
		suite_run(&suite, &rng);
		across_result(&suite.across, &live);
		across_replay(&replay, &rules, suite.series, SUITE_BENCHMARKS);
		outcome.replayed += memcmp(&live, &replay, sizeof(live)) == 0;
		outcome.slower += live.verdict == VERDICT_SLOWER;
		outcome.faster += live.verdict == VERDICT_FASTER;
		outcome.same += live.verdict == VERDICT_SAME;
		outcome.second += live.stage == 2;
		for (uint32_t b = 0; b < SUITE_BENCHMARKS; b++)
			outcome.pairs += (double)suite.series[b].count / runs / SUITE_BENCHMARKS;
	}
	return outcome;
}

static void equal_versions_raise_no_alarm(void **state)
{
	static const struct suite kind = {
		.ratio = 1, .scale = 0.003, .shared = 0.001, .mixed = true};
	struct outcome outcome = outcome_of(&kind, 1000);

	(void)state;
	assert_true(simulate_at_most("alarms of equal versions", outcome.slower, 1000, 0.0005));
	assert_true(simulate_at_most("called faster", outcome.faster, 1000, 0.0005));
	assert_true(simulate_at_least("called the same", outcome.same, 1000, 0.99));
	assert_int_equal(outcome.replayed, 1000);
}

static void the_limit_itself_is_rarely_called_slower(void **state)
{
	static const struct suite kind = {.ratio = 1.005, .scale = 0.003, .shared = 0.001};
	struct outcome outcome = outcome_of(&kind, 1000);

	(void)state;
	assert_true(simulate_at_most("slower at the limit", outcome.slower, 1000, 0.003));
}

static void visits_shared_by_all_benchmarks_are_counted_as_one(void **state)
{
	/* Were the 31 benchmarks of a visit independent, this would be nearly certain knowledge. */
	static const struct suite kind = {.ratio = 1.005, .scale = 0.0006, .shared = 0.004};
	struct outcome outcome = outcome_of(&kind, 1000);

	(void)state;
	assert_true(simulate_at_most("first findings at the limit", outcome.second, 1000, 0.03));
	assert_true(simulate_at_most("slower at the limit", outcome.slower, 1000, 0.005));
}

static void one_percent_everywhere_is_found(void **state)
{
	static const struct suite slower = {
		.ratio = 1.01, .scale = 0.003, .shared = 0.001, .mixed = true};
	static const struct suite faster = {
		.ratio = 1 / 1.01, .scale = 0.003, .shared = 0.001, .mixed = true};
	struct outcome outcome = outcome_of(&slower, 300);

	(void)state;
	assert_true(simulate_at_least("1.01 called slower", outcome.slower, 300, 0.98));
	assert_int_equal(outcome.replayed, 300);
	outcome = outcome_of(&faster, 300);
	assert_true(simulate_at_least("1/1.01 called faster", outcome.faster, 300, 0.98));
}

static void settled_benchmarks_are_measured_on_for_the_board(void **state)
{
	/* Visits that share much: with the pairs their own verdicts took, a third were unsettled,
	 * and a sixth at 1.01. */
	static const struct suite equal = {
		.ratio = 1, .scale = 0.003, .shared = 0.003, .mixed = true};
	static const struct suite slower = {
		.ratio = 1.01, .scale = 0.003, .shared = 0.003, .mixed = true};
	static const struct suite limit = {
		.ratio = 1.005, .scale = 0.003, .shared = 0.003, .mixed = true};
	struct outcome outcome = outcome_of(&equal, 500);

	(void)state;
	assert_true(simulate_at_least("equal versions called the same", outcome.same, 500, 0.98));
	assert_true(simulate_at_most("alarms of equal versions", outcome.slower, 500, 0.001));
	assert_true(outcome.pairs < 10);
	outcome = outcome_of(&slower, 300);
	assert_true(simulate_at_least("1.01 called slower", outcome.slower, 300, 0.96));
	assert_int_equal(outcome.replayed, 300);
	outcome = outcome_of(&limit, 1000);
	assert_true(simulate_at_most("slower at the limit", outcome.slower, 1000, 0.003));
}

/* One visit of two quiet benchmarks. */
static void add_visit(
	struct series *series, int32_t pairs[2][40], uint32_t visits[2][40], int32_t value)
{
	for (int b = 0; b < 2; b++) {
		uint32_t i = series[b].count++;

		pairs[b][i] = value + (int32_t)(i % 3) * 100 - 100;
		visits[b][i] = i;
	}
}

static void a_finding_needs_a_second_measurement(void **state)
{
	static const struct judge_rules rules = {1.005, 0.005, 8, 64};
	int32_t pairs[2][40];
	uint32_t visits[2][40];
	struct series series[2] = {
		{pairs[0], visits[0], 0, NULL, 0}, {pairs[1], visits[1], 0, NULL, 0}};
	struct across across;
	struct across_result result;

	(void)state;
	across_start(&across, &rules);
	for (uint32_t visit = 0; visit < 8; visit++) {
		across_result(&across, &result);
		assert_int_equal(result.pairs, 0);
		add_visit(series, pairs, visits, 10000);
		across_look(&across, series, 2, visit);
	}
	assert_true(across_wants_all(&across));
	across_look(&across, series, 2, 7);
	across_result(&across, &result);
	assert_int_equal(result.verdict, VERDICT_UNSETTLED);
	assert_int_equal(result.direction, 1);
	assert_int_equal(result.pairs, 8);
	for (uint32_t visit = 8; visit < 16; visit++) {
		assert_true(across_wants_all(&across));
		add_visit(series, pairs, visits, 12000);
		across_look(&across, series, 2, visit);
	}
	across_result(&across, &result);
	assert_int_equal(result.verdict, VERDICT_SLOWER);
	assert_true(fabs(result.ratio - exp(0.012)) < 1e-4);
	assert_false(across_wants_all(&across));
}

static void missing_visits_are_counted(void **state)
{
	static const struct judge_rules rules = {1.005, 0.005, 8, 64};
	struct across across;

	(void)state;
	across_start(&across, &rules);
	assert_int_equal(across_visits_missing(&across, 20), UINT32_MAX);
	/* Four times the visits halve the interval. */
	across.pairs = 10;
	across.centre = 0;
	across.low = -2 * log(1.005);
	across.high = 2 * log(1.005);
	assert_int_equal(across_visits_missing(&across, 9), 30);
	across.centre = log(1.005) / 2;
	assert_int_equal(across_visits_missing(&across, 9), UINT32_MAX);
	/* Slower needs as many again for its second measurement. */
	across.low = log(1.005);
	across.high = 3 * log(1.005);
	across.centre = 2 * log(1.005);
	assert_int_equal(across_visits_missing(&across, 9), 11);
	across.confirm.stage = 2;
	across.first_visit = 10;
	assert_int_equal(across_visits_missing(&across, 9), 8);
	assert_int_equal(across_visits_missing(&across, 16), 1);
	across.confirm.settled = true;
	assert_int_equal(across_visits_missing(&across, 9), 0);
}

static void it_waits_for_the_benchmark_that_has_least(void **state)
{
	static const struct judge_rules rules = {1.005, 0.005, 8, 64};
	int32_t pairs[2][40];
	uint32_t visits[2][40];
	struct series series[2] = {
		{pairs[0], visits[0], 0, NULL, 0}, {pairs[1], visits[1], 0, NULL, 0}};
	struct across across;
	struct across_result result;

	(void)state;
	across_start(&across, &rules);
	for (uint32_t visit = 0; visit < 20; visit++)
		add_visit(series, pairs, visits, 0);
	series[1].count = 7;
	across_look(&across, series, 2, 19);
	across_result(&across, &result);
	assert_false(result.settled);
	series[1].count = 8;
	across_look(&across, series, 2, 19);
	across_result(&across, &result);
	assert_int_equal(result.verdict, VERDICT_SAME);
	assert_int_equal(result.pairs, 8);
	across_replay(&result, &rules, series, 0);
	assert_false(result.settled);
}

static void hostile_visit_numbers_are_survived(void **state)
{
	static const struct judge_rules rules = {1.005, 0.005, 8, 64};
	static int32_t pairs[2000];
	static uint32_t visits[2000];
	struct series series = {pairs, visits, 2000, NULL, 0};
	struct across_result result;

	(void)state;
	for (uint32_t i = 0; i < 2000; i++) {
		pairs[i] = i % 2 ? INT32_MAX : INT32_MIN;
		visits[i] = i % 3 ? UINT32_MAX - i : i * 7919 % 1500;
	}
	across_replay(&result, &rules, &series, 1);
	assert_int_not_equal(result.verdict, VERDICT_SLOWER);
	assert_int_not_equal(result.verdict, VERDICT_FASTER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_versions_raise_no_alarm),
		cmocka_unit_test(the_limit_itself_is_rarely_called_slower),
		cmocka_unit_test(visits_shared_by_all_benchmarks_are_counted_as_one),
		cmocka_unit_test(one_percent_everywhere_is_found),
		cmocka_unit_test(settled_benchmarks_are_measured_on_for_the_board),
		cmocka_unit_test(missing_visits_are_counted),
		cmocka_unit_test(a_finding_needs_a_second_measurement),
		cmocka_unit_test(it_waits_for_the_benchmark_that_has_least),
		cmocka_unit_test(hostile_visit_numbers_are_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
