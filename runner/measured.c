#include "runner/measured.h"

#include "runner/decide.h"

#include <stdlib.h>

void measured_start(struct measured *measured, const struct plan_benchmark *planned,
	struct report_benchmark *report)
{
	*measured = (struct measured){
		.planned = planned,
		.report = report,
		.visit = {.name = planned->name, .id = {planned->id[0], planned->id[1]}},
	};
	measured_judge_anew(measured);
}

void measured_judge_anew(struct measured *measured)
{
	struct judge_rules rules;

	decide_rules(&rules, measured->report);
	judge_start(&measured->judge, &rules);
}

bool measured_counts(const struct measured *measured)
{
	return !measured->failed && !measured->report->counts_only && !measured->report->identical;
}

uint32_t measured_missing(const struct measured *measured)
{
	const struct judge *judge = &measured->judge;
	uint32_t missing = measured_counts(measured) ? judge_pairs_missing(judge) : 0;
	uint32_t allowed = judge->rules.pairs_max - judge->pairs_count;

	return missing < allowed ? missing : allowed;
}

int measured_take_failure(struct measured *measured, struct err *err)
{
	const struct visit_benchmark *visit = &measured->visit;
	struct report_benchmark *report = measured->report;

	if (visit->outcome != VISIT_FAILED)
		return 0;
	measured->failed = true;
	report->verdict = VERDICT_ERROR;
	if (report_set(&report->reason, visit->err.text, SCHEMA_TEXT_BYTES_MAX, err) < 0)
		return -1;
	return report_set_log(&report->log, visit->tail ? visit->tail : "", err);
}

static int keep_pair(struct measured *measured, uint32_t number, struct err *err)
{
	struct report_benchmark *report = measured->report;
	const struct visit_benchmark *visit = &measured->visit;

	for (int i = 0; i < VISIT_SIDES; i++) {
		if (typical_add(&measured->figures[i], visit->cpu_ns[i], err) < 0 ||
			typical_add(&measured->figures[VISIT_SIDES + i], visit->wall_ns[i], err) <
				0)
			return -1;
	}
	report->iterations = visit->pace.iterations;
	report->bytes = visit->bytes;
	report->items = visit->items;
	return report_add_pair(report, number, visit->millionths, err);
}

/* A pair more: does it settle, or does it want more samples each? */
static void look(struct measured *measured)
{
	struct visit_pace *pace = &measured->visit.pace;

	judge_add(&measured->judge, measured->visit.millionths);
	if (!measured->judge.confirm.settled && judge_wants_more_samples(&measured->judge) &&
		pace->alternations < MEASURED_ALTERNATIONS_MAX)
		pace->alternations *= 2;
}

int measured_take(struct measured *measured, uint32_t visit, bool null, struct err *err)
{
	if (measured->visit.outcome != VISIT_MEASURED)
		return measured_take_failure(measured, err);
	measured->visit_s = measured->visit.elapsed_s;
	if (null)
		return report_add_null(measured->report, measured->visit.millionths, err);
	look(measured);
	return keep_pair(measured, visit, err);
}

void measured_finish(struct measured *measured)
{
	struct report_benchmark *report = measured->report;

	report->baseline_ns = typical_median(&measured->figures[VISIT_BASELINE]);
	report->candidate_ns = typical_median(&measured->figures[VISIT_CANDIDATE]);
	report->baseline_wall_ns = typical_median(&measured->figures[VISIT_SIDES + VISIT_BASELINE]);
	report->candidate_wall_ns = typical_median(
		&measured->figures[VISIT_SIDES + VISIT_CANDIDATE]);
}

void measured_release(struct measured *measured)
{
	for (size_t i = 0; i < MEASURED_FIGURES; i++)
		typical_release(&measured->figures[i]);
	visit_benchmark_reset(&measured->visit);
}
