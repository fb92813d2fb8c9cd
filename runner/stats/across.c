#include "runner/stats/across.h"

#include "runner/stats/huber.h"
#include "runner/stats/student.h"

#include <math.h>

struct pooled {
	double centre, error;
	uint32_t pairs; /* of the benchmark with least */
};

/* What this benchmark adds to the mean, visit by visit. */
static void add_by_visit(
	double *by_visit, const struct series_part *part, const struct huber *huber, double weight)
{
	double clip = ACROSS_CLIP * huber->spread;

	for (uint32_t i = 0; i < part->count; i++) {
		double residual = part->logs[i] - huber->location;

		by_visit[part->visits[i]] += weight * fmax(-clip, fmin(clip, residual));
	}
}

static double clustered_variance(const double *by_visit, uint32_t first, uint32_t visits)
{
	double squares = 0;
	uint32_t used = 0;

	for (uint32_t i = first; i < visits; i++) {
		squares += by_visit[i] * by_visit[i];
		used += by_visit[i] != 0;
	}
	return used > 1 ? squares * used / (used - 1) : 0;
}

/* False where a benchmark has fewer than pairs_min pairs in this stage. */
static bool pool(struct pooled *pooled, const struct across *across, const struct series *series,
	size_t count, uint32_t visit)
{
	double by_visit[SERIES_VISITS_MAX] = {0}, independent = 0, share = 1 / (double)count;
	struct series_part part;
	struct huber huber;

	*pooled = (struct pooled){.pairs = CONFIRM_PAIRS_MAX};
	for (size_t i = 0; i < count; i++) {
		series_take(&part, &series[i], across->first_visit, visit);
		if (part.count < across->rules.pairs_min)
			return false;
		huber_estimate(&huber, part.logs, part.count);
		add_by_visit(by_visit, &part, &huber, share / part.count);
		pooled->centre += share * huber.location;
		independent += share * share * huber.error * huber.error;
		if (part.count < pooled->pairs)
			pooled->pairs = part.count;
	}
	pooled->error = sqrt(fmax(
		independent, clustered_variance(by_visit, across->first_visit, SERIES_VISITS_MAX)));
	return count > 0;
}

void across_start(struct across *across, const struct judge_rules *rules)
{
	*across = (struct across){.rules = *rules};
	confirm_start(&across->confirm, rules);
}

void across_look(struct across *across, const struct series *series, size_t count, uint32_t visit)
{
	struct confirm_interval interval;
	struct pooled pooled;
	double reach;

	if (across->confirm.settled || !pool(&pooled, across, series, count, visit))
		return;
	reach = student_quantile(across->rules.alpha, pooled.pairs - 1) * pooled.error;
	interval = (struct confirm_interval){
		pooled.centre - reach, pooled.centre + reach, pooled.pairs};
	across->centre = pooled.centre;
	across->low = interval.low;
	across->high = interval.high;
	across->pairs = pooled.pairs;
	if (confirm_look(&across->confirm, &across->rules, &interval))
		across->first_visit = visit + 1;
}

bool across_wants_all(const struct across *across)
{
	return across->confirm.stage == 2 && !across->confirm.settled;
}

/* Visits until the interval reaches no further than `gap`: it shrinks with their root. */
static double visits_for_gap(const struct across *across, double gap)
{
	double reach = (across->high - across->low) / 2 / gap;

	return reach * reach * across->pairs;
}

uint32_t across_visits_missing(const struct across *across, uint32_t visit)
{
	double limit = log(across->rules.limit_ratio), least = across->rules.pairs_min;
	double needed, missing;

	if (across->confirm.settled)
		return 0;
	if (across_wants_all(across) && visit + 1 < across->first_visit + across->rules.pairs_min)
		return across->first_visit + across->rules.pairs_min - (visit + 1);
	if (across->pairs == 0)
		return UINT32_MAX;
	needed = visits_for_gap(across, across->centre - limit);
	/* As for one benchmark: `same` waits for the other side no longer than twice the least. */
	if (across->centre < limit)
		needed = fmax(
			needed, fmin(visits_for_gap(across, across->centre + limit), 2 * least));
	if (!(needed <= across->rules.pairs_max))
		return UINT32_MAX;
	missing = fmax(ceil(needed - across->pairs), 1);
	if (across->centre > limit && across->confirm.stage == 1)
		missing += fmax(least, needed);
	return (uint32_t)missing;
}

void across_result(const struct across *across, struct across_result *result)
{
	*result = (struct across_result){
		.verdict = across->confirm.verdict,
		.settled = across->confirm.settled,
		.stage = across->confirm.stage,
		.direction = across->confirm.direction,
		.pairs = across->pairs,
	};
	if (across->pairs == 0)
		return;
	result->ratio = exp(across->centre);
	result->ratio_low = exp(across->low);
	result->ratio_high = exp(across->high);
}

void across_replay(struct across_result *result, const struct judge_rules *rules,
	const struct series *series, size_t count)
{
	bool measured[SERIES_VISITS_MAX] = {false};
	struct across across;

	for (size_t i = 0; i < count; i++)
		for (uint32_t j = 0; j < series[i].count; j++)
			if (series[i].visits[j] < SERIES_VISITS_MAX)
				measured[series[i].visits[j]] = true;
	across_start(&across, rules);
	for (uint32_t visit = 0; visit < SERIES_VISITS_MAX && !across.confirm.settled; visit++)
		if (measured[visit])
			across_look(&across, series, count, visit);
	across_result(&across, result);
}
