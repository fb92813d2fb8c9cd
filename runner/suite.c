#include "runner/suite.h"

#include "runner/measure.h"
#include "runner/stats/family.h"

/* What the candidate runs it with; one that was removed has nothing there. */
static const char *worker_of(const struct config *config, uint32_t source)
{
	const struct config_benchmark *configured;

	if (source >= config->benchmarks_count)
		return "";
	configured = &config->benchmarks[source];
	return configured->kind == CONFIG_WORKER ? configured->worker
						 : configured->command.items[0];
}

static int enter(const struct suite *suite, const struct plan *plan,
	const struct plan_benchmark *planned, struct report *report, struct err *err)
{
	struct report_benchmark *benchmark;
	struct limits limits;
	bool added = planned->source[SANDBOX_BASELINE] == PLAN_ABSENT;
	bool removed = planned->source[SANDBOX_CANDIDATE] == PLAN_ABSENT;

	config_effective_limits(suite->gate, planned->name, &limits);
	if (report_add_benchmark(report, &benchmark, err) < 0 ||
		report_set(&benchmark->name, planned->name, SCHEMA_NAME_BYTES_MAX, err) < 0 ||
		report_set(&benchmark->worker,
			worker_of(suite->gate, planned->source[SANDBOX_CANDIDATE]),
			SCHEMA_TEXT_BYTES_MAX, err) < 0)
		return -1;
	benchmark->verdict = added ? VERDICT_ADDED : removed ? VERDICT_REMOVED : VERDICT_UNSETTLED;
	benchmark->limit = limits.cpu;
	benchmark->counts_only = limits.counts_only || planned->counts_only;
	benchmark->identical = suite->identical && !added && !removed;
	benchmark->alpha = family_alpha(suite->gate->confidence, (uint32_t)plan->count);
	benchmark->pairs_min = MEASURE_PAIRS_MIN;
	benchmark->pairs_max = suite->layout == LAYOUT_FIXED ? MEASURE_PAIRS_MAX_FIXED
							     : MEASURE_PAIRS_MAX;
	benchmark->layout = suite->layout;
	if (planned->counts_only_changed &&
		report_note(report->gate_changes, err,
			"%s: counts_only differs between the versions", planned->name) < 0)
		return -1;
	return report_set(
		&benchmark->layout_reason, suite->layout_reason, SCHEMA_TEXT_BYTES_MAX, err);
}

int suite_enter(
	const struct suite *suite, const struct plan *plan, struct report *report, struct err *err)
{
	for (size_t i = 0; i < plan->count; i++) {
		if (enter(suite, plan, &plan->benchmarks[i], report, err) < 0)
			return -1;
	}
	return 0;
}
