/*
 * What one visit says about one benchmark: samples of both sides in, one integer out.
 *
 *     d = Q12(log candidate samples) - Q12(log baseline samples)
 *
 * Q12 is the 12 % quantile. Interruptions only ever add time, so the lower part of the samples is
 * the cost of the code itself; the least sample would be biased and depend on how many there are.
 * Both sides must have run the same number of iterations a sample.
 *
 * d is kept as **millionths of the log ratio in an int32_t**, in the artifact and before it is
 * judged: what was stored can be judged again to the same verdict, and -d is the swapped sides' d.
 */
#ifndef RUNNER_STATS_ESTIMATE_H
#define RUNNER_STATS_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

#define ESTIMATE_QUANTILE 0.12
#define ESTIMATE_SAMPLES_MAX 1024 /* a side; what comes after them is left out */

struct estimate_samples {
	const uint64_t *ns; /* borrowed; CPU time of one sample, with the clock's overhead in it */
	size_t count;       /* at least 1 */
};

/*
 * Q12 of the logs of (sample - overhead_ns), samples of no more than the overhead counting as 1 ns.
 * exp() of it is the cost of one sample in ns.
 */
double estimate_low_log(const struct estimate_samples *samples, double overhead_ns);

/* d of one visit. */
int32_t estimate_visit(const struct estimate_samples *candidate,
	const struct estimate_samples *baseline, double overhead_ns);

#endif
