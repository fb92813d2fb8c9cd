#include "runner/pace.h"

#include "runner/clock_check.h"
#include "runner/processor.h"
#include "runner/runnable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONG_NS 50e6  /* an iteration that is not repeated more than it must be */
#define SIDE_NS 50e6  /* of one benchmark, a side and a visit, about */
#define LEAST_NS 25e3 /* below it a sample says too little of the iteration */
#define QUICK_NS 10e6 /* above it one sample says enough */
#define TRIES 5       /* samples of a try, the first left out */
#define SAMPLES_MAX 4 /* a burst */
#define ALTERNATIONS 8
#define WARMUPS_MAX 24
#define COMMAND_SIDE_NS 25e6
#define CHECK_NS 1e6 /* of a sample to check the clock with */
#define CHECK_SAMPLES 2
#define CHECK_TRIES 8 /* a lie is met in all of them, a busy machine hardly */

/* The whole part of value, from low to high. */
static uint32_t bounded(double value, uint32_t low, uint32_t high)
{
	if (!(value > low))
		return low;
	return value < high ? (uint32_t)value : high;
}

struct visit_pace pace_of_worker(double iteration_ns, double wall_ns)
{
	double longest_ns = fmax(iteration_ns, wall_ns);
	struct visit_pace pace = {.iterations = 1,
		.samples = 1,
		.alternations = 2,
		.warmups = 1,
		.iteration_ns = iteration_ns};
	double sample_ns;

	if (longest_ns > LONG_NS)
		return pace;
	pace.iterations = bounded(PACE_SAMPLE_NS / iteration_ns + 0.5, 1,
		bounded(PACE_BURST_WALL_NS / longest_ns, 1, WORKER_ITERATIONS_MAX));
	sample_ns = longest_ns * (double)pace.iterations;
	pace.samples = bounded(SIDE_NS / (ALTERNATIONS * sample_ns), 1, SAMPLES_MAX);
	pace.alternations = bounded(SIDE_NS / (pace.samples * sample_ns), 2, ALTERNATIONS);
	pace.warmups = bounded(SIDE_NS / (pace.samples * sample_ns), 1, WARMUPS_MAX);
	return pace;
}

struct visit_pace pace_of_command(double iteration_ns)
{
	return (struct visit_pace){
		.iterations = 1,
		.samples = 1,
		.alternations = bounded(COMMAND_SIDE_NS / iteration_ns, 1, ALTERNATIONS),
		.warmups = iteration_ns < COMMAND_SIDE_NS,
		.iteration_ns = iteration_ns,
	};
}

/* What all steps of one benchmark need. */
struct trial {
	struct runnable runnable;
	struct burst burst;
	struct visit_benchmark *benchmark;
	const struct visit_watch *watch;
	double wall_ns; /* of an iteration, at least */
	bool is_over;   /* no burst was begun because the time is over */
};

/* The least sample of a burst but its first, without the clock's overhead. */
static double least_ns(const struct trial *trial)
{
	double least = INFINITY;

	for (size_t i = trial->burst.count > 1; i < trial->burst.count; i++)
		least = fmin(least, (double)trial->burst.samples[i].cpu_ns);
	return least - runnable_overhead_ns(&trial->runnable);
}

static double least_wall_ns(const struct burst *burst)
{
	double least = INFINITY;

	for (size_t i = 0; i < burst->count; i++)
		least = fmin(least, (double)burst->samples[i].wall_ns);
	return least;
}

static int run(struct trial *trial, uint64_t iterations, size_t samples, struct err *err)
{
	trial->is_over = visit_is_over(trial->watch);
	if (trial->is_over)
		return err_set(err, ERR_LIMIT, "the time is over");
	return runnable_run(&trial->runnable, trial->benchmark->id[VISIT_BASELINE], iterations,
		samples, &trial->burst, err);
}

/* Double the iterations until a sample says something; *iteration_ns = what one takes. */
static int time_iteration(struct trial *trial, double *iteration_ns, struct err *err)
{
	uint64_t iterations = 1;

	if (run(trial, 1, 1, err) < 0)
		return -1;
	trial->wall_ns = least_wall_ns(&trial->burst);
	while ((double)trial->burst.samples[0].cpu_ns < QUICK_NS) {
		double sample_ns = trial->wall_ns * (double)iterations;

		if (run(trial, iterations, bounded(PACE_BURST_WALL_NS / sample_ns, 1, TRIES), err) <
			0)
			return -1;
		trial->wall_ns = least_wall_ns(&trial->burst) / (double)iterations;
		if (least_ns(trial) >= LEAST_NS || iterations > WORKER_ITERATIONS_MAX / 2 ||
			2 * sample_ns > PACE_BURST_WALL_NS)
			break;
		iterations *= 2;
	}
	/* One that does nothing at all still gets a number to divide by. */
	*iteration_ns = fmax(least_ns(trial) / (double)iterations, 1e-3);
	return 0;
}

