#include "runner/stats/kendall.h"
#include "runner/stats/shape.h"
#include "tests/unit/stats_simulate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define PERMUTED 7u

static uint32_t inversions(const int32_t *values, uint32_t count)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t j = i + 1; j < count; j++)
			found += values[i] > values[j];
	return found;
}

/* The code's digits in the factorial base say which of the remaining values comes next. */
static void permutation(int32_t *out, uint32_t code)
{
	int32_t left[PERMUTED];

	for (uint32_t i = 0; i < PERMUTED; i++)
		left[i] = (int32_t)i;
	for (uint32_t i = 0; i < PERMUTED; i++) {
		uint32_t rest = PERMUTED - i, chosen = code % rest;

		code /= rest;
		out[i] = left[chosen];
		left[chosen] = left[rest - 1];
	}
}

static void the_trend_is_that_of_all_orders_counted(void **state)
{
	uint32_t orders_with[PERMUTED * PERMUTED] = {0}, pairs = PERMUTED * (PERMUTED - 1) / 2;
	uint32_t orders = 5040;
	int32_t values[PERMUTED];

	(void)state;
	for (uint32_t code = 0; code < orders; code++) {
		permutation(values, code);
		orders_with[inversions(values, PERMUTED)]++;
	}
	for (uint32_t code = 0; code < orders; code += 11) {
		uint32_t wrong, rarer, as_rare = 0;
		struct kendall kendall;

		permutation(values, code);
		wrong = inversions(values, PERMUTED);
		rarer = wrong < pairs - wrong ? wrong : pairs - wrong;
		for (uint32_t i = 0; i <= rarer; i++)
			as_rare += orders_with[i];
		kendall_test(&kendall, values, PERMUTED);
		assert_true(fabs(kendall.tau - (1 - 2.0 * wrong / pairs)) < 1e-12);
		assert_true(fabs(kendall.probability - fmin(1, 2.0 * as_rare / orders)) < 1e-12);
	}
}

static void long_series_and_ties_are_survived(void **state)
{
	int32_t values[200];
	struct kendall kendall;

	(void)state;
	for (int i = 0; i < 200; i++)
		values[i] = i;
	kendall_test(&kendall, values, 200);
	assert_true(kendall.tau == 1 && kendall.probability < 1e-100);
	for (int i = 0; i < 200; i++)
		values[i] = 3;
	kendall_test(&kendall, values, 200);
	assert_true(kendall.tau == 0 && kendall.probability == 1);
	kendall_test(&kendall, values, 1);
	assert_true(kendall.probability == 1);
	kendall_test(&kendall, values, 0);
	assert_true(kendall.probability == 1);
}

struct flags {
	uint32_t bimodal, drifting;
};

static struct flags flags_of(enum model model, uint32_t count, uint32_t rounds, double scale)
{
	struct flags flags = {0, 0};
	struct rng rng;

	rng_seed(&rng, 41 + count);
	for (uint32_t i = 0; i < rounds; i++) {
		struct visits visits = {&rng, model, scale, 0, 0};
		int32_t pairs[CONFIRM_PAIRS_MAX];
		struct shape shape;

		for (uint32_t j = 0; j < count; j++)
			pairs[j] = judge_millionths(simulate_visit(&visits));
		shape_look(&shape, pairs, count);
		flags.bimodal += shape.bimodal;
		flags.drifting += shape.drifting;
	}
	return flags;
}

static void single_clouds_are_rarely_flagged(void **state)
{
	static const uint32_t counts[] = {8, 12, 16, 24, 64};
	static const enum model models[] = {MODEL_NORMAL, MODEL_HEAVY};

	(void)state;
	for (uint32_t m = 0; m < 2; m++) {
		for (uint32_t i = 0; i < 5; i++) {
			struct flags flags = flags_of(models[m], counts[i], 3000, 0.004);

			printf("  %s, %u visits\n", model_names[models[m]], counts[i]);
			assert_true(simulate_at_most("bimodal", flags.bimodal, 3000, 0.01));
			assert_true(simulate_at_most("drifting", flags.drifting, 3000, 0.001));
		}
	}
}

