#include "runner/report/summary.h"

#include "runner/report/figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a reader wants to see first. */
static const unsigned ranks[VERDICT_COUNT] = {
	[VERDICT_SLOWER] = 0,
	[VERDICT_ERROR] = 1,
	[VERDICT_UNSETTLED] = 2,
	[VERDICT_FASTER] = 3,
	[VERDICT_REMOVED] = 4,
	[VERDICT_ADDED] = 5,
	[VERDICT_SAME] = 6,
};

struct place {
	const struct report_benchmark *benchmark;
	uint32_t index;
};

/* By verdict, then the greatest change first, then as the report has them. */
static int compare_places(const void *a, const void *b)
{
	const struct place *left = a, *right = b;
	unsigned left_rank = ranks[left->benchmark->verdict];
	unsigned right_rank = ranks[right->benchmark->verdict];
	double left_ratio = left->benchmark->cpu.ratio, right_ratio = right->benchmark->cpu.ratio;

	if (left_rank != right_rank)
		return left_rank < right_rank ? -1 : 1;
	if (left->benchmark->verdict == VERDICT_SLOWER && left_ratio != right_ratio)
		return left_ratio > right_ratio ? -1 : 1;
	if (left->benchmark->verdict == VERDICT_FASTER && left_ratio != right_ratio)
		return left_ratio < right_ratio ? -1 : 1;
	return left->index < right->index ? -1 : 1;
}

static void free_places(struct place **places)
{
	free(*places);
}

static int make_order(struct summary *summary, const struct report *report, struct err *err)
{
	size_t count = report->benchmarks_count;
	ATTR_CLEANUP(free_places) struct place *places = calloc(count + 1, sizeof(*places));

	summary->order = calloc(count + 1, sizeof(*summary->order));
	if (!places || !summary->order)
		return err_set(err, ERR_OS, "out of memory");
	for (uint32_t i = 0; i < count; i++)
		places[i] = (struct place){&report->benchmarks[i], i};
	qsort(places, count, sizeof(*places), compare_places);
	for (uint32_t i = 0; i < count; i++)
		summary->order[i] = places[i].index;
	return 0;
}

static int compare_doubles(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return left < right ? -1 : left > right;
}

static void free_doubles(double **values)
{
	free(*values);
}

static int find_losses(struct summary *summary, const struct report *report, struct err *err)
{
	size_t count = report->benchmarks_count;
	ATTR_CLEANUP(free_doubles) double *losses = calloc(count + 1, sizeof(*losses));

	if (!losses)
		return err_set(err, ERR_OS, "out of memory");
	for (uint32_t i = 0; i < count; i++) {
		double loss = report->benchmarks[i].smallest_loss;

		if (loss <= 0)
			continue;
		losses[summary->losses++] = loss;
		if (loss > summary->loss_worst) {
			summary->loss_worst = loss;
			summary->worst = i;
		}
	}
	qsort(losses, summary->losses, sizeof(*losses), compare_doubles);
	summary->loss_median = losses[summary->losses / 2];
	return 0;
}

static void count_benchmark(struct summary *summary, const struct report_benchmark *benchmark)
{
	double limit = benchmark->limit;

	summary->verdicts[benchmark->verdict]++;
	if (benchmark->verdict == VERDICT_ADDED || benchmark->verdict == VERDICT_REMOVED)
		return;
	summary->compared++;
	summary->identical += benchmark->identical;
	if (benchmark->pairs_count > 0)
		summary->layouts[benchmark->layout]++;
	if (limit <= 0 || benchmark->counts_only)
		return;
	if (summary->judged++ == 0)
		summary->limit_low = summary->limit_high = limit;
	if (limit < summary->limit_low)
		summary->limit_low = limit;
	if (limit > summary->limit_high)
		summary->limit_high = limit;
}

int summary_make(struct summary *summary, const struct report *report, struct err *err)
{
	*summary = (struct summary){0};
	for (uint32_t i = 0; i < report->benchmarks_count; i++)
		count_benchmark(summary, &report->benchmarks[i]);
	if (summary->judged == 0)
		summary->limit_low = summary->limit_high = report->limits.cpu;
	if (make_order(summary, report, err) < 0)
		return -1;
	return find_losses(summary, report, err);
}

void summary_release(struct summary *summary)
{
	free(summary->order);
	*summary = (struct summary){0};
}

/* "limit +2 %" or "limits +1 % to +5 %". */
static void limit_words(char *text, size_t bytes, const struct summary *summary)
{
	struct figure low = figures_limit(summary->limit_low);
	struct figure high = figures_limit(summary->limit_high);

	if (strcmp(low.text, high.text) == 0)
		(void)snprintf(text, bytes, "limit %s", low.text);
	else
		(void)snprintf(text, bytes, "limits %s to %s", low.text, high.text);
}

static void regressed_words(
	char text[SUMMARY_BYTES], const struct summary *summary, const struct report *report)
{
	uint32_t slower = summary->verdicts[VERDICT_SLOWER];
	const char *is_are = summary->compared == 1 ? " is" : slower == 1 ? "s is" : "s are";
	char limit[120], together[150] = "";

	limit_words(limit, sizeof(limit), summary);
	if (report->across_verdict == VERDICT_SLOWER)
		(void)snprintf(together, sizeof(together), "%s together by %s (limit %s)",
			slower ? "; all" : "all benchmarks are slower",
			figures_percent(report->across.ratio).text,
			figures_limit(report->limits.across).text);
	if (slower == 0)
		(void)snprintf(text, SUMMARY_BYTES, "regressed: %s", together);
	else
		(void)snprintf(text, SUMMARY_BYTES, "regressed: %u of %u benchmark%s slower (%s)%s",
			slower, summary->compared, is_are, limit, together);
}

