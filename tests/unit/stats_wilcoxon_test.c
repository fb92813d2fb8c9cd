#include "runner/stats/wilcoxon.h"
#include "tests/unit/stats_simulate.h"

#include "sandbox/base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define ENUMERATED_MAX 12u

static const double alphas[] = {0.25, 0.05, 0.025, 0.005, 0.001, 0.0005};

/* How many of the 2^count sign patterns have a rank sum of at most `sum`: one by one. */
static uint32_t patterns_at_most(uint32_t count, uint32_t sum)
{
	uint32_t found = 0;

	for (uint32_t signs = 0; signs < 1u << count; signs++) {
		uint32_t reached = 0;

		for (uint32_t i = 0; i < count; i++)
			reached += signs >> i & 1 ? i + 1 : 0;
		found += reached <= sum;
	}
	return found;
}

static void ranks_are_those_of_the_enumerated_distribution(void **state)
{
	(void)state;
	for (uint32_t count = 1; count <= ENUMERATED_MAX; count++) {
		for (size_t a = 0; a < ARRAY_LENGTH(alphas); a++) {
			double all = (double)(1u << count);
			uint32_t rank = 0;

			while (patterns_at_most(count, rank) / all <= alphas[a])
				rank++;
			assert_int_equal(wilcoxon_rank(count, alphas[a]), rank);
		}
	}
}

static void ranks_are_those_of_the_printed_table(void **state)
{
	(void)state;
	/* Critical sums at 0.005 one-sided (Wilcoxon, Katti and Wilcox 1970); the rank is one more.
	 */
	assert_int_equal(wilcoxon_rank(7, 0.005), 0);
	assert_int_equal(wilcoxon_rank(8, 0.005), 0 + 1);
	assert_int_equal(wilcoxon_rank(15, 0.005), 15 + 1);
	assert_int_equal(wilcoxon_rank(20, 0.005), 37 + 1);
	assert_int_equal(wilcoxon_rank(25, 0.005), 68 + 1);
	assert_int_equal(wilcoxon_rank(50, 0.005), 373 + 1);
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static void bounds_are_order_statistics_of_all_walsh_averages(void **state)
{
	static double averages[WILCOXON_COUNT_MAX * (WILCOXON_COUNT_MAX + 1) / 2];
	struct rng rng;

	(void)state;
	rng_seed(&rng, 21);
	for (int round = 0; round < 300; round++) {
		uint32_t count = 8 + rng_below(&rng, WILCOXON_COUNT_MAX - 7), made = 0, rank;
		uint32_t range = round % 3 ? 30000 : 5;
		int32_t values[WILCOXON_COUNT_MAX];
		double low, high;

		for (uint32_t i = 0; i < count; i++)
			values[i] = (int32_t)rng_below(&rng, range) - (int32_t)(range / 3);
		for (uint32_t i = 0; i < count; i++)
			for (uint32_t j = i; j < count; j++)
				averages[made++] = (values[i] + values[j]) / 2.0;
		qsort(averages, made, sizeof(double), compare);
		rank = wilcoxon_rank(count, 0.005);
		assert_true(wilcoxon_bounds(&low, &high, values, count, 0.005));
		assert_true(low == averages[rank - 1]);
		assert_true(high == averages[made - rank]);
	}
}

static void a_bound_excludes_what_the_enumerated_test_rejects(void **state)
{
	struct rng rng;

	(void)state;
	rng_seed(&rng, 22);
	for (int round = 0; round < 200; round++) {
		uint32_t count = 8 + rng_below(&rng, ENUMERATED_MAX - 7), below = 0;
		int32_t values[ENUMERATED_MAX];
		double low, high, p;

		for (uint32_t i = 0; i < count; i++)
			values[i] = (int32_t)rng_below(&rng, 100000) - 20000;
		/* The rank sum of the negative values counts the Walsh averages below 0. */
		for (uint32_t i = 0; i < count; i++) {
			uint32_t rank = 0;

			for (uint32_t j = 0; j < count; j++)
				rank += abs(values[j]) <= abs(values[i]);
			below += values[i] <= 0 ? rank : 0;
		}
		p = patterns_at_most(count, below) / (double)(1u << count);
		wilcoxon_bounds(&low, &high, values, count, 0.025);
		assert_int_equal(low > 0, p <= 0.025);
	}
}

static void swapping_the_sides_swaps_and_negates_the_bounds(void **state)
{
	int32_t values[] = {5, -3, 8, 12, 700, 1, 9, 4, 4, 6}, swapped[10];
	double low, high, swapped_low, swapped_high;

	(void)state;
	for (int i = 0; i < 10; i++)
		swapped[i] = -values[i];
	wilcoxon_bounds(&low, &high, values, 10, 0.005);
	wilcoxon_bounds(&swapped_low, &swapped_high, swapped, 10, 0.005);
	assert_true(swapped_low == -high && swapped_high == -low);
}

static void too_few_values_bound_nothing(void **state)
{
	const int32_t values[] = {1, 2, 3, 4, 5, 6, 7};
	double low, high;

	(void)state;
	assert_false(wilcoxon_bounds(&low, &high, values, 7, 0.005));
	assert_true(isinf(low) && low < 0 && isinf(high) && high > 0);
	assert_false(wilcoxon_bounds(&low, &high, values, 0, 0.005));
}

static void extreme_values_do_not_overflow(void **state)
{
	int32_t values[WILCOXON_COUNT_MAX];
	double low, high;

	(void)state;
	for (uint32_t i = 0; i < WILCOXON_COUNT_MAX; i++)
		values[i] = i % 2 ? INT32_MAX : INT32_MIN;
	assert_true(wilcoxon_bounds(&low, &high, values, WILCOXON_COUNT_MAX, 0.005));
	assert_true(low == INT32_MIN || low == -0.5);
	assert_true(high == INT32_MAX || high == -0.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_are_those_of_the_enumerated_distribution),
		cmocka_unit_test(ranks_are_those_of_the_printed_table),
		cmocka_unit_test(bounds_are_order_statistics_of_all_walsh_averages),
		cmocka_unit_test(a_bound_excludes_what_the_enumerated_test_rejects),
		cmocka_unit_test(swapping_the_sides_swaps_and_negates_the_bounds),
		cmocka_unit_test(too_few_values_bound_nothing),
		cmocka_unit_test(extreme_values_do_not_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
