#include "runner/visit.h"

#include "runner/processor.h"
#include "runner/runnable.h"
#include "runner/sampling.h"

#include "sandbox/base/io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pair of running sides. */
struct pair {
	const struct visit_plan *plan;
	struct runnable sides[VISIT_SIDES];
	struct visit_totals *totals;
	struct visit_failure *failure;
	bool is_clean; /* nobody has left a process behind */
};

void visit_benchmark_reset(struct visit_benchmark *benchmark)
{
	free(benchmark->tail);
	benchmark->tail = NULL;
	benchmark->outcome = VISIT_UNMEASURED;
	benchmark->retaken = 0;
	benchmark->elapsed_s = 0;
	benchmark->err = (struct err){.kind = ERR_NONE};
}

int visit_set_left_behind(unsigned count, struct err *err)
{
	return err_set(err, ERR_BENCH, "left %u process%s running: a benchmark ends what it starts",
		count, count == 1 ? "" : "es");
}

bool visit_is_over(const struct visit_watch *watch)
{
	return watch && watch->is_over && watch->is_over(watch->payload);
}

double visit_time_sum(const struct visit_time *time)
{
	return time->starts + time->setup + time->warmup + time->samples + time->handover +
	       time->checks + time->ends;
}

void visit_totals_add(struct visit_totals *totals, const struct visit_totals *more)
{
	totals->time.starts += more->time.starts;
	totals->time.setup += more->time.setup;
	totals->time.warmup += more->time.warmup;
	totals->time.samples += more->time.samples;
	totals->time.handover += more->time.handover;
	totals->time.checks += more->time.checks;
	totals->time.ends += more->time.ends;
	totals->visits += more->visits;
	totals->retaken += more->retaken;
	for (int i = 0; i < VISIT_SIDES; i++)
		totals->involuntary[i] += more->involuntary[i];
	totals->stolen_ticks += more->stolen_ticks;
	totals->all_ticks += more->all_ticks;
}

bool visit_is_stolen(const struct visit_totals *visit)
{
	/* A single tick may be what was left of the one before the visit. */
	return visit->stolen_ticks > 1 &&
	       (double)visit->stolen_ticks > (double)visit->all_ticks * VISIT_STOLEN_MAX;
}

/* A side as a whole failed: remember whose output explains it. */
static int fail(struct pair *pair, enum visit_side side)
{
	const char *tail = runnable_tail(&pair->sides[side]);

	free(pair->failure->tail);
	pair->failure->side = side;
	pair->failure->tail = *tail ? strdup(tail) : NULL;
	return -1;
}

static int start_side(struct pair *pair, enum visit_side side, const struct launch_offsets *offsets,
	struct err *err)
{
	const struct visit_plan *plan = pair->plan;
	struct runnable *runnable = &pair->sides[side];

	if (runnable_start(runnable, plan->launches[side], offsets, plan->cpu, err) < 0 ||
		runnable_ask_list(runnable, plan->expected[side], err) < 0)
		return fail(pair, side);
	return 0;
}

static int start_both(struct pair *pair, struct rng *rng, struct err *err)
{
	enum visit_side first = rng_below(rng, 2) ? VISIT_CANDIDATE : VISIT_BASELINE;
	enum visit_side second = first == VISIT_BASELINE ? VISIT_CANDIDATE : VISIT_BASELINE;
	struct launch_offsets offsets = {.same_addresses = false};
	uint64_t start_ns = io_now_ns();
	int result;

	if (pair->plan->same_addresses)
		launch_draw_offsets(&offsets, rng);
	result = start_side(pair, first, &offsets, err);
	if (result == 0)
		result = start_side(pair, second, &offsets, err);
	pair->totals->time.starts += io_seconds_since(start_ns);
	return result;
}

