#include "runner/stats/student.h"

#include "sandbox/base/attr.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_within(double seen, double wanted, double relative)
{
	if (!(fabs(seen - wanted) <= relative * fabs(wanted)))
		fail_msg("%.15g is not %.15g", seen, wanted);
}

/*
 * P(T > t) for whole degrees of freedom as a finite sum of powers of a cosine (Abramowitz and
 * Stegun 26.7.3 and 26.7.4): another way to the same number.
 */
static double tail_by_cosines(double t, int df)
{
	double angle = atan(t / sqrt(df)), square = cos(angle) * cos(angle), term, sum, inside;
	int first = df % 2 ? 3 : 2;

	term = df % 2 ? cos(angle) : 1;
	sum = df == 1 ? 0 : term;
	for (int k = first; k <= df - 2; k += 2) {
		term *= square * (k - 1) / k;
		sum += term;
	}
	inside = df % 2 ? 2 / acos(-1) * (angle + sin(angle) * sum) : sin(angle) * sum;
	return (1 - inside) / 2;
}

static void quantiles_are_those_of_the_printed_table(void **state)
{
	/* To the three decimals of the usual tables (Abramowitz and Stegun, table 26.10). */
	static const struct {
		double df, t025, t005, t0005;
	} table[] = {
		{1, 12.706, 63.657, 636.619},
		{2, 4.303, 9.925, 31.599},
		{3, 3.182, 5.841, 12.924},
		{4, 2.776, 4.604, 8.610},
		{5, 2.571, 4.032, 6.869},
		{7, 2.365, 3.499, 5.408},
		{10, 2.228, 3.169, 4.587},
		{15, 2.131, 2.947, 4.073},
		{30, 2.042, 2.750, 3.646},
		{60, 2.000, 2.660, 3.460},
		{120, 1.980, 2.617, 3.373},
		{1e9, 1.960, 2.576, 3.291},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(table); i++) {
		assert_true(fabs(student_quantile(0.025, table[i].df) - table[i].t025) < 6e-4);
		assert_true(fabs(student_quantile(0.005, table[i].df) - table[i].t005) < 6e-4);
		assert_true(fabs(student_quantile(0.0005, table[i].df) - table[i].t0005) < 6e-4);
	}
}

static void one_and_two_degrees_of_freedom_have_closed_forms(void **state)
{
	static const double tails[] = {0.49, 0.3, 0.1, 0.025, 0.005, 1e-4, 1e-7, 1e-12};

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(tails); i++) {
		double p = tails[i];

		assert_within(student_quantile(p, 1), 1 / tan(acos(-1) * p), 1e-9);
		assert_within(student_quantile(p, 2), (1 - 2 * p) / sqrt(2 * p * (1 - p)), 1e-9);
	}
}

static void quantile_and_tail_agree_with_the_finite_sum(void **state)
{
	static const double tails[] = {0.4, 0.1, 0.025, 0.005, 0.0005, 1e-5};

	(void)state;
	for (int df = 1; df <= 300; df++) {
		for (size_t i = 0; i < ARRAY_LENGTH(tails); i++) {
			double t = student_quantile(tails[i], df);

			assert_within(tail_by_cosines(t, df), tails[i], 1e-8);
			assert_within(student_tail(t, df), tails[i], 1e-9);
			assert_within(student_tail(-t, df), 1 - tails[i], 1e-9);
		}
	}
}

static void many_degrees_of_freedom_reach_the_normal_quantile(void **state)
{
	(void)state;
	assert_within(student_quantile(0.005, 1e12), 2.5758293035489004, 1e-6);
	assert_within(student_quantile(0.025, 1e12), 1.9599639845400545, 1e-6);
	/* The series of log B takes over between these: no step may show. */
	assert_within(student_quantile(0.005, 127.999), student_quantile(0.005, 128.001), 1e-6);
}

static void the_ends_of_the_range_are_defined(void **state)
{
	(void)state;
	assert_true(isinf(student_quantile(0, 5)));
	assert_true(student_quantile(0.5, 5) == 0);
	assert_true(student_quantile(0.9, 5) == 0);
	assert_true(student_tail(0, 5) == 0.5);
	assert_true(student_tail(INFINITY, 5) == 0);
	assert_true(student_tail(-INFINITY, 5) == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_are_those_of_the_printed_table),
		cmocka_unit_test(one_and_two_degrees_of_freedom_have_closed_forms),
		cmocka_unit_test(quantile_and_tail_agree_with_the_finite_sum),
		cmocka_unit_test(many_degrees_of_freedom_reach_the_normal_quantile),
		cmocka_unit_test(the_ends_of_the_range_are_defined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
