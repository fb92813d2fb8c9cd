#include "runner/stats/shape.h"

#include "runner/stats/confirm.h"
#include "runner/stats/huber.h"
#include "runner/stats/kendall.h"
#include "runner/stats/order.h"

#include <math.h>

#define MILLIONTH 1e-6

static double squares_within(const double *values, uint32_t count)
{
	double mean = 0, squares = 0;

	for (uint32_t i = 0; i < count; i++)
		mean += values[i] / count;
	for (uint32_t i = 0; i < count; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	return squares;
}

/* Where the upper cluster begins; 0 where two clusters do not fit. */
static uint32_t best_split(const double *sorted, uint32_t count)
{
	uint32_t least = (count + SHAPE_CLUSTER_SHARE - 1) / SHAPE_CLUSTER_SHARE, best = 0;
	double best_squares = INFINITY;

	if (least < SHAPE_CLUSTER_MIN)
		least = SHAPE_CLUSTER_MIN;
	for (uint32_t split = least; split + least <= count; split++) {
		double squares = squares_within(sorted, split) +
				 squares_within(sorted + split, count - split);

		if (squares < best_squares) {
			best_squares = squares;
			best = split;
		}
	}
	return best;
}

static void look_for_modes(struct shape *shape, const double *sorted, uint32_t count)
{
	double distances[CONFIRM_PAIRS_MAX], low, high, scale, few = SHAPE_FEW_VISITS / count;
	uint32_t split = best_split(sorted, count);

	if (split == 0)
		return;
	low = order_median(sorted, split);
	high = order_median(sorted + split, count - split);
	/* Where the heap is smaller than the least, the split fills it up with strangers. */
	if (sorted[split - 1] > (low + high) / 2 || sorted[split] < (low + high) / 2)
		return;
	for (uint32_t i = 0; i < count; i++)
		distances[i] = sorted[i] - (i < split ? low : high);
	scale = ORDER_MAD_TO_SIGMA * order_mad(distances, count, 0, distances);
	if (high - low <= SHAPE_SCALES_APART * (1 + few * few) * fmax(scale, HUBER_SCALE_MIN))
		return;
	shape->bimodal = true;
	shape->low_ratio = exp(low);
	shape->high_ratio = exp(high);
}

void shape_look(struct shape *shape, const int32_t *pairs, uint32_t count)
{
	double sorted[CONFIRM_PAIRS_MAX];
	struct kendall trend;

	if (count > CONFIRM_PAIRS_MAX)
		count = CONFIRM_PAIRS_MAX;
	for (uint32_t i = 0; i < count; i++)
		sorted[i] = pairs[i] * MILLIONTH;
	order_sort(sorted, count);
	kendall_test(&trend, pairs, count);
	*shape = (struct shape){.tau = trend.tau};
	shape->drifting = trend.probability < SHAPE_DRIFT_ALPHA;
	look_for_modes(shape, sorted, count);
}

enum verdict shape_verdict(const struct shape *shape, enum verdict verdict, double limit_ratio)
{
	bool agree = true;

	if (!shape->bimodal)
		return verdict;
	if (verdict == VERDICT_SLOWER)
		agree = shape->low_ratio > limit_ratio;
	else if (verdict == VERDICT_FASTER)
		agree = shape->high_ratio < 1 / limit_ratio;
	else if (verdict == VERDICT_SAME)
		agree = shape->high_ratio < limit_ratio;
	return agree ? verdict : VERDICT_UNSETTLED;
}
