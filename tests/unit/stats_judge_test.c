#include "runner/stats/family.h"
#include "runner/stats/judge.h"
#include "runner/stats/student.h"
#include "runner/stats/verdict.h"
#include "tests/unit/stats_simulate.h"

#include "sandbox/base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct judge_rules rules = {1.02, 0.005, 8, 64};

/* Add `count` quiet visits about `ratio`, 0.02 % apart. */
static void add_quiet(struct judge *judge, double ratio, int count)
{
	for (int i = 0; i < count; i++)
		judge_add(judge, judge_millionths(log(ratio)) + 100 * (i % 5 - 2));
}

static struct judge_result result_of(const struct judge *judge)
{
	struct judge_result result;

	judge_result(judge, &result);
	return result;
}

static void nothing_is_known_before_the_second_pair(void **state)
{
	struct judge judge;
	struct judge_result result;

	(void)state;
	judge_start(&judge, &rules);
	judge_add(&judge, 5000);
	result = result_of(&judge);
	assert_int_equal(result.verdict, VERDICT_UNSETTLED);
	assert_false(result.settled);
	assert_int_equal(result.pairs_total, 1);
	assert_int_equal(result.pairs, 0);
	assert_true(result.ratio == 0 && result.ratio_low == 0 && result.ratio_high == 0);
	assert_true(result.smallest_loss_ratio == 0 && result.noise == 0);
}

static void no_verdict_falls_before_the_least_number_of_pairs(void **state)
{
	struct judge judge;

	(void)state;
	judge_start(&judge, &rules);
	add_quiet(&judge, 1.0, 7);
	assert_false(result_of(&judge).settled);
	add_quiet(&judge, 1.0, 1);
	assert_int_equal(result_of(&judge).verdict, VERDICT_SAME);
	assert_true(result_of(&judge).settled);
}

static void slower_needs_a_second_measurement(void **state)
{
	struct judge judge;
	struct judge_result result;

	(void)state;
	judge_start(&judge, &rules);
	add_quiet(&judge, 1.05, 8);
	result = result_of(&judge);
	assert_false(result.settled);
	assert_int_equal(result.verdict, VERDICT_UNSETTLED);
	assert_int_equal(result.stage, 2);
	assert_int_equal(result.direction, 1);
	/* Until stage 2 has pairs of its own the figures are those of stage 1. */
	assert_int_equal(result.pairs, 8);
	assert_int_equal(result.pairs_first, 0);
	add_quiet(&judge, 1.06, 7);
	assert_false(result_of(&judge).settled);
	assert_true(fabs(result_of(&judge).ratio - 1.05) < 0.001);
	add_quiet(&judge, 1.06, 1);
	result = result_of(&judge);
	assert_int_equal(result.verdict, VERDICT_SLOWER);
	assert_int_equal(result.pairs_first, 8);
	assert_int_equal(result.pairs_total, 16);
	/* Stage 2 has forgotten stage 1. */
	assert_true(fabs(result.ratio - 1.06) < 0.0005);
	assert_true(result.ratio_low > 1.055 && result.ratio_high < 1.065);
}

static void a_finding_that_is_not_met_again_is_the_same(void **state)
{
	struct judge judge;

	(void)state;
	judge_start(&judge, &rules);
	add_quiet(&judge, 1.05, 8);
	add_quiet(&judge, 1.0, 8);
	assert_int_equal(result_of(&judge).verdict, VERDICT_SAME);
}

static void faster_needs_a_second_measurement_too(void **state)
{
	struct judge judge;

	(void)state;
	judge_start(&judge, &rules);
	add_quiet(&judge, 0.95, 8);
	assert_false(result_of(&judge).settled);
	assert_int_equal(result_of(&judge).direction, -1);
	add_quiet(&judge, 0.95, 8);
	assert_int_equal(result_of(&judge).verdict, VERDICT_FASTER);
}

static void opposite_findings_are_the_same(void **state)
{
	struct judge judge;

	(void)state;
	judge_start(&judge, &rules);
	add_quiet(&judge, 1.05, 8);
	add_quiet(&judge, 0.95, 8);
	assert_int_equal(result_of(&judge).verdict, VERDICT_SAME);
	judge_start(&judge, &rules);
	add_quiet(&judge, 0.95, 8);
	add_quiet(&judge, 1.05, 8);
	assert_int_equal(result_of(&judge).verdict, VERDICT_SAME);
}

