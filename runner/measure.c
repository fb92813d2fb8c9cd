#include "runner/measure.h"

#include "runner/decide.h"
#include "runner/measured.h"
#include "runner/pace.h"
#include "runner/pass_time.h"
#include "runner/processor.h"
#include "runner/progress.h"
#include "runner/renewal.h"
#include "runner/schedule.h"
#include "runner/stats/across.h"
#include "runner/stats/null.h"
#include "runner/visit.h"
#include "sandbox/base/io.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

enum pass_kind {
	PASS_PACE, /* how much of each benchmark makes a sample */
	PASS_PAIR, /* baseline against candidate */
	PASS_NULL, /* baseline against baseline */
};

/* The pass under way. Arrays are owned and have room for every benchmark. */
struct pass {
	struct measure *in;
	struct measured *benchmarks;
	size_t count;
	struct visit_benchmark *batch; /* what one visit is handed */
	size_t *batch_of;              /* whose each is */
	struct schedule_item *items;
	struct series *series;
	struct across across;
	bool is_across_started;
	struct renewal renewal;
	struct rng rng;
	struct visit_totals totals;
	struct visit_watch watch;
	struct progress progress;
	struct pass_time time;
	double benchmarks_s; /* of the visits so far, spent on benchmarks */
	uint64_t start_ns, visits_start_ns, deadline_ns;
	int cpu;
	uint32_t visit;
	uint32_t stolen; /* visits measured again */
	bool is_over;    /* no layout can be had any more */
};

static bool is_stopped(const struct pass *pass)
{
	return *pass->in->stop != 0;
}

static size_t count_settled(const struct pass *pass)
{
	size_t settled = 0;

	for (size_t i = 0; i < pass->count; i++)
		settled += measured_missing(&pass->benchmarks[i]) == 0;
	return settled;
}

/* Asked before each burst. */
static bool is_over(void *payload)
{
	const struct pass *pass = payload;

	return is_stopped(pass) || io_now_ns() >= pass->deadline_ns;
}

/* Asked before each benchmark of a visit. */
static bool go_on(void *payload, const struct visit_benchmark *next)
{
	struct pass *pass = payload;

	progress_show(&pass->progress, count_settled(pass), pass->count, next->name, io_now_ns());
	return !is_over(pass);
}

/* The chosen benchmarks of one pair of programs. */
static size_t fill_batch(struct pass *pass, const uint32_t sources[2], bool null)
{
	size_t count = 0;

	for (size_t i = 0; i < pass->count; i++) {
		struct measured *measured = &pass->benchmarks[i];

		if (!measured->chosen || measured->failed ||
			measured->planned->source[0] != sources[0] ||
			measured->planned->source[1] != sources[1])
			continue;
		visit_benchmark_reset(&measured->visit);
		pass->batch_of[count] = i;
		pass->batch[count] = measured->visit;
		if (null)
			pass->batch[count].id[VISIT_CANDIDATE] = pass->batch[count]
									 .id[VISIT_BASELINE];
		count++;
	}
	return count;
}

/* What the batch brought, into its benchmarks. */
static int take_batch(struct pass *pass, size_t count, enum pass_kind kind, struct err *err)
{
	int result = 0;

	for (size_t i = 0; i < count; i++) {
		struct measured *measured = &pass->benchmarks[pass->batch_of[i]];

		measured->visit = pass->batch[i];
		measured->visit.id[VISIT_CANDIDATE] = measured->planned->id[1];
		pass->benchmarks_s += kind == PASS_PACE ? 0 : measured->visit.elapsed_s;
		/* Who is told to stop has not failed. */
		if (measured->visit.outcome == VISIT_FAILED && is_stopped(pass))
			measured->visit.outcome = VISIT_UNMEASURED;
		if (measured->visit.outcome == VISIT_FAILED)
			log_warning(pass->in->log, "%s", measured->visit.err.text);
		if (result == 0)
			result = kind == PASS_PACE ? measured_take_failure(measured, err)
						   : measured_take(measured, pass->visit,
							     kind == PASS_NULL, err);
	}
	return result;
}

