/*
 * A command as a benchmark: one whole process is one iteration.
 *
 * Answers what worker.h answers, without a program that speaks: a list of one benchmark, and bursts
 * that start the command once an iteration and wait for its end. CPU time is the system's account
 * of the process and the children it waited for (from the fork in the cell on, the confinement's
 * own steps included); wall time is from our order to its end.
 *
 * The command reads the text of the launch (or nothing), its standard output is thrown away, its
 * standard error is drained and its tail kept. Any end but exit status 0 is an error.
 */
#ifndef RUNNER_COMMAND_WORKER_H
#define RUNNER_COMMAND_WORKER_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"
#include "sandbox/sandbox.h"

#include "runner/burst.h"
#include "runner/channel.h"
#include "runner/launch.h"
#include "runner/worker_list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct command_worker {
	const struct launch *launch; /* borrowed */
	struct launch_offsets offsets;
	int cpu;
	struct channel channel;     /* noise only */
	struct channel_child child; /* kept open: the next command writes to it too */
	int stdin_fd;               /* owned; sealed memory; -1 = nothing */
	struct worker_list list;
	uint64_t involuntary; /* context switches of all commands so far */
	bool is_alive;        /* false after a command that did not end */
};

/* Nothing runs yet. Errors: ERR_OS; it still wants command_worker_release(). */
int command_worker_start(struct command_worker *worker, const struct launch *launch,
	const struct launch_offsets *offsets, int cpu, struct err *err) ATTR_MUST_USE;

/* Errors: ERR_BENCH the command failed or never ended; what sandbox_start() says. */
int command_worker_run(struct command_worker *worker, uint64_t iterations, size_t samples,
	struct burst *burst, struct err *err) ATTR_MUST_USE;

const char *command_worker_tail(struct command_worker *worker);

/* Ends no process. Accepts a zeroed one. */
void command_worker_release(struct command_worker *worker);

#endif
