/*
 * A worker or a command, asked alike: what visit.c measures does not matter to it.
 *
 * Each function passes its call on by the launch's kind; worker.h and command_worker.h say what
 * happens and which errors there are.
 */
#ifndef RUNNER_RUNNABLE_H
#define RUNNER_RUNNABLE_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"

#include "runner/burst.h"
#include "runner/command_worker.h"
#include "runner/launch.h"
#include "runner/worker.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct runnable {
	const struct launch *launch; /* borrowed; its kind says which of the two is in use */
	struct worker worker;
	struct command_worker command;
};

/* After an error too it wants runnable_release(). */
int runnable_start(struct runnable *runnable, const struct launch *launch,
	const struct launch_offsets *offsets, int cpu, struct err *err) ATTR_MUST_USE;
int runnable_ask_list(struct runnable *runnable, const struct worker_list *expected,
	struct err *err) ATTR_MUST_USE;
const struct worker_list *runnable_list(const struct runnable *runnable);

int runnable_setup(struct runnable *runnable, size_t id, struct worker_ready *ready,
	struct err *err) ATTR_MUST_USE;
int runnable_teardown(struct runnable *runnable, size_t id, struct err *err) ATTR_MUST_USE;
int runnable_run(struct runnable *runnable, size_t id, uint64_t iterations, size_t samples,
	struct burst *burst, struct err *err) ATTR_MUST_USE;

/* Its clock overhead a sample, ns. */
double runnable_overhead_ns(const struct runnable *runnable);

/* Of an honest burst, what the system counts beside the samples. */
uint64_t runnable_protocol_ns(const struct runnable *runnable, size_t samples);

/* CPU time of all its threads so far; a command between two runs has none: 0. */
int runnable_cpu_ns(const struct runnable *runnable, uint64_t *ns, struct err *err) ATTR_MUST_USE;

/* Processes it has in its cell now: 1 while a worker lives. */
unsigned runnable_processes(const struct runnable *runnable);

/* The live process, -1 where there is none: for mappings_read(). */
pid_t runnable_pid(const struct runnable *runnable);

bool runnable_is_alive(const struct runnable *runnable);

/* Tell it to end. *involuntary: context switches it suffered. */
int runnable_quit(struct runnable *runnable, uint64_t *involuntary, struct err *err) ATTR_MUST_USE;

const char *runnable_tail(struct runnable *runnable);

/* "SIDE: PROGRAM: benchmark "NAME"" in front of an error somebody else set. Returns -1. */
int runnable_wrap(const struct runnable *runnable, size_t id, struct err *err);

void runnable_release(struct runnable *runnable); /* accepts a zeroed one */

#endif