static void two_clouds_and_a_drift_are_found(void **state)
{
	struct flags flags;

	(void)state;
	flags = flags_of(MODEL_BIMODAL, 16, 1000, 0.004);
	assert_true(simulate_at_least("bimodal, 16 visits", flags.bimodal, 1000, 0.95));
	flags = flags_of(MODEL_BIMODAL, 32, 1000, 0.004);
	assert_true(simulate_at_least("bimodal, 32 visits", flags.bimodal, 1000, 0.999));
	flags = flags_of(MODEL_DRIFTING, 64, 1000, 0.004);
	assert_true(simulate_at_least("drifting, 64 visits", flags.drifting, 1000, 0.8));
}

static void a_verdict_on_two_clouds_needs_both(void **state)
{
	const struct shape one = {.low_ratio = 0, .high_ratio = 0};
	const struct shape above = {.bimodal = true, .low_ratio = 1.03, .high_ratio = 1.20};
	const struct shape across = {.bimodal = true, .low_ratio = 1.00, .high_ratio = 1.20};
	const struct shape below = {.bimodal = true, .low_ratio = 0.90, .high_ratio = 0.97};

	(void)state;
	assert_int_equal(shape_verdict(&one, VERDICT_SLOWER, 1.02), VERDICT_SLOWER);
	assert_int_equal(shape_verdict(&above, VERDICT_SLOWER, 1.02), VERDICT_SLOWER);
	assert_int_equal(shape_verdict(&above, VERDICT_SLOWER, 1.05), VERDICT_UNSETTLED);
	assert_int_equal(shape_verdict(&across, VERDICT_SLOWER, 1.02), VERDICT_UNSETTLED);
	assert_int_equal(shape_verdict(&across, VERDICT_SAME, 1.02), VERDICT_UNSETTLED);
	assert_int_equal(shape_verdict(&across, VERDICT_SAME, 1.25), VERDICT_SAME);
	assert_int_equal(shape_verdict(&below, VERDICT_FASTER, 1.02), VERDICT_FASTER);
	assert_int_equal(shape_verdict(&below, VERDICT_FASTER, 1.05), VERDICT_UNSETTLED);
	assert_int_equal(shape_verdict(&across, VERDICT_ERROR, 1.02), VERDICT_ERROR);
}

static void the_clusters_are_reported(void **state)
{
	int32_t pairs[20];
	struct shape shape;

	(void)state;
	for (int i = 0; i < 20; i++)
		pairs[i] = (i % 4 == 0 ? 50000 : 1000) + 100 * (i % 3);
	shape_look(&shape, pairs, 20);
	assert_true(shape.bimodal);
	assert_true(fabs(shape.low_ratio - exp(0.0011)) < 2e-4);
	assert_true(fabs(shape.high_ratio - exp(0.0501)) < 2e-4);
	/* Three of twenty are accidents and no mode. */
	for (int i = 0; i < 20; i++)
		pairs[i] = (i % 7 == 0 ? 50000 : 1000) + 100 * (i % 3);
	shape_look(&shape, pairs, 20);
	assert_false(shape.bimodal);
	for (int i = 0; i < 20; i++)
		pairs[i] = -pairs[i];
	shape_look(&shape, pairs, 20);
	assert_false(shape.bimodal);
	shape_look(&shape, pairs, 0);
	assert_false(shape.bimodal || shape.drifting);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_trend_is_that_of_all_orders_counted),
		cmocka_unit_test(long_series_and_ties_are_survived),
		cmocka_unit_test(single_clouds_are_rarely_flagged),
		cmocka_unit_test(two_clouds_and_a_drift_are_found),
		cmocka_unit_test(a_verdict_on_two_clouds_needs_both),
		cmocka_unit_test(the_clusters_are_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
