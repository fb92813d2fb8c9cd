/*
 * One running worker: started in its version's cell, asked over the protocol, never trusted.
 *
 * launch.h says what to start, visit.c when. Every wait has a deadline and every line a maximum
 * (channel.h); whatever goes wrong ends in one message "SIDE: PROGRAM: benchmark "NAME": what", and
 * worker_tail() holds what the program printed. A worker that broke the protocol, went silent or
 * ended is lost: is_alive becomes false and nothing more is asked of it; its processes end with
 * sandbox_kill_all(), which is the caller's. An "error" reply leaves it alive.
 *
 * Errors everywhere, where nothing else is said: ERR_BENCH the worker's fault; ERR_OS ours;
 * worker_start() also passes on what sandbox_start() says.
 */
#ifndef RUNNER_WORKER_H
#define RUNNER_WORKER_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"
#include "sandbox/sandbox.h"

#include "runner/burst.h"
#include "runner/channel.h"
#include "runner/launch.h"
#include "runner/worker_lines.h"
#include "runner/worker_list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct worker {
	const struct launch *launch; /* borrowed */
	struct sandbox_process process;
	struct channel channel;
	struct worker_hello hello;
	struct worker_list list;
	int schedstat_fd;     /* owned; its main thread's CPU time, where it has others; else -1 */
	uint64_t protocol_ns; /* CPU time of a command without work, seen from outside */
	bool is_alive;
};

/*
 * Start the program and wait for its hello. `cpu` -1 = anywhere. After an error there is a message
 * and a tail, and the worker still wants worker_release().
 */
int worker_start(struct worker *worker, const struct launch *launch,
	const struct launch_offsets *offsets, int cpu, struct err *err) ATTR_MUST_USE;

/*
 * Ask for the list of benchmarks and measure what talking costs. `expected` is the list of an
 * earlier process of the program: a difference is an error; NULL = the first time.
 */
int worker_ask_list(
	struct worker *worker, const struct worker_list *expected, struct err *err) ATTR_MUST_USE;

int worker_setup(struct worker *worker, size_t id, struct worker_ready *ready,
	struct err *err) ATTR_MUST_USE;
int worker_teardown(struct worker *worker, size_t id, struct err *err) ATTR_MUST_USE;

/* `samples` samples of `iterations` iterations each of a benchmark that is set up. */
int worker_run(struct worker *worker, size_t id, uint64_t iterations, size_t samples,
	struct burst *burst, struct err *err) ATTR_MUST_USE;

/* What its clock shows for a sample of no work, as it says; bounded. */
uint64_t worker_overhead_ns(const struct worker *worker);

/* CPU time spent outside the samples of an honest burst of so many samples, about. */
uint64_t worker_protocol_ns(const struct worker *worker, size_t samples);

/* Ask it to end and wait for that. *exit is set where it did. A lost worker: nothing is done. */
int worker_quit(struct worker *worker, struct sandbox_exit *exit, struct err *err) ATTR_MUST_USE;

/* The newest of what it printed, printable; valid until the next call. Never NULL. */
const char *worker_tail(struct worker *worker);

/* Close pipes and records; ends no process. Accepts a zeroed one. */
void worker_release(struct worker *worker);

#endif