/* A burst of long samples: beside them what is allowed for talking weighs little. */
static int check_clock(struct trial *trial, struct err *err)
{
	double iteration_ns = trial->benchmark->pace.iteration_ns;
	uint64_t iterations = bounded(CHECK_NS / iteration_ns, 1,
		bounded(PACE_BURST_WALL_NS / (CHECK_SAMPLES * trial->wall_ns), 1,
			WORKER_ITERATIONS_MAX));
	struct clock_check check = {.count = 0};
	int result = -1;

	if (iteration_ns > QUICK_NS)
		return 0;
	for (int i = 0; i < CHECK_TRIES && result < 0; i++) {
		struct clock_burst seen;

		if (run(trial, iterations, CHECK_SAMPLES, err) < 0)
			return -1;
		seen.inside_ns = trial->burst.inside_cpu_ns;
		seen.outside_ns = trial->burst.outside_cpu_ns;
		seen.protocol_ns = runnable_protocol_ns(&trial->runnable, CHECK_SAMPLES);
		if (clock_check_add(&check, &seen, err) < 0)
			break;
		result = clock_check_end(&check, err);
	}
	if (result == 0)
		return 0;
	return runnable_wrap(&trial->runnable, trial->benchmark->id[VISIT_BASELINE], err);
}

static int find_command(struct trial *trial, struct err *err)
{
	/* The first one reads its files from the disk. */
	for (int i = 0; i < 2; i++) {
		if (run(trial, 1, 1, err) < 0)
			return -1;
	}
	trial->benchmark->pace = pace_of_command(fmax((double)trial->burst.samples[0].cpu_ns, 1));
	return 0;
}

static int find_worker(struct trial *trial, struct err *err)
{
	size_t id = trial->benchmark->id[VISIT_BASELINE];
	struct worker_ready ready;
	double iteration_ns;

	if (runnable_setup(&trial->runnable, id, &ready, err) < 0 ||
		time_iteration(trial, &iteration_ns, err) < 0)
		return -1;
	trial->benchmark->pace = pace_of_worker(iteration_ns, trial->wall_ns);
	trial->benchmark->items = ready.items;
	trial->benchmark->bytes = ready.bytes;
	if (check_clock(trial, err) < 0)
		return -1;
	return runnable_teardown(&trial->runnable, id, err);
}

static int check_left_behind(struct trial *trial, struct err *err)
{
	struct sandbox_cell *cell = trial->runnable.launch->cell;
	unsigned expected = runnable_processes(&trial->runnable);
	unsigned found;

	if (sandbox_population(cell, &found, err) < 0)
		return -1;
	if (found <= expected)
		return 0;
	(void)visit_set_left_behind(found - expected, err);
	return runnable_wrap(&trial->runnable, trial->benchmark->id[VISIT_BASELINE], err);
}

/* Returns whether the worker can go on. */
static bool find_one(struct trial *trial)
{
	struct visit_benchmark *benchmark = trial->benchmark;
	bool is_command = trial->runnable.launch->kind == LAUNCH_COMMAND;
	int result = is_command ? find_command(trial, &benchmark->err)
				: find_worker(trial, &benchmark->err);
	const char *tail;

	if (result == 0)
		result = check_left_behind(trial, &benchmark->err);
	if (result == 0)
		return true;
	if (trial->is_over) {
		benchmark->pace.iterations = 0;
		benchmark->err = (struct err){.kind = ERR_NONE};
		return false;
	}
	tail = runnable_tail(&trial->runnable);
	benchmark->tail = *tail ? strdup(tail) : NULL;
	benchmark->failed_side = VISIT_BASELINE;
	benchmark->outcome = VISIT_FAILED;
	return false;
}

/* One worker, from benchmark *next on until one fails. */
static int find_some(struct trial *trial, const struct visit_plan *plan, size_t *next,
	struct rng *rng, struct err *err)
{
	struct launch_offsets offsets = {.same_addresses = false};

	if (plan->same_addresses)
		launch_draw_offsets(&offsets, rng);
	if (runnable_start(&trial->runnable, plan->launches[VISIT_BASELINE], &offsets, plan->cpu,
		    err) < 0 ||
		runnable_ask_list(&trial->runnable, plan->expected[VISIT_BASELINE], err) < 0)
		return -1;
	while (*next < plan->count && !trial->is_over) {
		trial->benchmark = &plan->benchmarks[(*next)++];
		if (plan->watch && !plan->watch->go_on(plan->watch->payload, trial->benchmark))
			*next = plan->count;
		else if (!find_one(trial))
			break;
	}
	if (trial->is_over)
		*next = plan->count;
	return 0;
}

static int find_all(struct trial *trial, const struct visit_plan *plan, struct rng *rng,
	struct visit_failure *failure, struct err *err)
{
	struct sandbox_cell *cell = plan->launches[VISIT_BASELINE]->cell;
	int result = 0;
	size_t next = 0;

	while (next < plan->count && result == 0) {
		struct err survivor;

		result = find_some(trial, plan, &next, rng, err);
		if (result < 0) {
			const char *tail = runnable_tail(&trial->runnable);

			failure->side = VISIT_BASELINE;
			failure->tail = *tail ? strdup(tail) : NULL;
		}
		if (sandbox_kill_all(cell, &survivor) < 0) {
			*err = survivor;
			result = -1;
		}
		runnable_release(&trial->runnable);
	}
	return result;
}

int pace_find(const struct visit_plan *plan, struct rng *rng, struct visit_failure *failure,
	struct err *err)
{
	struct trial *trial = calloc(1, sizeof(*trial));
	struct processor_pin pin;
	int result;

	*failure = (struct visit_failure){.tail = NULL};
	if (!trial)
		return err_errno(err, ERR_OS, "calibration");
	for (size_t i = 0; i < plan->count; i++)
		visit_benchmark_reset(&plan->benchmarks[i]);
	trial->watch = plan->watch;
	result = processor_pin(&pin, plan->cpu, err);
	if (result == 0)
		result = find_all(trial, plan, rng, failure, err);
	processor_unpin(&pin);
	free(trial);
	return result;
}
