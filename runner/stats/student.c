#include "runner/stats/student.h"

#include <float.h>
#include <math.h>

/* Beyond it the t and the normal quantile agree to 1e-6, and the fraction would only get longer. */
#define DF_MAX 1e7
#define FRACTION_STEPS_MAX 20000
#define NEWTON_STEPS_MAX 100

/*
 * log B(a, 1/2). For large a the difference of two log gammas would cancel; there its asymptotic
 * series (DLMF 5.11.13) is exact to 1e-12. lgamma() itself would write the global signgam.
 */
static double log_beta_half(double a)
{
	const double log_sqrt_pi = 0.57236494292470008707;
	double inverse = 1 / a;
	int sign;

	if (a > 64)
		return log_sqrt_pi - 0.5 * log(a) + inverse / 8 - inverse * inverse * inverse / 192;
	return log_sqrt_pi + lgamma_r(a, &sign) - lgamma_r(a + 0.5, &sign);
}

static double away_from_zero(double value)
{
	return fabs(value) < DBL_MIN ? DBL_MIN : value;
}

/* The continued fraction of I_x(a, b) without its prefactor; converges for x < (a+1)/(a+b+2). */
static double beta_fraction(double x, double a, double b)
{
	double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), result = d;

	for (int m = 1; m <= FRACTION_STEPS_MAX; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double change;

		d = 1 / away_from_zero(1 + even * d);
		c = away_from_zero(1 + even / c);
		result *= c * d;
		d = 1 / away_from_zero(1 + odd * d);
		c = away_from_zero(1 + odd / c);
		change = c * d;
		result *= change;
		if (fabs(change - 1) < 4 * DBL_EPSILON)
			break;
	}
	return result;
}

/* P(T > t) for t > 0, given log B(df/2, 1/2). */
static double upper_tail(double t, double df, double log_beta)
{
	double square = t * t, a = df / 2;
	double x = df / (df + square), rest = square / (df + square);
	double log_front = -a * log1p(square / df) + 0.5 * log(rest) - log_beta;

	if (x < (a + 1) / (a + 2.5))
		return 0.5 * exp(log_front) * beta_fraction(x, a, 0.5) / a;
	return 0.5 * (1 - exp(log_front) * beta_fraction(rest, 0.5, a) / 0.5);
}

double student_tail(double t, double df)
{
	double tail;

	if (df > DF_MAX)
		df = DF_MAX;
	if (isinf(t))
		return t > 0 ? 0 : 1;
	if (t * t < DBL_MIN)
		return 0.5;
	tail = upper_tail(fabs(t), df, log_beta_half(df / 2));
	return t > 0 ? tail : 1 - tail;
}

double student_quantile(double tail, double df)
{
	double log_beta, t = 1;

	if (!(tail > 0))
		return INFINITY;
	if (tail >= 0.5)
		return 0;
	if (df > DF_MAX)
		df = DF_MAX;
	log_beta = log_beta_half(df / 2);
	for (int i = 0; i < NEWTON_STEPS_MAX; i++) {
		double reached = upper_tail(t, df, log_beta);
		/* The density at t; d log(tail) / d log(t) = -t * density / tail. */
		double density = exp(-(df + 1) / 2 * log1p(t * t / df) - 0.5 * log(df) - log_beta);
		double step = log(reached / tail) * reached / (t * density);

		/* From below the root a step may leap far beyond it, to where the tail is no
		 * number. */
		step = fmin(step, 1);
		t *= exp(step);
		if (fabs(step) < 1e-13)
			break;
	}
	return t;
}
