#include "runner/artifact/validate.h"

#include "runner/stats/confirm.h"

#include <stdlib.h>
#include <string.h>

static bool ratio_makes_sense(const struct report_ratio *ratio)
{
	return ratio->low <= ratio->ratio && ratio->ratio <= ratio->high;
}

static bool visits_ascend(const struct report_benchmark *benchmark)
{
	for (uint32_t i = 1; i < benchmark->pairs_count; i++)
		if (benchmark->visits[i] < benchmark->visits[i - 1])
			return false;
	return true;
}

static bool rules_make_sense(const struct report_benchmark *benchmark)
{
	struct judge_rules rules = {
		.limit_ratio = benchmark->limit,
		.alpha = benchmark->alpha,
		.pairs_min = benchmark->pairs_min,
		.pairs_max = benchmark->pairs_max,
	};

	return confirm_rules_valid(&rules);
}

/* What is wrong with it; NULL = nothing. */
static const char *benchmark_fault(const struct report_benchmark *benchmark)
{
	if (!*benchmark->name)
		return "name: empty";
	if (!ratio_makes_sense(&benchmark->cpu))
		return "cpu: the ratio lies outside its interval";
	if (!visits_ascend(benchmark))
		return "visits: not in order";
	/* Nobody can judge pairs by rules that make no sense. */
	if (benchmark->pairs_count > 0 && !rules_make_sense(benchmark))
		return "limit, alpha, pairs_min or pairs_max: out of range";
	return NULL;
}

static int compare_names(const void *a, const void *b)
{
	const struct report_benchmark *const *left = a, *const *right = b;

	return strcmp((*left)->name, (*right)->name);
}

static void free_order(const struct report_benchmark ***order)
{
	free(*order);
}

static int check_names(const struct report *report, struct err *err)
{
	size_t count = report->benchmarks_count;
	ATTR_CLEANUP(free_order)
	const struct report_benchmark **order = calloc(
		count + 1, sizeof(struct report_benchmark *));

	if (!order)
		return err_set(err, ERR_OS, "out of memory");
	for (size_t i = 0; i < count; i++)
		order[i] = &report->benchmarks[i];
	qsort(order, count, sizeof(struct report_benchmark *), compare_names);
	for (size_t i = 1; i < count; i++)
		if (strcmp(order[i]->name, order[i - 1]->name) == 0)
			return err_set(err, ERR_HOSTILE, "benchmarks: '%s' is there twice",
				order[i]->name);
	return 0;
}

int validate_report(const struct report *report, struct err *err)
{
	if (!ratio_makes_sense(&report->across))
		return err_set(err, ERR_HOSTILE, "across: the ratio lies outside its interval");
	if (*report->failure && report->verdict == RUN_PASSED)
		return err_set(err, ERR_HOSTILE, "failure: of a run that passed");
	for (uint32_t i = 0; i < report->benchmarks_count; i++) {
		const char *fault = benchmark_fault(&report->benchmarks[i]);

		if (fault)
			return err_set(err, ERR_HOSTILE, "benchmarks[%u].%s", i, fault);
	}
	return check_names(report, err);
}
