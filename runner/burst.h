/*
 * What one "run" gave: the samples, and the same work seen from outside.
 */
#ifndef RUNNER_BURST_H
#define RUNNER_BURST_H

#include "runner/worker_lines.h"

#include <stddef.h>
#include <stdint.h>

struct burst {
	struct worker_sample samples[WORKER_SAMPLES_MAX]; /* as reported, overhead still in it */
	size_t count;
	uint64_t inside_cpu_ns; /* sums over the samples */
	uint64_t inside_wall_ns;
	uint64_t outside_cpu_ns; /* the process's CPU clock, read from outside */
	uint64_t elapsed_ns;     /* from our command to the last reply */
};

#endif
