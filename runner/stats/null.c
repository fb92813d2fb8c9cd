#include "runner/stats/null.h"

#include "runner/stats/huber.h"
#include "runner/stats/order.h"
#include "runner/stats/student.h"

#include <math.h>
#include <stdlib.h>

#define MILLIONTH 1e-6
#define CHANCE_DF 3

bool null_is_due(uint32_t visit)
{
	return visit == NULL_EARLY || visit % NULL_EVERY == NULL_EVERY - 2;
}

/* One visit, over benchmarks. */
struct visit_sums {
	double sum, squares; /* of standardised, clipped values */
	uint32_t count, beyond;
};

struct tally {
	struct visit_sums pairs[SERIES_VISITS_MAX], nulls[NULL_VISITS_MAX];
	double limit;
	double beyond_expected;
};

static void add_value(struct visit_sums *visit, double standardised, bool beyond)
{
	double clipped = fmax(-NULL_CLIP, fmin(NULL_CLIP, standardised));

	visit->sum += clipped;
	visit->squares += clipped * clipped;
	visit->count++;
	visit->beyond += beyond;
}

static void add_benchmark(struct tally *tally, const struct series *series)
{
	struct series_part part;
	struct huber huber;
	double widen;

	series_take(&part, series, 0, SERIES_VISITS_MAX - 1);
	if (part.count < NULL_PAIRS_MIN)
		return;
	huber_estimate(&huber, part.logs, part.count);
	/* Residuals from a fitted centre are a little too small. */
	widen = sqrt(part.count / (part.count - 1.0));
	for (uint32_t i = 0; i < part.count; i++) {
		double residual = (part.logs[i] - huber.location) * widen;

		add_value(&tally->pairs[part.visits[i]], residual / huber.spread,
			fabs(residual) > tally->limit);
	}
	for (uint32_t i = 0; i < series->nulls_count && i < NULL_VISITS_MAX; i++) {
		double null = series->nulls[i] * MILLIONTH;

		add_value(&tally->nulls[i], null / huber.spread, fabs(null) > tally->limit);
		tally->beyond_expected += 2 * student_tail(tally->limit / huber.spread, CHANCE_DF);
	}
}

/* Totals of some visits; `visits` counts those that hold anything. */
struct totals {
	double sum, squares, cross; /* cross: sum over visits of products of different values */
	double couples;             /* how many such products */
	uint32_t count, beyond, visits, worst; /* worst: most beyond the limit in one visit */
};

static struct totals add_up(const struct visit_sums *visits, uint32_t count)
{
	struct totals totals = {0};

	for (uint32_t i = 0; i < count; i++) {
		const struct visit_sums *visit = &visits[i];

		totals.sum += visit->sum;
		totals.squares += visit->squares;
		totals.cross += visit->sum * visit->sum - visit->squares;
		totals.couples += (double)visit->count * visit->count - visit->count;
		totals.count += visit->count;
		totals.beyond += visit->beyond;
		totals.visits += visit->count > 0;
		if (visit->beyond > totals.worst)
			totals.worst = visit->beyond;
	}
	return totals;
}

/* Around their mean: a bias all of them share must not hide behind itself. */
static double variance_of(const struct totals *totals)
{
	double count = totals->count;

	if (totals->count < 2)
		return 0;
	return (totals->squares - totals->sum * totals->sum / count) / (count - 1);
}

static void judge_bias(struct null_result *result, double limit, const struct totals *pairs,
	const struct totals *nulls)
{
	double variance = fmax(pairs->squares / pairs->count, variance_of(nulls));
	double shared = pairs->couples > 0 ? fmax(pairs->cross / pairs->couples, 0) : 0;
	double error = sqrt(nulls->count * variance + nulls->couples * shared);

	if (pairs->visits < 2)
		return;
	result->biased = fabs(nulls->sum) >
				 error * student_quantile(NULL_ALPHA / 2, pairs->visits - 1) &&
			 fabs(result->bias) > NULL_BIAS_SHARE * limit;
}

/* P(X >= count), X Poisson with this mean. */
static double poisson_tail(uint32_t count, double mean)
{
	double term = exp(-mean), below = 0;

	for (uint32_t i = 0; i < count; i++) {
		below += term;
		term *= mean / (i + 1);
	}
	return 1 - below;
}

static void judge_scatter(struct null_result *result, const struct tally *tally,
	const struct totals *pairs, const struct totals *nulls)
{
	result->beyond = nulls->beyond;
	result->beyond_expected = tally->beyond_expected;
	result->scattered = nulls->beyond > (uint64_t)pairs->worst * nulls->visits &&
			    poisson_tail(nulls->beyond, tally->beyond_expected) < NULL_ALPHA;
}

/* A null pair as it stands, or how far it is from 0. */
static int64_t null_value(int32_t null, bool distance)
{
	return distance ? llabs((int64_t)null) : null;
}

static uint64_t count_up_to(const struct series *series, size_t count, int64_t bound, bool distance)
{
	uint64_t found = 0;

	for (size_t i = 0; i < count; i++)
		for (uint32_t j = 0; j < series[i].nulls_count; j++)
			found += null_value(series[i].nulls[j], distance) <= bound;
	return found;
}

/* The (lower) median by halving its range: there may be more nulls than there is room to sort. */
static double median_null(const struct series *series, size_t count, bool distance)
{
	int64_t low = INT32_MIN, high = (int64_t)INT32_MAX + 1;
	uint64_t all = count_up_to(series, count, high, distance);

	if (all == 0)
		return 0;
	while (low < high) {
		int64_t middle = low + (high - low) / 2;

		if (2 * count_up_to(series, count, middle, distance) >= all)
			high = middle;
		else
			low = middle + 1;
	}
	return (double)low * MILLIONTH;
}

void null_judge(
	struct null_result *result, const struct series *series, size_t count, double limit_ratio)
{
	struct tally tally = {.limit = log(limit_ratio)};
	struct totals pairs, nulls;

	*result = (struct null_result){.trusted = true};
	for (size_t i = 0; i < count; i++)
		add_benchmark(&tally, &series[i]);
	pairs = add_up(tally.pairs, SERIES_VISITS_MAX);
	nulls = add_up(tally.nulls, NULL_VISITS_MAX);
	result->pairs = nulls.count;
	result->bias = median_null(series, count, false);
	result->noise_floor = ORDER_MAD_TO_SIGMA * median_null(series, count, true);
	if (nulls.count == 0)
		return;
	judge_bias(result, tally.limit, &pairs, &nulls);
	judge_scatter(result, &tally, &pairs, &nulls);
	result->trusted = !result->biased && !result->scattered;
}