/* Is there a process in the side's cell that is none of ours? */
static int check_population(struct pair *pair, enum visit_side side, struct err *err)
{
	const struct visit_plan *plan = pair->plan;
	struct sandbox_cell *cell = plan->launches[side]->cell;
	unsigned expected = 0;
	unsigned found;

	for (int i = 0; i < VISIT_SIDES; i++) {
		if (plan->launches[i]->cell == cell)
			expected += runnable_processes(&pair->sides[i]);
	}
	if (sandbox_population(cell, &found, err) < 0)
		return -1;
	if (found <= expected)
		return 0;
	return visit_set_left_behind(found - expected, err);
}

/* After one benchmark: a process left behind is this one's. */
static void check_left_behind(struct pair *pair, struct visit_benchmark *benchmark)
{
	uint64_t start_ns = io_now_ns();

	for (int i = 0; i < VISIT_SIDES && pair->is_clean; i++) {
		struct runnable *runnable = &pair->sides[i];
		struct err err;
		const char *tail;

		if (check_population(pair, (enum visit_side)i, &err) == 0)
			continue;
		pair->is_clean = false;
		if (benchmark->outcome == VISIT_FAILED)
			break;
		benchmark->err = err;
		(void)runnable_wrap(runnable, benchmark->id[i], &benchmark->err);
		tail = runnable_tail(runnable);
		benchmark->tail = *tail ? strdup(tail) : NULL;
		benchmark->failed_side = (enum visit_side)i;
		benchmark->outcome = VISIT_FAILED;
	}
	pair->totals->time.checks += io_seconds_since(start_ns);
}

static bool is_alive(const struct pair *pair)
{
	return runnable_is_alive(&pair->sides[VISIT_BASELINE]) &&
	       runnable_is_alive(&pair->sides[VISIT_CANDIDATE]);
}

static int check_idle(struct pair *pair, const struct sampling *sampling, struct err *err)
{
	for (int i = 0; i < VISIT_SIDES; i++) {
		if (sampling_check_idle(sampling, (enum visit_side)i, err) == 0)
			continue;
		(void)runnable_wrap(&pair->sides[i], SIZE_MAX, err);
		return fail(pair, (enum visit_side)i);
	}
	return 0;
}

static bool may_go_on(const struct pair *pair, const struct visit_benchmark *next)
{
	const struct visit_watch *watch = pair->plan->watch;

	return pair->is_clean && is_alive(pair) && (!watch || watch->go_on(watch->payload, next));
}

/* All benchmarks in random order, until one loses its worker or leaves a process behind. */
static int measure_all(struct pair *pair, struct rng *rng, struct err *err)
{
	const struct visit_plan *plan = pair->plan;
	struct sampling *sampling = calloc(1, sizeof(*sampling));
	uint32_t *order = calloc(plan->count + 1, sizeof(*order));
	int result;

	if (!sampling || !order) {
		free(sampling);
		free(order);
		return err_errno(err, ERR_OS, "visit");
	}
	sampling->rng = rng;
	sampling->totals = pair->totals;
	sampling->watch = plan->watch;
	for (int i = 0; i < VISIT_SIDES; i++)
		sampling->sides[i].runnable = &pair->sides[i];
	for (uint32_t i = 0; i < plan->count; i++)
		order[i] = i;
	rng_shuffle(rng, order, (uint32_t)plan->count);
	for (size_t i = 0; i < plan->count; i++) {
		struct visit_benchmark *benchmark = &plan->benchmarks[order[i]];

		if (!may_go_on(pair, benchmark))
			break;
		sampling_measure(sampling, benchmark);
		if (plan->careful && is_alive(pair))
			check_left_behind(pair, benchmark);
	}
	result = check_idle(pair, sampling, err);
	free(sampling);
	free(order);
	return result;
}

/* Only now has everything been loaded that was going to be. */
static int check_mappings(struct pair *pair, enum visit_side side, struct err *err)
{
	const struct mappings_tree *tree = pair->plan->trees[side];
	struct runnable *runnable = &pair->sides[side];
	struct mappings mappings = {NULL, 0};
	int result;

	if (!tree || runnable_pid(runnable) < 0)
		return 0;
	result = mappings_read(
		&mappings, runnable_pid(runnable), runnable->launch->cell->tree, err);
	if (result == 0)
		result = mappings_check(&mappings, tree, err);
	mappings_release(&mappings);
	return result;
}

