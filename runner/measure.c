#include "runner/measure.h"

#include "runner/decide.h"
#include "runner/pace.h"
#include "runner/stats/judge.h"
#include "runner/visit.h"
#include "sandbox/base/io.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

/* One benchmark that both sides have. */
struct entry {
	const struct plan_benchmark *planned;
	struct report_benchmark *report;
	struct visit_benchmark visit;
	struct judge judge;
	bool open;
};

enum pass_kind {
	PASS_PACE, /* how much of each benchmark makes a sample */
	PASS_PAIR, /* baseline against candidate */
	PASS_NULL, /* baseline against baseline */
};

/* The pass under way. */
struct pass {
	struct measure *in;
	struct entry *entries; /* owned */
	size_t count;
	struct visit_benchmark *batch; /* owned: what one visit is handed */
	size_t *batch_entries;         /* owned: the entry of each */
	struct layout_set sets[2][MEASURE_BATCH];
	unsigned linked, used; /* of the sets */
	unsigned next_layout;
	struct rng rng;
	struct visit_totals totals;
	uint64_t deadline_ns;
	int cpu;
	uint32_t visit;
};

static int fail_benchmark(
	struct report_benchmark *benchmark, const struct visit_benchmark *failed, struct err *err)
{
	benchmark->verdict = VERDICT_ERROR;
	if (report_set(&benchmark->reason, failed->err.text, SCHEMA_TEXT_BYTES_MAX, err) < 0)
		return -1;
	return report_set(
		&benchmark->log, failed->tail ? failed->tail : "", SCHEMA_LOG_BYTES_MAX, err);
}

static int keep_pair(struct pass *pass, struct entry *entry, bool null, struct err *err)
{
	struct report_benchmark *report = entry->report;
	const struct visit_benchmark *visit = &entry->visit;

	if (null)
		return report_add_null(report, visit->millionths, err);
	judge_add(&entry->judge, visit->millionths);
	/* The latest visit's figures stand for all: they are shown, never judged. */
	report->baseline_ns = visit->cpu_ns[VISIT_BASELINE];
	report->candidate_ns = visit->cpu_ns[VISIT_CANDIDATE];
	report->baseline_wall_ns = visit->wall_ns[VISIT_BASELINE];
	report->candidate_wall_ns = visit->wall_ns[VISIT_CANDIDATE];
	report->iterations = visit->pace.iterations;
	report->bytes = visit->bytes;
	report->items = visit->items;
	return report_add_pair(report, pass->visit, visit->millionths, err);
}

/* After a pair: settled, or more samples wanted? */
static void look(struct entry *entry)
{
	struct judge_result result;

	judge_result(&entry->judge, &result);
	if (result.settled)
		entry->open = false;
	else if (judge_wants_more_samples(&entry->judge) && entry->visit.pace.alternations < 32)
		entry->visit.pace.alternations *= 2;
}

/* The open benchmarks of one pair of programs. */
static size_t fill_batch(struct pass *pass, uint32_t baseline, uint32_t candidate)
{
	size_t count = 0;

	for (size_t i = 0; i < pass->count; i++) {
		struct entry *entry = &pass->entries[i];

		if (!entry->open || entry->planned->source[0] != baseline ||
			entry->planned->source[1] != candidate)
			continue;
		visit_benchmark_reset(&entry->visit);
		pass->batch_entries[count] = i;
		pass->batch[count++] = entry->visit;
	}
	return count;
}

static int take_batch(struct pass *pass, size_t count, bool null, struct err *err)
{
	for (size_t i = 0; i < count; i++) {
		struct entry *entry = &pass->entries[pass->batch_entries[i]];
		uint32_t id = (uint32_t)entry->planned->id[1];

		entry->visit = pass->batch[i];
		entry->visit.id[VISIT_CANDIDATE] = id;
		if (entry->visit.outcome == VISIT_FAILED) {
			entry->open = false;
			if (fail_benchmark(entry->report, &entry->visit, err) < 0)
				return -1;
		} else if (entry->visit.outcome == VISIT_MEASURED) {
			if (keep_pair(pass, entry, null, err) < 0)
				return -1;
			if (!null)
				look(entry);
		}
	}
	return 0;
}

static int worker_failed(struct pass *pass, struct visit_failure *failure, struct err *err)
{
	struct side *side = &pass->in->sides[failure->side == VISIT_BASELINE ? 0 : 1];

	if (err->kind == ERR_BENCH && failure->tail)
		(void)text_copy(side->tail, sizeof(side->tail), failure->tail);
	free(failure->tail);
	return -1;
}

