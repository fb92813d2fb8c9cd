#include "runner/stats/confirm.h"

#include <math.h>

static void settle(struct confirm *confirm, enum verdict verdict)
{
	confirm->settled = true;
	confirm->verdict = verdict;
}

bool confirm_rules_valid(const struct judge_rules *rules)
{
	return isfinite(rules->limit_ratio) && rules->limit_ratio > 1 && rules->alpha > 0 &&
	       rules->alpha < 0.5 && rules->pairs_min >= 2 &&
	       rules->pairs_min <= rules->pairs_max && rules->pairs_max <= CONFIRM_PAIRS_MAX;
}

void confirm_start(struct confirm *confirm, const struct judge_rules *rules)
{
	*confirm = (struct confirm){.stage = 1, .verdict = VERDICT_UNSETTLED};
	if (!confirm_rules_valid(rules))
		settle(confirm, VERDICT_ERROR);
}

int confirm_finding(const struct judge_rules *rules, const struct confirm_interval *interval)
{
	double limit = log(rules->limit_ratio);

	return (interval->low > limit) - (interval->high < -limit);
}

static bool is_same(const struct judge_rules *rules, const struct confirm_interval *interval)
{
	double limit = log(rules->limit_ratio);

	return interval->high < limit &&
	       (interval->low > -limit || interval->pairs >= 2 * rules->pairs_min);
}

bool confirm_look(struct confirm *confirm, const struct judge_rules *rules,
	const struct confirm_interval *interval)
{
	int finding = confirm_finding(rules, interval);

	if (confirm->settled || interval->pairs < rules->pairs_min)
		return false;
	if (finding && confirm->stage == 1) {
		confirm->stage = 2;
		confirm->direction = finding;
		return true;
	}
	if (finding && finding != confirm->direction)
		settle(confirm, VERDICT_SAME);
	else if (finding)
		settle(confirm, finding > 0 ? VERDICT_SLOWER : VERDICT_FASTER);
	else if (is_same(rules, interval))
		settle(confirm, VERDICT_SAME);
	else if (interval->pairs >= rules->pairs_max)
		settle(confirm, VERDICT_UNSETTLED);
	return false;
}