static void passed_words(
	char text[SUMMARY_BYTES], const struct summary *summary, const struct report *report)
{
	char limit[120], unsettled[100] = "";

	limit_words(limit, sizeof(limit), summary);
	if (summary->verdicts[VERDICT_UNSETTLED])
		(void)snprintf(unsettled, sizeof(unsettled), ", %u unsettled%s",
			summary->verdicts[VERDICT_UNSETTLED],
			report->null_trusted ? "" : ": this machine cannot tell");
	if (summary->compared == 0)
		(void)snprintf(text, SUMMARY_BYTES, "passed: there is nothing to compare");
	else if (summary->identical == summary->compared)
		(void)snprintf(text, SUMMARY_BYTES, "passed: %s identical code on both sides",
			summary->compared == 1 ? "the one benchmark is" : "all benchmarks are");
	else if (summary->verdicts[VERDICT_UNSETTLED] == summary->compared)
		(void)snprintf(text, SUMMARY_BYTES, "passed, but nothing was settled (%s)%s", limit,
			unsettled);
	else if (summary->compared == 1)
		(void)snprintf(text, SUMMARY_BYTES,
			"passed: the one benchmark is not slower (%s)%s", limit, unsettled);
	else
		(void)snprintf(text, SUMMARY_BYTES,
			"passed: none of %u benchmarks is slower (%s)%s", summary->compared, limit,
			unsettled);
}

void summary_headline(
	char text[SUMMARY_BYTES], const struct summary *summary, const struct report *report)
{
	uint32_t errors = summary->verdicts[VERDICT_ERROR];

	switch (report->verdict) {
	case RUN_REGRESSED:
		regressed_words(text, summary, report);
		return;
	case RUN_SKIPPED:
		(void)snprintf(text, SUMMARY_BYTES, "skipped: nothing was measured");
		return;
	case RUN_FAILED:
		if (*report->failure || errors == 0)
			(void)snprintf(text, SUMMARY_BYTES, "failed: could not %s",
				report->benchmarks_count > 0 ? "be measured to the end"
							     : "build or measure");
		else
			(void)snprintf(text, SUMMARY_BYTES,
				"failed: %u of %u benchmark%s could not be measured", errors,
				summary->compared, summary->compared == 1 ? "" : "s");
		return;
	case RUN_PASSED:
	case RUN_VERDICTS:
		break;
	}
	passed_words(text, summary, report);
}

void summary_across(char text[SUMMARY_BYTES], const struct report *report)
{
	if (report->across.ratio > 0)
		(void)snprintf(text, SUMMARY_BYTES, "%s, %s %s, limit %s",
			verdict_name(report->across_verdict),
			figures_percent(report->across.ratio).text,
			figures_interval(&report->across).text,
			figures_limit(report->limits.across).text);
	else
		(void)snprintf(text, SUMMARY_BYTES, "%s, too few pairs to judge by",
			verdict_name(report->across_verdict));
}

void summary_limits(
	char text[SUMMARY_BYTES], const struct summary *summary, const struct report *report)
{
	struct figure low = figures_limit(summary->limit_low);
	struct figure high = figures_limit(summary->limit_high);
	bool one = strcmp(low.text, high.text) == 0;

	(void)snprintf(text, SUMMARY_BYTES, "CPU time %s%s%s, all together %s, confidence %s%s",
		low.text, one ? "" : " to ", one ? "" : high.text,
		figures_limit(report->limits.across).text,
		figures_confidence(report->limits.confidence).text,
		report->limits.strict ? ", strict: time alone decides" : "");
}

void summary_layout(char text[SUMMARY_BYTES], const struct summary *summary)
{
	uint32_t varied = summary->layouts[LAYOUT_VARIED], shared = summary->layouts[LAYOUT_SHARED];
	uint32_t fixed = summary->layouts[LAYOUT_FIXED], all = varied + shared + fixed;

	if (all == 0)
		(void)snprintf(text, SUMMARY_BYTES, "nothing was measured");
	else if (fixed == all)
		(void)snprintf(text, SUMMARY_BYTES, "layout not varied");
	else if (fixed > 0)
		(void)snprintf(text, SUMMARY_BYTES, "layout varied, but not of %u of %u benchmarks",
			fixed, all);
	else if (varied == 0)
		(void)snprintf(
			text, SUMMARY_BYTES, "layout shared: both sides map the same native files");
	else
		(void)snprintf(text, SUMMARY_BYTES,
			"layout varied: every pair ran a fresh random link of each side");
}

size_t summary_layout_reasons(const char **reasons, size_t max, const struct report *report)
{
	size_t count = 0;

	for (uint32_t i = 0; i < report->benchmarks_count && count < max; i++) {
		const struct report_benchmark *benchmark = &report->benchmarks[i];
		size_t j = 0;

		if (benchmark->layout != LAYOUT_FIXED || !*benchmark->layout_reason)
			continue;
		while (j < count && strcmp(reasons[j], benchmark->layout_reason) != 0)
			j++;
		if (j == count)
			reasons[count++] = benchmark->layout_reason;
	}
	return count;
}