/* A worker as a whole failed: an error with its output, unless we are to stop anyway. */
static int worker_failed(struct pass *pass, struct visit_failure *failure, struct err *err)
{
	struct side *side = &pass->in->sides[failure->side == VISIT_BASELINE ? 0 : 1];
	bool is_its_own = err->kind == ERR_BENCH;

	if (is_its_own && failure->tail)
		(void)text_copy(side->tail, sizeof(side->tail), failure->tail);
	free(failure->tail);
	failure->tail = NULL;
	return is_its_own && is_stopped(pass) ? 0 : -1;
}

static struct visit_plan plan_visit(struct pass *pass, const uint32_t sources[2], bool null)
{
	struct side *sides = pass->in->sides;
	struct side_source *baseline = &sides[0].sources[sources[0]];
	struct side_source *second = null ? baseline : &sides[1].sources[sources[1]];

	return (struct visit_plan){
		.launches = {&baseline->launch, &second->launch},
		.expected = {&baseline->list, &second->list},
		.trees = {&sides[0].tree, &sides[null ? 0 : 1].tree},
		.benchmarks = pass->batch,
		.cpu = pass->cpu,
		.same_addresses = launch_can_fix_addresses(),
		.careful = pass->visit == 0,
		.watch = &pass->watch,
	};
}

/* One visit; what the host stole too much of is thrown away and taken again. */
static int take_visit(struct pass *pass, const struct visit_plan *plan,
	struct visit_failure *failure, struct err *err)
{
	for (unsigned retakes = 0;; retakes++) {
		struct visit_totals visit = {.visits = 0};
		int result = visit_run(plan, &pass->rng, &visit, failure, err);

		visit_totals_add(&pass->totals, &visit);
		if (result < 0 || !visit_is_stolen(&visit) || retakes == MEASURE_RETAKES_MAX ||
			is_over(pass))
			return result;
		pass->stolen++;
		log_detail(pass->in->log,
			"visit %u is measured again: the host took %.0f %% of its processor",
			pass->visit + 1,
			100 * (double)visit.stolen_ticks / (double)visit.all_ticks);
	}
}

/* The chosen benchmarks of one pair of programs: find their pace, or measure them. */
static int run_pair(
	struct pass *pass, const uint32_t sources[2], enum pass_kind kind, struct err *err)
{
	size_t count = fill_batch(pass, sources, kind == PASS_NULL);
	struct visit_plan plan = plan_visit(pass, sources, kind == PASS_NULL);
	struct visit_failure failure = {0};
	struct err taking;
	int result;