static void the_rank_bound_holds_back_what_the_scale_hides(void **state)
{
	/* Seven visits agree so well that the eighth looks like an accident; ranks cannot say so.
	 */
	static const int32_t pairs[] = {60000, 60100, 60200, 60300, 60400, 60500, 60600, -5000};
	struct judge judge;
	struct huber huber;
	double logs[ARRAY_LENGTH(pairs)];

	(void)state;
	judge_start(&judge, &rules);
	for (size_t i = 0; i < ARRAY_LENGTH(pairs); i++) {
		logs[i] = pairs[i] * 1e-6;
		judge_add(&judge, pairs[i]);
	}
	huber_estimate(&huber, logs, ARRAY_LENGTH(pairs));
	assert_true(huber.location - student_quantile(0.005, 7) * huber.error > log(1.02));
	assert_int_equal(result_of(&judge).stage, 1);
	assert_true(fabs(result_of(&judge).ratio_low - exp(-0.005)) < 1e-12);
	judge_start(&judge, &rules);
	for (size_t i = 0; i < ARRAY_LENGTH(pairs); i++)
		judge_add(&judge, -pairs[i]);
	assert_int_equal(result_of(&judge).stage, 1);
	assert_true(fabs(result_of(&judge).ratio_high - exp(0.005)) < 1e-12);
}

static void same_waits_for_the_rank_bound_too(void **state)
{
	/* Five visits agree exactly, three are far above the limit. */
	static const int32_t pairs[] = {0, 60000, 0, 0, 60000, 0, 60000, 0};
	struct judge judge;

	(void)state;
	judge_start(&judge, &rules);
	for (size_t i = 0; i < ARRAY_LENGTH(pairs); i++)
		judge_add(&judge, pairs[i]);
	assert_false(result_of(&judge).settled);
	assert_true(result_of(&judge).ratio_high > 1.05);
}

static void an_alpha_too_small_for_the_pairs_leaves_it_unsettled(void **state)
{
	const struct judge_rules strict = {1.02, 0.001, 8, 8};
	struct judge judge;

	(void)state;
	judge_start(&judge, &strict);
	add_quiet(&judge, 1.05, 300);
	assert_true(result_of(&judge).settled);
	assert_int_equal(result_of(&judge).verdict, VERDICT_UNSETTLED);
	assert_int_equal(result_of(&judge).pairs_total, 8);
}

/* Add `count` visits about `ratio`, spread over `reach` millionths to either side. */
static void add_spread(struct judge *judge, double ratio, int32_t reach, int count)
{
	for (int i = 0; i < count; i++)
		judge_add(judge, judge_millionths(log(ratio)) + reach * (3 * i % 8 * 2 - 7) / 7);
}

static void rather_fast_is_the_same_only_after_twice_the_least(void **state)
{
	struct judge judge;

	(void)state;
	judge_start(&judge, &rules);
	/* All below the limit, yet it reaches below the reciprocal. */
	add_spread(&judge, 0.982, 12000, 15);
	assert_true(result_of(&judge).ratio_high < 1.02);
	assert_true(result_of(&judge).ratio_low < 1 / 1.02);
	assert_false(result_of(&judge).settled);
	add_spread(&judge, 0.982, 12000, 1);
	assert_int_equal(result_of(&judge).verdict, VERDICT_SAME);
}

static void the_most_pairs_leave_it_unsettled_in_either_stage(void **state)
{
	struct judge judge;

	(void)state;
	judge_start(&judge, &rules);
	add_quiet(&judge, 1.02, 63);
	assert_false(result_of(&judge).settled);
	add_quiet(&judge, 1.02, 1);
	assert_true(result_of(&judge).settled);
	assert_int_equal(result_of(&judge).verdict, VERDICT_UNSETTLED);
	judge_start(&judge, &rules);
	add_quiet(&judge, 1.05, 8);
	add_quiet(&judge, 1.02, 64);
	assert_true(result_of(&judge).settled);
	assert_int_equal(result_of(&judge).verdict, VERDICT_UNSETTLED);
	assert_int_equal(result_of(&judge).pairs_total, 72);
}

static void what_comes_after_the_verdict_is_not_looked_at(void **state)
{
	struct judge judge, before;

	(void)state;
	judge_start(&judge, &rules);
	add_quiet(&judge, 1.0, 8);
	before = judge;
	add_quiet(&judge, 1.5, 100);
	assert_memory_equal(&judge, &before, sizeof(judge));
}

