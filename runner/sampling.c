#include "runner/sampling.h"

#include "runner/stats/order.h"

#include "sandbox/base/io.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Returning from its last reply into the next read may still be ahead of a worker: not idleness. */
#define IDLE_NS_MAX 20000
#define BURST_TRIES_MAX 4
#define BUSY_SHARE_MAX 0.05 /* of a visit: beyond it a side is not idle */
#define BUSY_NS_LEAST 5000000
#define WARMUP_BETTER 0.99 /* a best that falls by more than 1 % wants another round */

static enum visit_side other_side(enum visit_side side)
{
	return side == VISIT_BASELINE ? VISIT_CANDIDATE : VISIT_BASELINE;
}

static int fail(struct visit_benchmark *benchmark, enum visit_side side)
{
	benchmark->outcome = VISIT_FAILED;
	benchmark->failed_side = side;
	return -1;
}

/* A failure of ours to find out, worded as the side's. */
static int fail_wrapped(
	struct sampling *sampling, struct visit_benchmark *benchmark, enum visit_side side)
{
	(void)runnable_wrap(sampling->sides[side].runnable, benchmark->id[side], &benchmark->err);
	return fail(benchmark, side);
}

static int check_clock(
	struct sampling *sampling, struct visit_benchmark *benchmark, enum visit_side side)
{
	struct sampling_side *here = &sampling->sides[side];
	const struct burst *burst = &sampling->burst;
	const struct clock_burst seen = {
		.inside_ns = burst->inside_cpu_ns,
		.outside_ns = burst->outside_cpu_ns,
		.protocol_ns = runnable_protocol_ns(here->runnable, burst->count),
	};

	if (clock_check_add(&here->clock, &seen, &benchmark->err) < 0)
		return fail_wrapped(sampling, benchmark, side);
	return 0;
}

/* One burst, whatever the other side does meanwhile: *moved_ns = its CPU time in between. */
static int try_burst(struct sampling *sampling, struct visit_benchmark *benchmark,
	enum visit_side side, uint64_t *moved_ns)
{
	const struct visit_pace *pace = &benchmark->pace;
	enum visit_side other = other_side(side);
	struct runnable *idle = sampling->sides[other].runnable;
	uint64_t before_ns, after_ns;

	if (runnable_cpu_ns(idle, &before_ns, &benchmark->err) < 0)
		return fail_wrapped(sampling, benchmark, other);
	if (runnable_run(sampling->sides[side].runnable, benchmark->id[side], pace->iterations,
		    pace->samples, &sampling->burst, &benchmark->err) < 0)
		return fail(benchmark, side);
	if (runnable_cpu_ns(idle, &after_ns, &benchmark->err) < 0)
		return fail_wrapped(sampling, benchmark, other);
	*moved_ns = after_ns - before_ns;
	sampling->sides[other].watched_ns += sampling->burst.elapsed_ns;
	sampling->sides[other].busy_ns += *moved_ns;
	return 0;
}

/* One burst while the other side was idle, its clock checked; -1 too once the time is over. */
static int take_burst(
	struct sampling *sampling, struct visit_benchmark *benchmark, enum visit_side side)
{
	uint64_t moved_ns = 0;

	for (int i = 0; i < BURST_TRIES_MAX; i++) {
		if (visit_is_over(sampling->watch))
			return -1;
		if (try_burst(sampling, benchmark, side, &moved_ns) < 0)
			return -1;
		if (moved_ns <= IDLE_NS_MAX)
			return check_clock(sampling, benchmark, side);
		benchmark->retaken++;
		sampling->totals->retaken++;
	}
	(void)err_set(&benchmark->err, ERR_BENCH,
		"was not idle while the other side was measured, %d times in a row: %" PRIu64
		" us of CPU time; a worker must do nothing between its commands",
		BURST_TRIES_MAX, moved_ns / 1000);
	return fail_wrapped(sampling, benchmark, other_side(side));
}

