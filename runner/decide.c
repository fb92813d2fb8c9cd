#include "runner/decide.h"

#include "runner/report/figures.h"
#include "runner/stats/across.h"
#include "runner/stats/judge.h"
#include "runner/stats/null.h"
#include "runner/verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void decide_rules(struct judge_rules *rules, const struct report_benchmark *benchmark)
{
	*rules = (struct judge_rules){
		.limit_ratio = benchmark->limit,
		.alpha = benchmark->alpha,
		.pairs_min = benchmark->pairs_min,
		.pairs_max = benchmark->pairs_max,
	};
}

/* Found, not judged. */
static bool is_fact(const struct report_benchmark *benchmark)
{
	return benchmark->verdict == VERDICT_ERROR || benchmark->verdict == VERDICT_ADDED ||
	       benchmark->verdict == VERDICT_REMOVED;
}

bool decide_pooled(const struct report_benchmark *benchmark)
{
	return !is_fact(benchmark) && !benchmark->counts_only && !benchmark->identical &&
	       benchmark->pairs_count > 0;
}

void decide_across_rules(struct judge_rules *rules, const struct report *report)
{
	*rules = (struct judge_rules){
		.limit_ratio = report->limits.across,
		.alpha = (1 - report->limits.confidence) / 2,
	};
	for (uint32_t i = 0; i < report->benchmarks_count; i++) {
		const struct report_benchmark *benchmark = &report->benchmarks[i];

		if (!decide_pooled(benchmark))
			continue;
		if (benchmark->pairs_min > rules->pairs_min)
			rules->pairs_min = benchmark->pairs_min;
		if (benchmark->pairs_max > rules->pairs_max)
			rules->pairs_max = benchmark->pairs_max;
	}
}

static double bounded(double ratio)
{
	return fmin(ratio, SCHEMA_RATIO_MAX);
}

static struct report_ratio bounded_ratio(double ratio, double low, double high)
{
	return (struct report_ratio){bounded(ratio), bounded(low), bounded(high)};
}

/* What this run pools. `varied`: only benchmarks whose time may decide by itself. */
static size_t collect(struct series *series, const struct report *report, bool varied)
{
	size_t count = 0;

	for (uint32_t i = 0; i < report->benchmarks_count; i++) {
		const struct report_benchmark *benchmark = &report->benchmarks[i];

		if (!decide_pooled(benchmark) || (varied && benchmark->layout == LAYOUT_FIXED))
			continue;
		series[count] = (struct series){
			.pairs = benchmark->pairs,
			.visits = benchmark->visits,
			.count = benchmark->pairs_count,
			.nulls = benchmark->nulls,
			.nulls_count = benchmark->nulls_count,
		};
		count++;
	}
	return count;
}

size_t decide_across_series(struct series *series, const struct report *report, bool *is_fixed)
{
	size_t varied = collect(series, report, !report->limits.strict);
	size_t count = varied > 0 ? varied : collect(series, report, false);

	*is_fixed = varied == 0 && count > 0;
	return count;
}

static int decide_null(
	struct report *report, const struct series *series, size_t count, struct err *err)
{
	char reason[VERDICT_REASON_BYTES] = "";
	struct null_result null;

	null_judge(&null, series, count, report->limits.cpu);
	if (null.biased)
		(void)snprintf(reason, sizeof(reason),
			"baseline against baseline differs by %s, more than chance explains",
			figures_percent(exp(null.bias)).text);
	else if (!null.trusted)
		(void)snprintf(reason, sizeof(reason),
			"%u of %u pairs of baseline against baseline differ by more than %s, "
			"chance explains %.1f",
			null.beyond, null.pairs, figures_limit(report->limits.cpu).text,
			null.beyond_expected);
	report->null_trusted = null.trusted;
	report->noise_floor = bounded(null.noise_floor);
	return report_set(&report->null_reason, reason, SCHEMA_TEXT_BYTES_MAX, err);
}

static int decide_benchmark(
	struct report_benchmark *benchmark, const struct report *report, struct err *err)
{
	struct judge_result time;
	struct judge_rules rules;
	struct verdict_said said;
	struct judge judge;
	struct shape shape;

	decide_rules(&rules, benchmark);
	judge_start(&judge, &rules);
	for (uint32_t i = 0; i < benchmark->pairs_count; i++)
		judge_add(&judge, benchmark->pairs[i]);
	judge_result(&judge, &time);
	shape_look(&shape, time.pairs ? benchmark->pairs + time.pairs_first : NULL, time.pairs);
	verdict_of_benchmark(&said,
		&(struct verdict_evidence){
			.benchmark = benchmark,
			.time = &time,
			.shape = &shape,
			.pairs_missing = judge_pairs_missing(&judge),
			.strict = report->limits.strict,
			.machine_distrust = report->null_trusted ? NULL : report->null_reason,
		});
	benchmark->verdict = said.verdict;
	benchmark->cpu = bounded_ratio(time.ratio, time.ratio_low, time.ratio_high);
	benchmark->smallest_loss = bounded(time.smallest_loss_ratio);
	benchmark->confirmed = time.settled && time.stage == 2;
	benchmark->bimodal = shape.bimodal;
	benchmark->drifting = shape.drifting;
	return report_set(&benchmark->reason, said.reason, SCHEMA_TEXT_BYTES_MAX, err);
}

static int decide_across(struct report *report, struct series *series, struct err *err)
{
	struct across_result across;
	struct judge_rules rules;
	struct verdict_said said;
	bool is_fixed;
	size_t count = decide_across_series(series, report, &is_fixed);

	decide_across_rules(&rules, report);
	across_replay(&across, &rules, series, count);
	/* Limits that cannot be judged by, where nothing was measured. */
	if (across.verdict == VERDICT_ERROR)
		across.verdict = VERDICT_UNSETTLED;
	verdict_across(
		&said, across.verdict, is_fixed, report->null_trusted ? NULL : report->null_reason);
	report->across_verdict = said.verdict;
	report->across = bounded_ratio(across.ratio, across.ratio_low, across.ratio_high);
	return report_set(&report->across_reason, said.reason, SCHEMA_TEXT_BYTES_MAX, err);
}

static void free_series(struct series **series)
{
	free(*series);
}

int decide_report(struct report *report, struct err *err)
{
	ATTR_CLEANUP(free_series)
	struct series *series = calloc(report->benchmarks_count + (size_t)1, sizeof(*series));
	size_t count;

	if (!series)
		return err_set(err, ERR_OS, "out of memory");
	count = collect(series, report, false);
	if (decide_null(report, series, count, err) < 0)
		return -1;
	for (uint32_t i = 0; i < report->benchmarks_count; i++) {
		struct report_benchmark *benchmark = &report->benchmarks[i];

		if (!is_fact(benchmark) && decide_benchmark(benchmark, report, err) < 0)
			return -1;
	}
	if (decide_across(report, series, err) < 0)
		return -1;
	report->verdict = verdict_of_run(report);
	return 0;
}