static void a_replay_gives_the_very_same_result_at_every_length(void **state)
{
	struct rng rng;

	(void)state;
	rng_seed(&rng, 31);
	for (uint32_t round = 0; round < 60; round++) {
		struct visits visits = {&rng, (enum model)(round % MODEL_COUNT), 0.01, 0, 0};
		double centre = 0.01 * (rng_below(&rng, 9) - 4.0);
		int32_t pairs[150];
		struct judge judge;

		judge_start(&judge, &rules);
		for (uint32_t i = 0; i < ARRAY_LENGTH(pairs); i++) {
			struct judge_result once = {0}, again = {0};

			pairs[i] = judge_millionths(centre + simulate_visit(&visits));
			judge_add(&judge, pairs[i]);
			judge_result(&judge, &once);
			judge_series(&again, &rules, pairs, i + 1);
			assert_memory_equal(&once, &again, sizeof(once));
		}
	}
}

static void swapping_the_sides_inverts_the_ratio(void **state)
{
	uint32_t mirrored = 0;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 32);
	for (int round = 0; round < 300; round++) {
		struct visits visits = {&rng, (enum model)(round % MODEL_COUNT), 0.003, 0, 0};
		int32_t pairs[128], swapped[128];
		struct judge_result one, two;

		for (int i = 0; i < 128; i++) {
			pairs[i] = judge_millionths(0.045 + simulate_visit(&visits));
			swapped[i] = -pairs[i];
		}
		judge_series(&one, &rules, pairs, 8);
		judge_series(&two, &rules, swapped, 8);
		assert_true(fabs(one.ratio * two.ratio - 1) < 1e-12);
		assert_true(fabs(one.ratio_low * two.ratio_high - 1) < 1e-12);
		assert_true(fabs(one.noise - two.noise) < 1e-12);
		judge_series(&one, &rules, pairs, 128);
		judge_series(&two, &rules, swapped, 128);
		mirrored += one.verdict == VERDICT_SLOWER && two.verdict == VERDICT_FASTER;
	}
	/* `same` is easier to reach than `faster`, so a few of the noisiest may end there. */
	assert_true(mirrored >= 295);
}

static void the_smallest_loss_is_two_reaches_beyond_the_limit(void **state)
{
	struct judge judge;
	struct judge_result result;
	double reach;

	(void)state;
	judge_start(&judge, &rules);
	add_quiet(&judge, 1.0, 8);
	result = result_of(&judge);
	reach = log(result.ratio_high / result.ratio);
	assert_true(fabs(reach - student_quantile(0.005, 7) * result.noise / sqrt(8)) < 1e-12);
	assert_true(fabs(result.smallest_loss_ratio - 1.02 * exp(2 * reach)) < 1e-12);
}

