#include "runner/stats/huber.h"
#include "tests/unit/stats_simulate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static double plain_median(const double *values, uint32_t count)
{
	double sorted[HUBER_COUNT_MAX];

	for (uint32_t i = 0; i < count; i++)
		sorted[i] = values[i];
	qsort(sorted, count, sizeof(double), compare);
	return (sorted[count / 2] + sorted[(count - 1) / 2]) / 2;
}

static double psi_sum(const double *values, uint32_t count, double centre, double scale)
{
	double sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += fmax(-1.5, fmin(1.5, (values[i] - centre) / scale));
	return sum;
}

/* The definition, taken literally: the root of sum psi, by halving an interval that holds it. */
static void reference(struct huber *out, const double *values, uint32_t count)
{
	double distances[HUBER_COUNT_MAX], median = plain_median(values, count), scale;
	double low = values[0], high = values[0], squares = 0, inside = 0;

	for (uint32_t i = 0; i < count; i++) {
		distances[i] = fabs(values[i] - median);
		low = fmin(low, values[i]);
		high = fmax(high, values[i]);
	}
	scale = fmax(1.4826 * plain_median(distances, count), 2e-4);
	for (int i = 0; i < 200; i++) {
		double middle = (low + high) / 2;

		if (psi_sum(values, count, middle, scale) > 0)
			low = middle;
		else
			high = middle;
	}
	for (uint32_t i = 0; i < count; i++) {
		double r = (values[i] - low) / scale;

		squares += fmin(r * r, 2.25);
		inside += fabs(r) < 1.5;
	}
	out->location = low;
	out->error = fmax(
		scale * sqrt(squares / (count - 1)) / (fmax(inside / count, 0.3) * sqrt(count)),
		1e-4);
}

static void location_and_error_are_the_reference_ones(void **state)
{
	struct rng rng;

	(void)state;
	rng_seed(&rng, 11);
	for (int round = 0; round < 6000; round++) {
		uint32_t count = 2 + rng_below(&rng, HUBER_COUNT_MAX - 1);
		struct visits visits = {&rng, (enum model)(round % MODEL_COUNT), 0.004, 0, 0};
		double values[HUBER_COUNT_MAX];
		struct huber seen, wanted;

		for (uint32_t i = 0; i < count; i++)
			values[i] = 0.01 + simulate_visit(&visits);
		huber_estimate(&seen, values, count);
		reference(&wanted, values, count);
		assert_true(fabs(seen.location - wanted.location) < 2e-9);
		/* A residual on the bend may fall to either side of it. */
		assert_true(fabs(seen.error - wanted.error) < 1e-6 * wanted.error);
		assert_true(fabs(seen.spread - seen.error * sqrt(count)) < 1e-15);
	}
}

static void swapping_the_sides_negates_the_location(void **state)
{
	double values[40], swapped[40];
	struct huber one, two;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 12);
	for (int round = 0; round < 200; round++) {
		struct visits visits = {&rng, MODEL_HEAVY, 0.004, 0, 0};

		for (int i = 0; i < 40; i++) {
			values[i] = 0.01 + simulate_visit(&visits);
			swapped[i] = -values[i];
		}
		huber_estimate(&one, values, 40);
		huber_estimate(&two, swapped, 40);
		assert_true(fabs(one.location + two.location) < 1e-14);
		assert_true(fabs(one.error - two.error) < 1e-14);
	}
}

static void one_wild_visit_moves_the_location_no_further_than_a_far_one(void **state)
{
	double values[] = {0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.007, 0.05};
	struct huber far, wild;

	(void)state;
	huber_estimate(&far, values, 8);
	values[7] = 1000;
	huber_estimate(&wild, values, 8);
	assert_true(fabs(far.location - wild.location) < 1e-9);
	assert_true(wild.location < 0.006);
}

static void equal_values_still_have_an_error(void **state)
{
	const double values[] = {0.03, 0.03, 0.03, 0.03};
	struct huber huber;

	(void)state;
	huber_estimate(&huber, values, 4);
	assert_true(fabs(huber.location - 0.03) < 1e-12);
	assert_true(huber.error == HUBER_ERROR_MIN);
}

static void too_few_values_know_no_error(void **state)
{
	const double value = 0.5;
	struct huber huber;

	(void)state;
	huber_estimate(&huber, &value, 1);
	assert_true(huber.location == 0.5 && isinf(huber.error));
	huber_estimate(&huber, &value, 0);
	assert_true(huber.location == 0 && isinf(huber.error));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(location_and_error_are_the_reference_ones),
		cmocka_unit_test(swapping_the_sides_negates_the_location),
		cmocka_unit_test(one_wild_visit_moves_the_location_no_further_than_a_far_one),
		cmocka_unit_test(equal_values_still_have_an_error),
		cmocka_unit_test(too_few_values_know_no_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