static uint64_t least_cpu_ns(const struct burst *burst)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < burst->count; i++) {
		if (burst->samples[i].cpu_ns < least)
			least = burst->samples[i].cpu_ns;
	}
	return least;
}

/* Bursts in turn until neither side's best gets better by more than a hundredth. */
static int warm_up(
	struct sampling *sampling, struct visit_benchmark *benchmark, enum visit_side first)
{
	double best[VISIT_SIDES] = {INFINITY, INFINITY};
	uint64_t start_ns = io_now_ns();
	bool is_better = true;

	for (uint32_t round = 0; is_better && round < benchmark->pace.warmups; round++) {
		is_better = false;
		for (int turn = 0; turn < VISIT_SIDES; turn++) {
			enum visit_side side = turn == 0 ? first : other_side(first);
			double least;

			if (take_burst(sampling, benchmark, side) < 0)
				return -1;
			least = (double)least_cpu_ns(&sampling->burst);
			is_better |= least < best[side] * WARMUP_BETTER;
			best[side] = fmin(best[side], least);
		}
	}
	sampling->totals->time.warmup += io_seconds_since(start_ns);
	return 0;
}

static void keep_samples(struct sampling_side *side, const struct burst *burst)
{
	for (size_t i = 0; i < burst->count && side->count < ESTIMATE_SAMPLES_MAX; i++) {
		side->cpu_ns[side->count] = burst->samples[i].cpu_ns;
		side->wall_ns[side->count++] = burst->samples[i].wall_ns;
	}
}

/* A B B A A B B A ...: a drift over the visit meets both sides alike. */
static int alternate(
	struct sampling *sampling, struct visit_benchmark *benchmark, enum visit_side first)
{
	struct visit_time *time = &sampling->totals->time;

	for (uint32_t i = 0; i < benchmark->pace.alternations; i++) {
		bool is_swapped = ((i ^ (i >> 1)) & 1) != 0;

		for (int turn = 0; turn < VISIT_SIDES; turn++) {
			bool is_first = (turn == 0) != is_swapped;
			enum visit_side side = is_first ? first : other_side(first);
			uint64_t start_ns = io_now_ns();
			double inside_s;

			if (take_burst(sampling, benchmark, side) < 0)
				return -1;
			keep_samples(&sampling->sides[side], &sampling->burst);
			inside_s = (double)sampling->burst.inside_wall_ns / 1e9;
			time->samples += inside_s;
			time->handover += io_seconds_since(start_ns) - inside_s;
		}
	}
	return 0;
}

static double median_ns(const uint64_t *values, size_t count, double overhead_ns)
{
	double sorted[ESTIMATE_SAMPLES_MAX];

	for (size_t i = 0; i < count; i++)
		sorted[i] = fmax((double)values[i] - overhead_ns, 0);
	order_sort(sorted, count);
	return order_median(sorted, count);
}

static void reduce(struct sampling *sampling, struct visit_benchmark *benchmark)
{
	struct sampling_side *baseline = &sampling->sides[VISIT_BASELINE];
	struct sampling_side *candidate = &sampling->sides[VISIT_CANDIDATE];
	const struct estimate_samples baseline_samples = {baseline->cpu_ns, baseline->count};
	const struct estimate_samples candidate_samples = {candidate->cpu_ns, candidate->count};
	/* One figure for both: what differs between two readings of it is noise. */
	double overhead_ns = (runnable_overhead_ns(baseline->runnable) +
				     runnable_overhead_ns(candidate->runnable)) /
			     2;

	benchmark->millionths = estimate_visit(&candidate_samples, &baseline_samples, overhead_ns);
	for (int i = 0; i < VISIT_SIDES; i++) {
		const struct sampling_side *side = &sampling->sides[i];
		double iterations = (double)benchmark->pace.iterations;

		benchmark->cpu_ns[i] = median_ns(side->cpu_ns, side->count, overhead_ns) /
				       iterations;
		benchmark->wall_ns[i] = median_ns(side->wall_ns, side->count, 0) / iterations;
	}
}