static void rules_out_of_range_end_in_an_error(void **state)
{
	static const struct judge_rules bad[] = {
		{1.0, 0.005, 8, 64},
		{0.5, 0.005, 8, 64},
		{(double)INFINITY, 0.005, 8, 64},
		{(double)NAN, 0.005, 8, 64},
		{1.02, 0, 8, 64},
		{1.02, 0.5, 8, 64},
		{1.02, (double)NAN, 8, 64},
		{1.02, 0.005, 1, 64},
		{1.02, 0.005, 65, 64},
		{1.02, 0.005, 8, CONFIRM_PAIRS_MAX + 1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
		struct judge judge;

		judge_start(&judge, &bad[i]);
		add_quiet(&judge, 1.0, 200);
		assert_int_equal(result_of(&judge).verdict, VERDICT_ERROR);
		assert_true(result_of(&judge).settled);
		assert_int_equal(result_of(&judge).pairs_total, 0);
	}
}

static void the_whole_range_of_pairs_is_survived(void **state)
{
	const struct judge_rules widest = {1.02, 1e-6, 2, CONFIRM_PAIRS_MAX};
	struct judge judge;

	(void)state;
	judge_start(&judge, &widest);
	for (int i = 0; i < 300; i++)
		judge_add(&judge, i % 2 ? INT32_MAX : INT32_MIN);
	assert_true(result_of(&judge).settled);
	assert_int_not_equal(result_of(&judge).verdict, VERDICT_SLOWER);
	assert_int_not_equal(result_of(&judge).verdict, VERDICT_FASTER);
	judge_start(&judge, &widest);
	add_quiet(&judge, 1.02, 300);
	assert_int_equal(result_of(&judge).verdict, VERDICT_UNSETTLED);
	assert_int_equal(result_of(&judge).pairs_total, CONFIRM_PAIRS_MAX);
	judge_start(&judge, &widest);
	for (int i = 0; i < 300; i++)
		judge_add(&judge, INT32_MAX);
	assert_int_equal(result_of(&judge).verdict, VERDICT_SLOWER);
}

static void what_is_missing_tells_near_from_far(void **state)
{
	struct judge near, far, hopeless;

	(void)state;
	judge_start(&near, &rules);
	assert_int_equal(judge_pairs_missing(&near), 8);
	add_quiet(&near, 1.0, 6);
	assert_int_equal(judge_pairs_missing(&near), 2);
	add_quiet(&near, 1.0, 2);
	assert_int_equal(judge_pairs_missing(&near), 0);

	judge_start(&far, &rules);
	judge_start(&near, &rules);
	judge_start(&hopeless, &rules);
	add_spread(&near, 1.01, 22000, 12);
	add_spread(&far, 1.01, 36000, 12);
	add_spread(&hopeless, 1.02, 26000, 16);
	assert_in_range(judge_pairs_missing(&near), 1, 8);
	assert_in_range(judge_pairs_missing(&far), 9, 40);
	assert_true(judge_pairs_missing(&hopeless) > 1000);

	judge_start(&near, &rules);
	add_quiet(&near, 1.05, 8);
	assert_int_equal(judge_pairs_missing(&near), 8);
}

static void visits_that_scatter_ask_for_more_samples(void **state)
{
	struct judge judge;

	(void)state;
	judge_start(&judge, &rules);
	judge_add(&judge, 20000);
	judge_add(&judge, -20000);
	judge_add(&judge, 20000);
	assert_false(judge_wants_more_samples(&judge));
	judge_add(&judge, -20000);
	assert_true(judge_wants_more_samples(&judge));
	judge_start(&judge, &rules);
	add_quiet(&judge, 1.1, 7);
	assert_false(judge_wants_more_samples(&judge));
}

static void alpha_is_shared_beyond_31_benchmarks(void **state)
{
	(void)state;
	assert_true(fabs(family_alpha(0.99, 1) - 0.005) < 1e-15);
	assert_true(fabs(family_alpha(0.99, 31) - 0.005) < 1e-15);
	assert_true(fabs(family_alpha(0.99, 62) - 0.0025) < 1e-15);
	assert_true(fabs(family_alpha(0.95, 310) - 0.0025) < 1e-15);
}

static void verdicts_have_names_and_names_have_verdicts(void **state)
{
	enum verdict verdict;

	(void)state;
	for (unsigned i = 0; i < VERDICT_COUNT; i++) {
		assert_true(verdict_from_name(verdict_name((enum verdict)i), &verdict));
		assert_int_equal(verdict, i);
	}
	assert_string_equal(verdict_name(VERDICT_SLOWER), "slower");
	assert_string_equal(verdict_name((enum verdict)99), "error");
	verdict = VERDICT_SAME;
	assert_false(verdict_from_name("Slower", &verdict));
	assert_int_equal(verdict, VERDICT_SAME);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_known_before_the_second_pair),
		cmocka_unit_test(no_verdict_falls_before_the_least_number_of_pairs),
		cmocka_unit_test(slower_needs_a_second_measurement),
		cmocka_unit_test(a_finding_that_is_not_met_again_is_the_same),
		cmocka_unit_test(faster_needs_a_second_measurement_too),
		cmocka_unit_test(opposite_findings_are_the_same),
		cmocka_unit_test(the_rank_bound_holds_back_what_the_scale_hides),
		cmocka_unit_test(same_waits_for_the_rank_bound_too),
		cmocka_unit_test(an_alpha_too_small_for_the_pairs_leaves_it_unsettled),
		cmocka_unit_test(rather_fast_is_the_same_only_after_twice_the_least),
		cmocka_unit_test(the_most_pairs_leave_it_unsettled_in_either_stage),
		cmocka_unit_test(what_comes_after_the_verdict_is_not_looked_at),
		cmocka_unit_test(a_replay_gives_the_very_same_result_at_every_length),
		cmocka_unit_test(swapping_the_sides_inverts_the_ratio),
		cmocka_unit_test(the_smallest_loss_is_two_reaches_beyond_the_limit),
		cmocka_unit_test(rules_out_of_range_end_in_an_error),
		cmocka_unit_test(the_whole_range_of_pairs_is_survived),
		cmocka_unit_test(what_is_missing_tells_near_from_far),
		cmocka_unit_test(visits_that_scatter_ask_for_more_samples),
		cmocka_unit_test(alpha_is_shared_beyond_31_benchmarks),
		cmocka_unit_test(verdicts_have_names_and_names_have_verdicts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
