#include "runner/stats/huber.h"

#include "runner/stats/order.h"

#include <math.h>

#define STEPS_MAX 200
#define STEP_MIN 1e-10

/*
 * A location far from the median can leave few residuals inside the bend; the error stays finite.
 * At least half of them lie within one scale of the median, so this acts only on extreme skew.
 */
#define INSIDE_MIN 0.3

static double weighted_mean(const double *values, uint32_t count, double centre, double bend)
{
	double weights = 0, sum = 0;

	for (uint32_t i = 0; i < count; i++) {
		double distance = fabs(values[i] - centre);
		double weight = distance <= bend ? 1 : bend / distance;

		weights += weight;
		sum += weight * (values[i] - centre);
	}
	return centre + sum / weights;
}

static double sandwich_error(const double *values, uint32_t count, double centre, double scale)
{
	double squares = 0, inside = 0;

	for (uint32_t i = 0; i < count; i++) {
		double psi = (values[i] - centre) / scale;

		if (fabs(psi) < HUBER_K)
			inside++;
		psi = fmax(-HUBER_K, fmin(HUBER_K, psi));
		squares += psi * psi;
	}
	inside = fmax(inside / count, INSIDE_MIN);
	return scale * sqrt(squares / (count - 1)) / (inside * sqrt(count));
}

void huber_estimate(struct huber *out, const double *values, uint32_t count)
{
	double scratch[HUBER_COUNT_MAX], centre, scale;

	if (count > HUBER_COUNT_MAX)
		count = HUBER_COUNT_MAX;
	if (count < 2) {
		*out = (struct huber){count ? values[0] : 0, INFINITY, INFINITY};
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		scratch[i] = values[i];
	order_sort(scratch, count);
	centre = order_median(scratch, count);
	scale = fmax(
		ORDER_MAD_TO_SIGMA * order_mad(scratch, count, centre, scratch), HUBER_SCALE_MIN);
	for (int i = 0; i < STEPS_MAX; i++) {
		double before = centre;

		centre = weighted_mean(values, count, before, HUBER_K * scale);
		if (fabs(centre - before) < STEP_MIN)
			break;
	}
	out->location = centre;
	out->error = fmax(sandwich_error(values, count, centre, scale), HUBER_ERROR_MIN);
	out->spread = out->error * sqrt(count);
}
