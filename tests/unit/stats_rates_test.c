/*
 * What the judge promises, on simulated visits with fixed seeds: coverage of its intervals, alarms
 * where nothing changed and at the limit itself, power, and what a whole suite raises. Bounds are
 * binomial at one in a million, so that another seed would pass too.
 */
#include "tests/unit/stats_suite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct judge_rules rules = {1.02, 0.005, 8, 64};

static uint32_t verdicts(
	enum model model, double ratio, double scale, uint32_t runs, uint32_t counts[VERDICT_COUNT])
{
	uint32_t pairs = 0;
	struct rng rng;

	memset(counts, 0, VERDICT_COUNT * sizeof(*counts));
	rng_seed(&rng, 71 + (uint64_t)model);
	for (uint32_t i = 0; i < runs; i++) {
		struct visits visits = {&rng, model, scale, 0, 0};
		struct judge judge;

		judge_start(&judge, &rules);
		while (!judge.confirm.settled)
			judge_add(&judge, judge_millionths(log(ratio) + simulate_visit(&visits)));
		counts[judge.confirm.verdict]++;
		pairs += judge.pairs_total;
	}
	printf("  %s at %.3f, scatter %.4f: %.1f pairs each\n", model_names[model], ratio, scale,
		(double)pairs / runs);
	return pairs;
}

static void intervals_cover_the_truth_as_often_as_they_say(void **state)
{
	static const enum model models[] = {MODEL_NORMAL, MODEL_HEAVY, MODEL_BIMODAL, MODEL_LAYOUT};
	static const uint32_t counts[] = {8, 16, 40};
	struct judge_rules open = {1e6, 0.005, CONFIRM_PAIRS_MAX, CONFIRM_PAIRS_MAX};
	struct rng rng;

	(void)state;
	rng_seed(&rng, 70);
	for (uint32_t m = 0; m < 4; m++) {
		for (uint32_t c = 0; c < 3; c++) {
			uint32_t covered = 0;

			for (uint32_t i = 0; i < 3000; i++) {
				struct visits visits = {&rng, models[m], 0.004, 0, 0};
				struct judge_result result;
				struct judge judge;

				judge_start(&judge, &open);
				for (uint32_t j = 0; j < counts[c]; j++)
					judge_add(
						&judge, judge_millionths(simulate_visit(&visits)));
				judge_result(&judge, &result);
				covered += result.ratio_low <= 1 && result.ratio_high >= 1;
			}
			printf("  %s, %u visits\n", model_names[models[m]], counts[c]);
			assert_true(simulate_at_least("covered", covered, 3000, 0.99));
		}
	}
}

static void equal_versions_are_the_same(void **state)
{
	uint32_t counts[VERDICT_COUNT];

	(void)state;
	for (unsigned m = 0; m < MODEL_COUNT; m++) {
		verdicts((enum model)m, 1.0, 0.004, 4000, counts);
		assert_true(simulate_at_most("slower", counts[VERDICT_SLOWER], 4000, 1e-5));
		assert_true(simulate_at_most("faster", counts[VERDICT_FASTER], 4000, 1e-5));
		assert_true(simulate_at_least("same", counts[VERDICT_SAME], 4000, 0.99));
	}
}

static void the_limit_itself_is_rarely_called_slower(void **state)
{
	static const enum model models[] = {MODEL_NORMAL, MODEL_HEAVY, MODEL_BIMODAL, MODEL_LAYOUT};
	uint32_t counts[VERDICT_COUNT];

	(void)state;
	for (unsigned m = 0; m < 4; m++) {
		verdicts(models[m], 1.02, 0.004, 3000, counts);
		assert_true(simulate_at_most("slower", counts[VERDICT_SLOWER], 3000, 0.0015));
	}
	/* Visits that depend on each other break the assumption: still few. */
	verdicts(MODEL_AUTOCORRELATED, 1.02, 0.004, 1000, counts);
	assert_true(simulate_at_most("slower", counts[VERDICT_SLOWER], 1000, 0.02));
}

/* Two modes 2.4 % apart leave 3 % barely visible within 64 visits; they must not make it vanish. */
static double power_at(enum model model, double ratio)
{
	if (ratio < 1.04)
		return model == MODEL_BIMODAL ? 0.75 : 0.97;
	return ratio < 1.07 ? 0.999 : 0.9999;
}

static void losses_are_found(void **state)
{
	static const double losses[] = {1.03, 1.05, 1.10};
	uint32_t counts[VERDICT_COUNT];

	(void)state;
	for (unsigned m = 0; m < MODEL_COUNT; m++) {
		for (unsigned i = 0; i < 3; i++) {
			verdicts((enum model)m, losses[i], 0.004, 600, counts);
			assert_true(simulate_at_least("slower", counts[VERDICT_SLOWER], 600,
				power_at((enum model)m, losses[i])));
			assert_true(simulate_at_most("same", counts[VERDICT_SAME], 600, 0.01));
		}
		verdicts((enum model)m, 0.95, 0.004, 600, counts);
		assert_true(simulate_at_least("faster", counts[VERDICT_FASTER], 600, 0.98));
	}
}

static void a_layout_that_never_varies_is_not_told_from_a_loss(void **state)
{
	uint32_t counts[VERDICT_COUNT];

	(void)state;
	/* Why each visit needs fresh links: three scales of bias in all visits are a loss of 3 %.
	 */
	verdicts(MODEL_NORMAL, 1.03, 0.004, 300, counts);
	assert_true(simulate_at_least("slower, fixed", counts[VERDICT_SLOWER], 300, 0.97));
	verdicts(MODEL_LAYOUT, 1.0, 0.0075, 300, counts);
	assert_true(simulate_at_most("slower, varied", counts[VERDICT_SLOWER], 300, 1e-4));
}

static void suites_of_equal_versions_raise_few_alarms(void **state)
{
	static const struct suite kind = {
		.ratio = 1, .scale = 0.004, .shared = 0.001, .mixed = true};
	static struct suite suite;
	uint32_t alarms = 0, faster = 0, unsettled = 0;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 80);
	for (uint32_t i = 0; i < 3000; i++) {
		memcpy(&suite, &kind, sizeof(suite));
		suite_run(&suite, &rng);
		alarms += suite_count(&suite, VERDICT_SLOWER) > 0 ||
			  suite.across.confirm.verdict == VERDICT_SLOWER;
		faster += suite_count(&suite, VERDICT_FASTER) > 0;
		unsettled += suite_count(&suite, VERDICT_UNSETTLED);
	}
	assert_true(simulate_at_most("suites with an alarm", alarms, 3000, 0.0005));
	assert_true(simulate_at_most("suites with something faster", faster, 3000, 0.0005));
	assert_true(simulate_at_most(
		"unsettled benchmarks", unsettled, 3000 * SUITE_BENCHMARKS, 0.002));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_cover_the_truth_as_often_as_they_say),
		cmocka_unit_test(equal_versions_are_the_same),
		cmocka_unit_test(the_limit_itself_is_rarely_called_slower),
		cmocka_unit_test(losses_are_found),
		cmocka_unit_test(a_layout_that_never_varies_is_not_told_from_a_loss),
		cmocka_unit_test(suites_of_equal_versions_raise_few_alarms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