/* Warm up, sample, check both clocks. */
static int sample(
	struct sampling *sampling, struct visit_benchmark *benchmark, enum visit_side first)
{
	if (warm_up(sampling, benchmark, first) < 0 || alternate(sampling, benchmark, first) < 0)
		return -1;
	for (int i = 0; i < VISIT_SIDES; i++) {
		if (clock_check_end(&sampling->sides[i].clock, &benchmark->err) < 0)
			return fail_wrapped(sampling, benchmark, (enum visit_side)i);
	}
	return 0;
}

static int set_up(struct sampling *sampling, struct visit_benchmark *benchmark,
	enum visit_side first, bool is_set_up[VISIT_SIDES])
{
	for (int turn = 0; turn < VISIT_SIDES; turn++) {
		enum visit_side side = turn == 0 ? first : other_side(first);
		struct worker_ready ready;

		if (runnable_setup(sampling->sides[side].runnable, benchmark->id[side], &ready,
			    &benchmark->err) < 0)
			return fail(benchmark, side);
		is_set_up[side] = true;
		benchmark->items = ready.items;
		benchmark->bytes = ready.bytes;
	}
	return 0;
}

/* After a failure the first one stands: another would only hide it. */
static int tear_down(struct sampling *sampling, struct visit_benchmark *benchmark,
	const bool is_set_up[VISIT_SIDES])
{
	int result = 0;

	for (int i = 0; i < VISIT_SIDES; i++) {
		struct runnable *runnable = sampling->sides[i].runnable;
		struct err err;

		if (!is_set_up[i] || !runnable_is_alive(runnable) ||
			runnable_teardown(runnable, benchmark->id[i], &err) == 0 ||
			benchmark->outcome == VISIT_FAILED)
			continue;
		benchmark->err = err;
		result = fail(benchmark, (enum visit_side)i);
	}
	return result;
}

static void clear(struct sampling_side *side)
{
	side->count = 0;
	side->clock.count = 0;
}

void sampling_measure(struct sampling *sampling, struct visit_benchmark *benchmark)
{
	enum visit_side first = rng_below(sampling->rng, 2) ? VISIT_CANDIDATE : VISIT_BASELINE;
	bool is_set_up[VISIT_SIDES] = {false, false};
	uint64_t begin_ns = io_now_ns(), start_ns = begin_ns;
	int result;

	clear(&sampling->sides[VISIT_BASELINE]);
	clear(&sampling->sides[VISIT_CANDIDATE]);
	result = set_up(sampling, benchmark, first, is_set_up);
	sampling->totals->time.setup += io_seconds_since(start_ns);
	if (result == 0)
		result = sample(sampling, benchmark, first);
	start_ns = io_now_ns();
	if (tear_down(sampling, benchmark, is_set_up) < 0)
		result = -1;
	sampling->totals->time.setup += io_seconds_since(start_ns);
	benchmark->elapsed_s = io_seconds_since(begin_ns);
	if (result < 0 && benchmark->outcome != VISIT_FAILED)
		return;
	if (result < 0) {
		const char *tail = runnable_tail(sampling->sides[benchmark->failed_side].runnable);

		benchmark->tail = *tail ? strdup(tail) : NULL;
		return;
	}
	reduce(sampling, benchmark);
	benchmark->outcome = VISIT_MEASURED;
}

int sampling_check_idle(const struct sampling *sampling, enum visit_side side, struct err *err)
{
	const struct sampling_side *watched = &sampling->sides[side];

	if (watched->busy_ns < BUSY_NS_LEAST ||
		(double)watched->busy_ns < (double)watched->watched_ns * BUSY_SHARE_MAX)
		return 0;
	return err_set(err, ERR_BENCH,
		"was not idle while the other side was measured: %" PRIu64
		" ms of CPU time in %" PRIu64 " ms; a worker must do nothing between its commands",
		watched->busy_ns / 1000000, watched->watched_ns / 1000000);
}
