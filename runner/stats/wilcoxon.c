#include "runner/stats/wilcoxon.h"

#include "runner/stats/order.h"

#include <math.h>

/* By symmetry of the statistic its lower half is enough: alpha is below one half. */
#define HALF_SUM_MAX (WILCOXON_COUNT_MAX * (WILCOXON_COUNT_MAX + 1) / 4)

uint32_t wilcoxon_rank(uint32_t count, double alpha)
{
	double probability[HALF_SUM_MAX + 1] = {1};
	uint32_t half, rank = 0;
	double reached = 0;

	if (count > WILCOXON_COUNT_MAX)
		count = WILCOXON_COUNT_MAX;
	half = count * (count + 1) / 4;
	/* Rank i counts as positive or not, each with probability 1/2, whatever the others do. */
	for (uint32_t i = 1; i <= count; i++) {
		for (uint32_t sum = half + 1; sum-- > 0;)
			probability[sum] = (probability[sum] +
						   (sum >= i ? probability[sum - i] : 0)) /
					   2;
	}
	while (rank <= half && reached + probability[rank] <= alpha)
		reached += probability[rank++];
	return rank;
}

/* How many pairs i <= j of the sorted values have a sum of at most `limit`. */
static uint32_t count_sums(const double *sorted, uint32_t count, double limit)
{
	uint32_t end = count, found = 0;

	for (uint32_t i = 0; i < end; i++) {
		while (end > i && sorted[i] + sorted[end - 1] > limit)
			end--;
		found += end - i;
	}
	return found;
}

/* The rank-th smallest (from 1) of those sums. All are integers, so halving the range ends. */
static double select_sum(const double *sorted, uint32_t count, uint32_t rank)
{
	double low = 2 * sorted[0], high = 2 * sorted[count - 1];

	while (low < high) {
		double middle = floor((low + high) / 2);

		if (count_sums(sorted, count, middle) >= rank)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

bool wilcoxon_bounds(double *low, double *high, const int32_t *values, uint32_t count, double alpha)
{
	double sorted[WILCOXON_COUNT_MAX];
	uint32_t rank;

	if (count > WILCOXON_COUNT_MAX)
		count = WILCOXON_COUNT_MAX;
	rank = wilcoxon_rank(count, alpha);
	if (rank == 0) {
		*low = -INFINITY;
		*high = INFINITY;
		return false;
	}
	for (uint32_t i = 0; i < count; i++)
		sorted[i] = values[i];
	order_sort(sorted, count);
	*low = select_sum(sorted, count, rank) / 2;
	*high = select_sum(sorted, count, count * (count + 1) / 2 - rank + 1) / 2;
	return true;
}