	if (count == 0 || is_stopped(pass))
		return 0;
	plan.count = count;
	result = kind == PASS_PACE ? pace_find(&plan, &pass->rng, &failure, err)
				   : take_visit(pass, &plan, &failure, err);
	if (result < 0)
		result = worker_failed(pass, &failure, err);
	/* What was measured before a worker failed is kept. */
	if (take_batch(pass, count, kind, result < 0 ? &taking : err) < 0)
		result = -1;
	return result;
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

static int find_paces(struct pass *pass, struct err *err)
{
	uint64_t start_ns = io_now_ns();
	int result;

	for (size_t i = 0; i < pass->count; i++)
		pass->benchmarks[i].chosen = measured_counts(&pass->benchmarks[i]);
	result = run_all_programs(pass, PASS_PACE, err);
	for (size_t i = 0; i < pass->count; i++) {
		const struct visit_benchmark *visit = &pass->benchmarks[i].visit;

		if (visit->pace.iterations > 0)
			log_detail(pass->in->log,
				"%s: an iteration takes about %.4g us; a sample is %ju of them, a "
				"visit %u bursts of %u samples a side",
				visit->name, visit->pace.iteration_ns / 1e3,
				(uintmax_t)visit->pace.iterations, visit->pace.alternations,
				visit->pace.samples);
	}
	pass->time.pace = io_seconds_since(start_ns);
	return result;
}

/* No layout could be had before anything was measured: go on with the build's own. */
static int stop_varying(struct pass *pass, const struct err *failure, struct err *err)
{
	pass->renewal.varied = false;
	log_warning(pass->in->log, "layout not varied: %s", failure->text);
	for (size_t i = 0; i < pass->count; i++) {
		struct report_benchmark *benchmark = pass->benchmarks[i].report;

		benchmark->layout = LAYOUT_FIXED;
		benchmark->pairs_max = MEASURE_PAIRS_MAX_FIXED;
		if (report_set(&benchmark->layout_reason, failure->text, SCHEMA_TEXT_BYTES_MAX,
			    err) < 0)
			return -1;
		measured_judge_anew(&pass->benchmarks[i]);
	}
	return renewal_next(&pass->renewal, 0, err);
}

/* Are all benchmarks wanted for the verdict on all of them? Visits until that, else 0. */
static uint32_t together_missing(const struct pass *pass)
{
	uint32_t missing;

	if (!pass->is_across_started)
		return 0;
	/* While some are open their pairs may settle it. */
	if (!across_wants_all(&pass->across) && count_settled(pass) < pass->count)
		return 0;
	missing = across_visits_missing(&pass->across, pass->visit - 1);
	return missing < UINT32_MAX ? missing : 0;
}

/* How many visits more will there be, as far as one can see? */
static uint32_t visits_wanted(const struct pass *pass)
{
	uint32_t wanted = together_missing(pass);

	for (size_t i = 0; i < pass->count; i++) {
		const struct measured *measured = &pass->benchmarks[i];
		uint32_t missing = measured->chosen ? measured_missing(measured) : 0;

		wanted = missing > wanted ? missing : wanted;
	}
	return wanted;
}

/* New files of both sides at their paths. */
static int renew_code(struct pass *pass, struct err *err)
{
	struct err failure;

	if (renewal_next(&pass->renewal, visits_wanted(pass), &failure) == 0)
		return 0;
	/* What was settled until then is still judged. */
	if (is_stopped(pass)) {
		pass->is_over = true;
		return 0;
	}
	if (failure.kind != ERR_BUILD) {
		*err = failure;
		return -1;
	}
	if (pass->visit == 0)
		return stop_varying(pass, &failure, err);
	/* Pairs of one link beside those of many would not be alike: what there is must do. */
	pass->is_over = true;
	log_warning(pass->in->log, "measuring ends early: %s", failure.text);
	return report_note(pass->in->report->notes, err, "measuring ended early: %s", failure.text);
}

/* Of a visit, whatever is measured in it: processes, files, and its layout. */
static double overhead_s(const struct pass *pass)
{
	double rest_s = io_seconds_since(pass->visits_start_ns) - pass->benchmarks_s -
			pass->renewal.links_s;

	return pass->visit > 0 ? rest_s / pass->visit + renewal_link_s(&pass->renewal) : 0;
}

/* Who is measured in the next visit? Returns how many. */
static size_t choose(struct pass *pass)
{
	struct schedule_means means = {
		.left_s = pass->in->budget_s - io_seconds_since(pass->start_ns),
		.overhead_s = overhead_s(pass),
		.together_missing = together_missing(pass),
	};
	size_t chosen = 0;

	for (size_t i = 0; i < pass->count; i++) {
		const struct measured *measured = &pass->benchmarks[i];

		pass->items[i] = (struct schedule_item){
			.index = i,
			.missing = measured_missing(measured),
			.together = means.together_missing > 0 && measured_counts(measured) &&
				    decide_pooled(measured->report),
			/* The nulls among them too. */
			.visit_s = measured->visit_s * (1 + 1.0 / NULL_EVERY),
		};
	}
	schedule_choose(pass->items, pass->count, &means);
	for (size_t i = 0; i < pass->count; i++) {
		pass->benchmarks[pass->items[i].index].chosen = pass->items[i].chosen;
		chosen += pass->items[i].chosen;
	}
	if (chosen == 0)
		return 0;
	log_detail(pass->in->log,
		"visit %u: %zu of %zu benchmarks, %zu settled%s, %.1f s of the budget left",
		pass->visit + 1, chosen, pass->count, count_settled(pass),
		means.together_missing > 0 ? ", all wanted for the verdict on them together" : "",
		means.left_s);
	return chosen;
}

static void look_at_all(struct pass *pass)
{
	struct judge_rules rules;
	bool is_fixed;
	size_t count = decide_across_series(pass->series, pass->in->report, &is_fixed);

	if (count == 0)
		return;
	if (!pass->is_across_started) {
		decide_across_rules(&rules, pass->in->report);
		across_start(&pass->across, &rules);
		pass->is_across_started = true;
	}
	across_look(&pass->across, pass->series, count, pass->visit);
}

static int run_visits(struct pass *pass, struct err *err)
{
	pass->visits_start_ns = io_now_ns();
	while (!is_over(pass) && choose(pass) > 0) {
		if (null_is_due(pass->visit) && run_all_programs(pass, PASS_NULL, err) < 0)
			return -1;
		if (renew_code(pass, err) < 0)
			return -1;
		if (pass->is_over)
			return 0;
		if (run_all_programs(pass, PASS_PAIR, err) < 0)
			return -1;
		look_at_all(pass);
		pass->visit++;
	}
	return 0;
}

static int start_pass(struct pass *pass, struct err *err)
{
	struct measure *in = pass->in;
	size_t room = in->plan->count + 1;

	rng_seed(&pass->rng, in->report->seed);
	pass->cpu = processor_nth(rng_below(&pass->rng, processor_count()));
	in->report->machine.cpu_used = (uint32_t)pass->cpu;
	pass->watch = (struct visit_watch){.go_on = go_on, .is_over = is_over, .payload = pass};
	pass->benchmarks = calloc(room, sizeof(*pass->benchmarks));
	pass->batch = calloc(room, sizeof(*pass->batch));
	pass->batch_of = calloc(room, sizeof(*pass->batch_of));
	pass->items = calloc(room, sizeof(*pass->items));
	pass->series = calloc(room, sizeof(*pass->series));
	if (!pass->benchmarks || !pass->batch || !pass->batch_of || !pass->items || !pass->series)
		return err_errno(err, ERR_OS, "measure");
	for (size_t i = 0; i < in->plan->count; i++) {
		const struct plan_benchmark *planned = &in->plan->benchmarks[i];

		if (planned->source[0] != PLAN_ABSENT && planned->source[1] != PLAN_ABSENT)
			measured_start(&pass->benchmarks[pass->count++], planned,
				&in->report->benchmarks[i]);
	}
	renewal_start(&pass->renewal, in->sides, in->varied);
	for (size_t s = 0; s < 2; s++) {
		for (size_t i = 0; i < in->sides[s].sources_count; i++)
			in->sides[s].sources[i].launch.stop = in->stop;
	}
	return 0;
}

static int say_all(struct pass *pass, struct err *err)
{
	struct report *report = pass->in->report;

	pass->time.wall = io_seconds_since(pass->start_ns);
	pass->time.visits = pass->totals.time;
	pass->time.links = pass->renewal.links_s;
	pass->time.files = pass->renewal.files_s;
	pass_time_report(&pass->time, &report->time);
	pass_time_say(&pass->time, pass->totals.visits, pass->in->log);
	if (pass->totals.all_ticks > 0)
		report->machine.steal = (double)pass->totals.stolen_ticks /
					(double)pass->totals.all_ticks;
	if (pass->renewal.layouts.failed > 0)
		log_detail(pass->in->log, "%u layouts could not be linked and were passed over: %s",
			pass->renewal.layouts.failed, pass->renewal.layouts.failure.text);
	/* Half a measurement never passes. */
	if (is_stopped(pass) && report_set(&report->failure,
					"interrupted: only what was settled until then is judged",
					SCHEMA_TEXT_BYTES_MAX, err) < 0)
		return -1;
	if (pass->stolen == 0)
		return 0;
	return report_note(report->notes, err,
		"%u visits were measured again: the host took more than %.0f %% of their processor",
		pass->stolen, 100 * VISIT_STOLEN_MAX);
}

static void release_pass(struct pass *pass)
{
	renewal_release(&pass->renewal);
	for (size_t i = 0; i < pass->count; i++) {
		measured_finish(&pass->benchmarks[i]);
		measured_release(&pass->benchmarks[i]);
	}
	free(pass->benchmarks);
	free(pass->batch);
	free(pass->batch_of);
	free(pass->items);
	free(pass->series);
	free(pass);
}

int measure_run(struct measure *measure, struct err *err)
{
	struct pass *pass = calloc(1, sizeof(*pass));
	struct err saying;
	int result;

	if (!pass)
		return err_errno(err, ERR_OS, "measure");
	pass->in = measure;
	pass->start_ns = io_now_ns();
	pass->deadline_ns = pass->start_ns + (uint64_t)(measure->budget_s * 1e9);
	result = start_pass(pass, err);
	progress_start(
		&pass->progress, measure->log, pass->count, measure->budget_s, pass->start_ns);
	if (result == 0)
		result = find_paces(pass, err);
	if (result == 0)
		result = run_visits(pass, err);
	log_live_end(measure->log);
	if (say_all(pass, result < 0 ? &saying : err) < 0)
		result = -1;
	release_pass(pass);
	return result;
}
