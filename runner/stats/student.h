/*
 * Student's t distribution: how many standard errors an interval needs.
 *
 * The tail is a regularised incomplete beta function (M. Abramowitz and I. Stegun, "Handbook of
 * mathematical functions", 26.7.1 and 26.5.27), evaluated by its continued fraction (NIST DLMF
 * 8.17.22) with the forward method of Lentz as amended by I. Thompson and A. Barnett (J. Comput.
 * Phys. 64, 1986). The quantile is found by Newton's method on the logarithm of the tail as a
 * function of log t; that function is concave and falling, so from above its root the steps come
 * down to it.
 *
 * Relative error below 1e-9 for 1 <= df <= 1000 and 1e-12 <= tail < 0.5 (1e-6 for any larger df).
 */
#ifndef RUNNER_STATS_STUDENT_H
#define RUNNER_STATS_STUDENT_H

/* P(T > t) with df > 0 degrees of freedom. */
double student_tail(double t, double df);

/* The t with P(T > t) = tail; for a tail of 0.5 or more it is 0, for 0 or less infinite. */
double student_quantile(double tail, double df);

#endif
