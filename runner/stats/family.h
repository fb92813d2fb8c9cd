/*
 * How sure each verdict must be when a suite has many of them.
 *
 * At confidence 0.99 the error probability is 0.005 a side and benchmark, and with its second
 * measurement a suite of 31 benchmarks was measured to raise a false alarm about once in 2,000
 * runs. Larger suites are held to that rate by dividing alpha in proportion (C. Bonferroni 1936,
 * against the measured reference instead of against one test). Holds whatever the benchmarks share.
 */
#ifndef RUNNER_STATS_FAMILY_H
#define RUNNER_STATS_FAMILY_H

#include <stdint.h>

#define FAMILY_REFERENCE 31u

/* alpha a side: (1 - confidence)/2, times 31/N for N > 31 benchmarks of the *whole* suite. */
double family_alpha(double confidence, uint32_t benchmarks);

#endif