static struct visit_plan plan_visit(
	struct pass *pass, uint32_t baseline, uint32_t candidate, bool null)
{
	struct side *sides = pass->in->sides;
	unsigned second = null ? 0 : 1;
	uint32_t second_source = null ? baseline : candidate;

	return (struct visit_plan){
		.launches = {&sides[0].sources[baseline].launch,
			&sides[second].sources[second_source].launch},
		.expected = {&sides[0].sources[baseline].list,
			&sides[second].sources[second_source].list},
		.trees = {&sides[0].tree, &sides[second].tree},
		.benchmarks = pass->batch,
		.cpu = pass->cpu,
		.same_addresses = launch_can_fix_addresses(),
		.careful = pass->visit == 0,
	};
}

/* The paces that were found, into the entries of the batch. */
static int take_paces(struct pass *pass, size_t count, struct err *err)
{
	for (size_t i = 0; i < count; i++) {
		struct entry *entry = &pass->entries[pass->batch_entries[i]];

		entry->visit = pass->batch[i];
		if (entry->visit.outcome != VISIT_FAILED)
			continue;
		entry->open = false;
		if (fail_benchmark(entry->report, &entry->visit, err) < 0)
			return -1;
	}
	return 0;
}

/* The open benchmarks of one pair of programs: find their pace, or measure them. */
static int run_pair(
	struct pass *pass, const uint32_t sources[2], enum pass_kind kind, struct err *err)
{
	size_t count = fill_batch(pass, sources[0], sources[1]);
	bool null = kind == PASS_NULL;
	struct visit_plan plan = plan_visit(pass, sources[0], sources[1], null);
	struct visit_failure failure = {0};
	int result;

	if (count == 0)
		return 0;
	plan.count = count;
	for (size_t i = 0; null && i < count; i++)
		pass->batch[i].id[VISIT_CANDIDATE] = pass->batch[i].id[VISIT_BASELINE];
	result = kind == PASS_PACE ? pace_find(&plan, &pass->rng, &failure, err)
				   : visit_run(&plan, &pass->rng, &pass->totals, &failure, err);
	if (result < 0)
		return worker_failed(pass, &failure, err);
	if (kind == PASS_PACE)
		return take_paces(pass, count, err);
	return take_batch(pass, count, null, err);
}

static int run_all_programs(struct pass *pass, enum pass_kind kind, struct err *err)
{
	const struct side *sides = pass->in->sides;

	for (uint32_t b = 0; b < sides[0].sources_count; b++) {
		for (uint32_t c = 0; c < sides[1].sources_count; c++) {
			if (run_pair(pass, (const uint32_t[]){b, c}, kind, err) < 0)
				return -1;
		}
	}
	return 0;
}

/* Link the next layouts of both sides, on all processors. Nothing is measured meanwhile. */
static int link_batch(struct pass *pass, struct err *err)
{
	uint64_t start_ns = io_now_ns();
	unsigned started[2] = {0, 0};
	struct err waiting = {0};
	int result = 0;

	for (unsigned i = 0; i < MEASURE_BATCH; i++) {
		for (unsigned s = 0; result == 0 && s < 2; s++) {
			result = layout_link_start(&pass->in->sides[s].layout,
				pass->next_layout + i, &pass->sets[s][i], err);
			started[s] += result == 0;
		}
	}
	for (unsigned s = 0; s < 2; s++) {
		for (unsigned i = 0; i < started[s]; i++) {
			if (layout_link_finish(
				    &pass->in->sides[s].layout, &pass->sets[s][i], &waiting) == 0)
				continue;
			pass->sets[s][i] = (struct layout_set){0};
			if (result == 0)
				*err = waiting;
			result = -1;
		}
	}
	pass->next_layout += MEASURE_BATCH;
	pass->linked = MEASURE_BATCH;
	pass->used = 0;
	pass->in->report->time.links += io_seconds_since(start_ns);
	return result;
}

static void drop_sets(struct pass *pass)
{
	for (unsigned s = 0; s < 2; s++) {
		for (unsigned i = 0; i < MEASURE_BATCH; i++)
			layout_set_release(&pass->sets[s][i]);
	}
}

