#include "runner/stats/estimate.h"
#include "runner/stats/judge.h"
#include "runner/stats/order.h"
#include "runner/stats/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sandbox/base/attr.h"

static void assert_near(double seen, double wanted)
{
	if (!(fabs(seen - wanted) <= 1e-12 * (1 + fabs(wanted))))
		fail_msg("%.17g is not %.17g", seen, wanted);
}

static void sorting_keeps_the_values_and_puts_them_in_order(void **state)
{
	double values[3000];
	struct rng rng;

	(void)state;
	rng_seed(&rng, 1);
	for (size_t count = 0; count <= ARRAY_LENGTH(values); count = count * 2 + 1) {
		double before = 0, after = 0;

		for (size_t i = 0; i < count; i++)
			before += values[i] = rng_below(&rng, 500);
		order_sort(values, count);
		for (size_t i = 0; i < count; i++) {
			after += values[i];
			assert_true(i == 0 || values[i - 1] <= values[i]);
		}
		assert_true(after == before);
	}
}

static void quantiles_interpolate_between_ranks(void **state)
{
	const double sorted[] = {1, 2, 4, 8, 16};

	(void)state;
	assert_near(order_quantile(sorted, 5, 0), 1);
	assert_near(order_quantile(sorted, 5, 1), 16);
	assert_near(order_quantile(sorted, 5, 0.5), 4);
	assert_near(order_quantile(sorted, 5, 0.12), 1.48);
	assert_near(order_quantile(sorted, 5, 0.9), 12.8);
	assert_near(order_quantile(sorted, 1, 0.7), 1);
	assert_near(order_quantile(sorted, 0, 0.7), 0);
	assert_near(order_median(sorted, 4), 3);
}

static void the_deviation_may_be_taken_in_place(void **state)
{
	double values[] = {1, 2, 3, 4, 100};

	(void)state;
	assert_near(order_mad(values, 5, 3, values), 1);
}

static void a_visit_compares_the_low_quantiles_of_both_sides(void **state)
{
	/* Rank 0.12 * 25 = 3: the fourth smallest. */
	uint64_t baseline[26], candidate[26];
	struct estimate_samples two[2] = {{candidate, 26}, {baseline, 26}};

	(void)state;
	for (uint64_t i = 0; i < 26; i++) {
		baseline[(i * 7) % 26] = 1000 + 100 * i * i;
		candidate[(i * 5) % 26] = 1100 + 2 * (1000 + 100 * i * i);
	}
	assert_near(estimate_low_log(&two[1], 100), log(1800));
	assert_int_equal(
		estimate_visit(&two[0], &two[1], 100), judge_millionths(log(4800.0 / 1800)));
	assert_int_equal(
		estimate_visit(&two[1], &two[0], 100), -estimate_visit(&two[0], &two[1], 100));
}

static void the_logs_are_interpolated_and_not_the_times(void **state)
{
	const uint64_t ns[] = {100, 10000};
	struct estimate_samples samples = {ns, 2};

	(void)state;
	assert_near(estimate_low_log(&samples, 0), 0.88 * log(100) + 0.12 * log(10000));
}

static void scaling_all_times_changes_nothing(void **state)
{
	uint64_t baseline[32], candidate[32], baseline_scaled[32], candidate_scaled[32];
	struct rng rng;

	(void)state;
	rng_seed(&rng, 9);
	for (int i = 0; i < 32; i++) {
		baseline[i] = 50000 + rng_below(&rng, 9000);
		candidate[i] = 51000 + rng_below(&rng, 9000);
		baseline_scaled[i] = 37 * baseline[i];
		candidate_scaled[i] = 37 * candidate[i];
	}
	assert_int_equal(estimate_visit(&(struct estimate_samples){candidate, 32},
				 &(struct estimate_samples){baseline, 32}, 0),
		estimate_visit(&(struct estimate_samples){candidate_scaled, 32},
			&(struct estimate_samples){baseline_scaled, 32}, 0));
}

static void samples_below_the_overhead_count_as_one_nanosecond(void **state)
{
	const uint64_t ns[] = {0, 5, 20};
	struct estimate_samples samples = {ns, 3};

	(void)state;
	assert_near(estimate_low_log(&samples, 20), 0);
}

static void samples_beyond_the_maximum_are_left_out(void **state)
{
	uint64_t ns[ESTIMATE_SAMPLES_MAX + 500];
	struct estimate_samples samples = {ns, ARRAY_LENGTH(ns)};

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(ns); i++)
		ns[i] = i < ESTIMATE_SAMPLES_MAX ? 700 : 3;
	assert_near(estimate_low_log(&samples, 0), log(700));
}

static void millionths_are_rounded_and_saturate(void **state)
{
	(void)state;
	assert_int_equal(judge_millionths(log(1.02)), 19803);
	assert_int_equal(judge_millionths(-1.5e-6), -2);
	assert_int_equal(judge_millionths(0.4e-6), 0);
	assert_int_equal(judge_millionths(1e9), INT32_MAX);
	assert_int_equal(judge_millionths(-1e9), -INT32_MAX);
	assert_int_equal(judge_millionths(INFINITY), INT32_MAX);
	assert_int_equal(judge_millionths((double)NAN), INT32_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorting_keeps_the_values_and_puts_them_in_order),
		cmocka_unit_test(quantiles_interpolate_between_ranks),
		cmocka_unit_test(the_deviation_may_be_taken_in_place),
		cmocka_unit_test(a_visit_compares_the_low_quantiles_of_both_sides),
		cmocka_unit_test(the_logs_are_interpolated_and_not_the_times),
		cmocka_unit_test(scaling_all_times_changes_nothing),
		cmocka_unit_test(samples_below_the_overhead_count_as_one_nanosecond),
		cmocka_unit_test(samples_beyond_the_maximum_are_left_out),
		cmocka_unit_test(millionths_are_rounded_and_saturate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
