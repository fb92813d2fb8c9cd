#include "runner/stats/judge.h"

#include "runner/stats/student.h"
#include "runner/stats/wilcoxon.h"

#include <math.h>

#define MILLIONTH 1e-6

int32_t judge_millionths(double log_ratio)
{
	double scaled = round(log_ratio / MILLIONTH);

	if (scaled <= -INT32_MAX)
		return -INT32_MAX;
	return scaled < INT32_MAX ? (int32_t)scaled : INT32_MAX;
}

/* How far Huber's interval reaches to either side. */
static double huber_reach(const struct judge *judge)
{
	return student_quantile(judge->rules.alpha, judge->figures_pairs - 1) * judge->huber.error;
}

static void update_figures(struct judge *judge)
{
	double logs[CONFIRM_PAIRS_MAX], reach;

	for (uint32_t i = 0; i < judge->pairs_count; i++)
		logs[i] = judge->pairs[i] * MILLIONTH;
	huber_estimate(&judge->huber, logs, judge->pairs_count);
	judge->figures_pairs = judge->pairs_count;
	judge->figures_first = judge->pairs_total - judge->pairs_count;
	if (judge->pairs_count < 2)
		return;
	reach = huber_reach(judge);
	judge->interval = (struct confirm_interval){
		judge->huber.location - reach, judge->huber.location + reach, judge->pairs_count};
}

/* False where there are too few pairs for ranks to bound anything: the interval is left alone. */
static bool widen_by_ranks(const struct judge *judge, struct confirm_interval *interval)
{
	double low, high;

	if (!wilcoxon_bounds(&low, &high, judge->pairs, judge->pairs_count, judge->rules.alpha))
		return false;
	interval->low = fmin(interval->low, low * MILLIONTH);
	interval->high = fmax(interval->high, high * MILLIONTH);
	return true;
}

static void look(struct judge *judge)
{
	struct confirm_interval interval = judge->interval;
	int finding = confirm_finding(&judge->rules, &interval);
	bool below = interval.high < log(judge->rules.limit_ratio);

	/* A wider interval decides nothing that the narrower one does not: ranks cost more. */
	if ((finding || below) && !widen_by_ranks(judge, &interval))
		interval = (struct confirm_interval){-INFINITY, INFINITY, interval.pairs};
	if (confirm_look(&judge->confirm, &judge->rules, &interval)) {
		judge->interval = interval;
		judge->pairs_count = 0;
	}
}

void judge_start(struct judge *judge, const struct judge_rules *rules)
{
	*judge = (struct judge){.rules = *rules};
	confirm_start(&judge->confirm, rules);
}

void judge_add(struct judge *judge, int32_t log_ratio_millionths)
{
	if (judge->confirm.settled)
		return;
	judge->pairs[judge->pairs_count++] = log_ratio_millionths;
	judge->pairs_total++;
	if (judge->confirm.stage == 1 || judge->pairs_count >= judge->rules.pairs_min)
		update_figures(judge);
	if (judge->pairs_count >= judge->rules.pairs_min)
		look(judge);
}

void judge_result(const struct judge *judge, struct judge_result *result)
{
	struct confirm_interval interval = judge->interval;
	double location = judge->huber.location;

	*result = (struct judge_result){
		.verdict = judge->confirm.verdict,
		.settled = judge->confirm.settled,
		.stage = judge->confirm.stage,
		.direction = judge->confirm.direction,
		.pairs_total = judge->pairs_total,
	};
	if (judge->figures_pairs < 2)
		return;
	/* Figures that stage 1 left behind are wide already, and their pairs are forgotten. */
	if (judge->pairs_count == judge->figures_pairs)
		(void)widen_by_ranks(judge, &interval);
	result->pairs = judge->figures_pairs;
	result->pairs_first = judge->figures_first;
	result->ratio = exp(location);
	result->ratio_low = exp(interval.low);
	result->ratio_high = exp(interval.high);
	/* At a loss of two reaches beyond the limit the lower bound passes it but for alpha. */
	result->smallest_loss_ratio = judge->rules.limit_ratio *
				      exp(huber_reach(judge) + location - interval.low);
	result->noise = judge->huber.spread;
}

void judge_series(struct judge_result *result, const struct judge_rules *rules,
	const int32_t *pairs, size_t count)
{
	struct judge judge;

	judge_start(&judge, rules);
	for (size_t i = 0; i < count && !judge.confirm.settled; i++)
		judge_add(&judge, pairs[i]);
	judge_result(&judge, result);
}

/* Pairs until the interval reaches no further than `gap`: it shrinks with their root. */
static double pairs_for_gap(const struct judge *judge, double gap)
{
	double reach = huber_reach(judge) / gap;

	return reach * reach * judge->figures_pairs;
}

uint32_t judge_pairs_missing(const struct judge *judge)
{
	double limit = log(judge->rules.limit_ratio), least = judge->rules.pairs_min;
	double have = judge->pairs_count, centre = judge->huber.location, needed, missing;

	if (judge->confirm.settled)
		return 0;
	if (judge->pairs_count < judge->rules.pairs_min)
		return judge->rules.pairs_min - judge->pairs_count;
	needed = pairs_for_gap(judge, centre - limit);
	/* `same` also waits for the other side to be excluded, but not beyond twice the least. */
	if (centre < limit)
		needed = fmax(needed, fmin(pairs_for_gap(judge, centre + limit), 2 * least));
	missing = fmax(ceil(needed - have), 1);
	if (centre > limit && judge->confirm.stage == 1)
		missing += fmax(least, needed);
	return missing < UINT32_MAX ? (uint32_t)missing : UINT32_MAX;
}

bool judge_wants_more_samples(const struct judge *judge)
{
	return judge->figures_pairs >= JUDGE_SPREAD_PAIRS_MIN &&
	       judge->huber.spread > JUDGE_SPREAD_WANTED;
}