/* New files of both sides at their paths: a layout not used before, or copies. */
static int renew_code(struct pass *pass, struct err *err)
{
	if (!pass->in->varied) {
		if (fresh_put_all(&pass->in->sides[0].fresh, err) < 0)
			return -1;
		return fresh_put_all(&pass->in->sides[1].fresh, err);
	}
	if (pass->used == pass->linked && link_batch(pass, err) < 0)
		return -1;
	for (unsigned s = 0; s < 2; s++) {
		struct layout_set *set = &pass->sets[s][pass->used];

		for (size_t i = 0; i < pass->in->sides[s].fresh.count; i++) {
			if (fresh_put(&pass->in->sides[s].fresh, i, set->fds[i], err) < 0)
				return -1;
		}
		layout_set_release(set);
		*set = (struct layout_set){0};
	}
	pass->used++;
	return 0;
}

static size_t count_open(const struct pass *pass)
{
	size_t open = 0;

	for (size_t i = 0; i < pass->count; i++)
		open += pass->entries[i].open;
	return open;
}

static int run_visits(struct pass *pass, struct err *err)
{
	uint64_t start_ns = io_now_ns();

	while (count_open(pass) > 0 && !*pass->in->stop && io_now_ns() < pass->deadline_ns) {
		bool null = pass->visit % MEASURE_NULL_EVERY == MEASURE_NULL_EVERY / 2;

		log_live(pass->in->log, "visit %u, %.0f s, settled %zu of %zu", pass->visit + 1,
			io_seconds_since(start_ns), pass->count - count_open(pass), pass->count);
		if (null && run_all_programs(pass, PASS_NULL, err) < 0)
			return -1;
		if (renew_code(pass, err) < 0 || run_all_programs(pass, PASS_PAIR, err) < 0)
			return -1;
		pass->visit++;
	}
	return 0;
}

static void start_entry(struct pass *pass, size_t index)
{
	struct entry *entry = &pass->entries[pass->count++];
	struct judge_rules rules;

	entry->planned = &pass->in->plan->benchmarks[index];
	entry->report = &pass->in->report->benchmarks[index];
	entry->open = !entry->report->counts_only;
	entry->visit = (struct visit_benchmark){
		.name = entry->planned->name,
		.id = {entry->planned->id[0], entry->planned->id[1]},
	};
	decide_rules(&rules, entry->report);
	judge_start(&entry->judge, &rules);
}

static int start_pass(struct pass *pass, struct measure *in, struct err *err)
{
	size_t count = in->plan->count;

	*pass = (struct pass){.in = in};
	rng_seed(&pass->rng, in->report->seed);
	pass->cpu = (int)rng_below(&pass->rng, in->report->machine.cores);
	in->report->machine.cpu_used = (uint32_t)pass->cpu;
	pass->entries = calloc(count + 1, sizeof(*pass->entries));
	pass->batch = calloc(count + 1, sizeof(*pass->batch));
	pass->batch_entries = calloc(count + 1, sizeof(*pass->batch_entries));
	if (!pass->entries || !pass->batch || !pass->batch_entries)
		return err_errno(err, ERR_OS, "measure");
	for (size_t i = 0; i < count; i++) {
		const struct plan_benchmark *planned = &in->plan->benchmarks[i];

		if (planned->source[0] != PLAN_ABSENT && planned->source[1] != PLAN_ABSENT)
			start_entry(pass, i);
	}
	pass->deadline_ns = io_now_ns() + (uint64_t)(in->budget_s * 1e9);
	return 0;
}

static void report_time(struct pass *pass)
{
	struct report_time *time = &pass->in->report->time;
	const struct visit_time *spent = &pass->totals.time;

	time->starts += spent->starts + spent->ends + spent->checks;
	time->setup += spent->setup;
	time->warmup += spent->warmup;
	time->samples += spent->samples;
	time->handover += spent->handover;
	if (pass->totals.all_ticks > 0)
		pass->in->report->machine.steal = (double)pass->totals.stolen_ticks /
						  (double)pass->totals.all_ticks;
}

int measure_run(struct measure *measure, struct err *err)
{
	struct pass *pass = calloc(1, sizeof(*pass));
	int result;

	if (!pass)
		return err_errno(err, ERR_OS, "measure");
	result = start_pass(pass, measure, err);
	if (result == 0)
		result = run_all_programs(pass, PASS_PACE, err);
	if (result == 0)
		result = run_visits(pass, err);
	report_time(pass);
	log_live_end(measure->log);
	drop_sets(pass);
	for (size_t i = 0; i < pass->count; i++)
		free(pass->entries[i].visit.tail);
	free(pass->entries);
	free(pass->batch);
	free(pass->batch_entries);
	free(pass);
	return result;
}