static int check_both(struct pair *pair, struct err *err)
{
	uint64_t start_ns = io_now_ns();
	int result = 0;

	for (int i = 0; i < VISIT_SIDES && result == 0; i++) {
		enum visit_side side = (enum visit_side)i;

		result = check_mappings(pair, side, err);
		if (result == 0)
			result = check_population(pair, side, err);
		if (result < 0) {
			(void)runnable_wrap(&pair->sides[side], SIZE_MAX, err);
			(void)fail(pair, side);
		}
	}
	pair->totals->time.checks += io_seconds_since(start_ns);
	return result;
}

/* Every process of both cells, ours and any other. */
static int kill_all(const struct pair *pair, struct err *err)
{
	const struct visit_plan *plan = pair->plan;
	struct sandbox_cell *baseline = plan->launches[VISIT_BASELINE]->cell;
	struct sandbox_cell *candidate = plan->launches[VISIT_CANDIDATE]->cell;
	int result = sandbox_kill_all(baseline, err);

	if (candidate != baseline && sandbox_kill_all(candidate, err) < 0)
		result = -1;
	return result;
}

static int quit_both(struct pair *pair, struct err *err)
{
	for (int i = 0; i < VISIT_SIDES; i++) {
		uint64_t involuntary = 0;

		if (runnable_quit(&pair->sides[i], &involuntary, err) < 0)
			return fail(pair, (enum visit_side)i);
		pair->totals->involuntary[i] += involuntary;
	}
	for (int i = 0; i < VISIT_SIDES; i++) {
		if (check_population(pair, (enum visit_side)i, err) < 0) {
			(void)runnable_wrap(&pair->sides[i], SIZE_MAX, err);
			return fail(pair, (enum visit_side)i);
		}
	}
	return 0;
}

/* End both sides, whatever became of them. A survivor outweighs whatever else went wrong. */
static int end_both(struct pair *pair, bool is_good, struct err *err)
{
	uint64_t start_ns = io_now_ns();
	int result = is_good ? quit_both(pair, err) : 0;
	struct err survivor;

	if (kill_all(pair, &survivor) < 0) {
		*err = survivor;
		result = -1;
	}
	for (int i = 0; i < VISIT_SIDES; i++)
		runnable_release(&pair->sides[i]);
	pair->totals->time.ends += io_seconds_since(start_ns);
	return result;
}

static int run_pair(struct pair *pair, struct rng *rng, struct err *err)
{
	int result = start_both(pair, rng, err);
	bool is_good;

	if (result == 0)
		result = measure_all(pair, rng, err);
	/* After a loss the survivors are not asked: they go, and the rest is for another visit. */
	is_good = result == 0 && pair->is_clean && is_alive(pair);
	if (is_good)
		result = check_both(pair, err);
	if (end_both(pair, is_good && result == 0, err) < 0)
		result = -1;
	return result;
}

int visit_run(const struct visit_plan *plan, struct rng *rng, struct visit_totals *totals,
	struct visit_failure *failure, struct err *err)
{
	struct pair *pair = calloc(1, sizeof(*pair));
	struct processor_ticks before, after;
	struct processor_pin pin;
	int result;

	*failure = (struct visit_failure){.tail = NULL};
	if (!pair)
		return err_errno(err, ERR_OS, "visit");
	*pair = (struct pair){.plan = plan, .totals = totals, .failure = failure, .is_clean = true};
	for (size_t i = 0; i < plan->count; i++)
		visit_benchmark_reset(&plan->benchmarks[i]);
	processor_read_ticks(&before, plan->cpu);
	result = processor_pin(&pin, plan->cpu, err);
	if (result == 0)
		result = run_pair(pair, rng, err);
	processor_unpin(&pin);
	processor_read_ticks(&after, plan->cpu);
	totals->stolen_ticks += after.stolen - before.stolen;
	totals->all_ticks += after.all - before.all;
	totals->visits++;
	free(pair);
	return result;
}
