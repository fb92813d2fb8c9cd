#include "runner/stats/order.h"

#include "sandbox/base/attr.h"

#include <math.h>

static void sort_with_gap(double *values, size_t count, size_t gap)
{
	for (size_t i = gap; i < count; i++) {
		double value = values[i];
		size_t place = i;

		while (place >= gap && values[place - gap] > value) {
			values[place] = values[place - gap];
			place -= gap;
		}
		values[place] = value;
	}
}

void order_sort(double *values, size_t count)
{
	static const size_t gaps[] = {1750, 701, 301, 132, 57, 23, 10, 4, 1};

	for (size_t i = 0; i < ARRAY_LENGTH(gaps); i++)
		if (gaps[i] < count)
			sort_with_gap(values, count, gaps[i]);
}

double order_quantile(const double *sorted, size_t count, double q)
{
	double rank, share;
	size_t below;

	if (count == 0)
		return 0;
	rank = q * (double)(count - 1);
	below = (size_t)rank;
	if (below + 1 >= count)
		return sorted[count - 1];
	share = rank - (double)below;
	return sorted[below] + share * (sorted[below + 1] - sorted[below]);
}

double order_median(const double *sorted, size_t count)
{
	return order_quantile(sorted, count, 0.5);
}

double order_mad(const double *values, size_t count, double centre, double *scratch)
{
	for (size_t i = 0; i < count; i++)
		scratch[i] = fabs(values[i] - centre);
	order_sort(scratch, count);
	return order_median(scratch, count);
}
