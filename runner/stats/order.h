/*
 * Order statistics of doubles.
 *
 * No allocation and no recursion (the C library's qsort may do both), so these run anywhere. The
 * values must not hold a NaN.
 */
#ifndef RUNNER_STATS_ORDER_H
#define RUNNER_STATS_ORDER_H

#include <stddef.h>

/* A normal distribution's standard deviation is this many median absolute deviations. */
#define ORDER_MAD_TO_SIGMA 1.4826

/*
 * Ascending, in place: Shell's sort with the increments of M. Ciura (FCT 2001), which is quick for
 * the hundreds of values met here.
 */
void order_sort(double *values, size_t count);

/*
 * The q-quantile (0 <= q <= 1) of sorted values: linear interpolation at rank q*(count-1), which is
 * definition 7 of R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", The
 * American Statistician 50 (1996). 0 where count is 0.
 */
double order_quantile(const double *sorted, size_t count, double q);

double order_median(const double *sorted, size_t count);

/*
 * The median absolute deviation of the values from `centre`, unscaled; `scratch` has room for
 * `count` values and may be `values` itself.
 */
double order_mad(const double *values, size_t count, double centre, double *scratch);

#endif
