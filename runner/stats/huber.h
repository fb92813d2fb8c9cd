/*
 * Where a benchmark's visits lie, and how sure that is, when some of the visits went wrong.
 *
 * The location is Huber's M-estimator with k = 1.5 (P. J. Huber, "Robust estimation of a location
 * parameter", Ann. Math. Statist. 35, 1964) about a scale fixed beforehand at 1.4826 times the
 * median absolute deviation, found by reweighting (R. Maronna, R. D. Martin, V. Yohai, "Robust
 * statistics", 2006, section 2.7). Its standard error is the sandwich
 *
 *     se = s * sqrt(sum psi(r)^2 / (n - 1)) / (mean psi'(r) * sqrt(n)),     r = (x - location) / s
 *
 * (ibid., 2.6). Assumes independent, identically distributed visits; symmetry only in so far as the
 * location of a skewed distribution is its M-functional, neither mean nor median. With k = 1.5 it
 * has 96 % of the mean's efficiency on normal data, and no visit pulls harder than 1.5 scales.
 */
#ifndef RUNNER_STATS_HUBER_H
#define RUNNER_STATS_HUBER_H

#include <stdint.h>

#define HUBER_K 1.5
#define HUBER_COUNT_MAX 128u

/*
 * Log ratios finer than this are below what process pairs can tell apart; without a floor a few
 * equal values (coarse clocks) would claim certainty.
 */
#define HUBER_SCALE_MIN 2e-4
#define HUBER_ERROR_MIN 1e-4

struct huber {
	double location, error; /* in the unit of the values: log ratios */
	double spread;          /* of one value: error * sqrt(count) */
};

/*
 * Of the first HUBER_COUNT_MAX values. With one value the error is infinite; with none the
 * location is 0 too.
 */
void huber_estimate(struct huber *out, const double *values, uint32_t count);

#endif
