/*
 * How many iterations make a sample, and how many samples a visit: found once a run, on the
 * baseline, used on both sides.
 *
 * launch + list -> a worker of the baseline -> visit_pace of every benchmark. A sample lasts about
 * 50 us (long ones meet an interruption, short ones the clock); a single iteration may be longer.
 * Where it is much longer a visit holds fewer of them, so that no side spends more than about 50 ms
 * of a visit on one benchmark, and one over 50 ms gets two samples.
 *
 * One that waits has little CPU time and may last long: its wall time bounds all of that too, and
 * no burst of more than one iteration is meant to last beyond PACE_BURST_WALL_NS.
 *
 * Each benchmark's own clock is checked here over longer bursts, where the 20 us allowed weigh
 * less, and processes it leaves behind are found here by name.
 */
#ifndef RUNNER_PACE_H
#define RUNNER_PACE_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"

#include "runner/launch.h"
#include "runner/visit.h"

#include <stddef.h>

#define PACE_SAMPLE_NS 50000.0
#define PACE_BURST_WALL_NS 250e6

/*
 * Fill in benchmarks[].pace. One that fails becomes VISIT_FAILED with its message; where its worker
 * is lost a new one goes on with the rest. Afterwards no process of the cell lives.
 * Only launches[VISIT_BASELINE], expected, count, benchmarks, cpu, same_addresses and watch of the
 * plan are used; those that watch left out or cut off have a pace of no iterations. Errors: as
 * visit_run().
 */
int pace_find(const struct visit_plan *plan, struct rng *rng, struct visit_failure *failure,
	struct err *err) ATTR_MUST_USE;

/* The pace of a benchmark whose iteration takes so much CPU and wall time: pure. */
struct visit_pace pace_of_worker(double iteration_ns, double wall_ns);
struct visit_pace pace_of_command(double iteration_ns);

#endif
