#include "runner/stats/estimate.h"

#include "runner/stats/judge.h"
#include "runner/stats/order.h"

#include <assert.h>
#include <math.h>

double estimate_low_log(const struct estimate_samples *samples, double overhead_ns)
{
	double logs[ESTIMATE_SAMPLES_MAX];
	size_t count = samples->count;

	assert(count > 0);
	if (count > ESTIMATE_SAMPLES_MAX)
		count = ESTIMATE_SAMPLES_MAX;
	for (size_t i = 0; i < count; i++)
		logs[i] = log(fmax((double)samples->ns[i] - overhead_ns, 1));
	order_sort(logs, count);
	return order_quantile(logs, count, ESTIMATE_QUANTILE);
}

int32_t estimate_visit(const struct estimate_samples *candidate,
	const struct estimate_samples *baseline, double overhead_ns)
{
	return judge_millionths(
		estimate_low_log(candidate, overhead_ns) - estimate_low_log(baseline, overhead_ns));
}
