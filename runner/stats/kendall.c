#include "runner/stats/kendall.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HALF_MAX (KENDALL_COUNT_MAX * (KENDALL_COUNT_MAX - 1) / 4)

/* P(at most `wrong` pairs in wrong order), wrong <= HALF_MAX. */
static double at_most(uint32_t wrong, uint32_t count)
{
	double now[HALF_MAX + 1] = {1}, before[HALF_MAX + 1], sum = 0;

	for (uint32_t i = 2; i <= count; i++) {
		double window = 0;

		memcpy(before, now, sizeof(now));
		for (uint32_t k = 0; k <= wrong; k++) {
			window += before[k] - (k >= i ? before[k - i] : 0);
			now[k] = window / i;
		}
	}
	for (uint32_t k = 0; k <= wrong; k++)
		sum += now[k];
	return sum;
}

void kendall_test(struct kendall *out, const int32_t *values, uint32_t count)
{
	int32_t balance = 0;
	uint32_t pairs;

	*out = (struct kendall){.probability = 1};
	if (count > KENDALL_COUNT_MAX)
		count = KENDALL_COUNT_MAX;
	if (count < 2)
		return;
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t j = i + 1; j < count; j++)
			balance += (values[j] > values[i]) - (values[j] < values[i]);
	pairs = count * (count - 1) / 2;
	out->tau = (double)balance / pairs;
	/* The rarer order's pairs, ties halved, rounded up: towards the middle. */
	out->probability = fmin(1, 2 * at_most((pairs - (uint32_t)abs(balance) + 1) / 2, count));
}
