/*
 * Runs the linker for runner/layout/ inside a version's LINK cell: its struct layout_host.
 *
 * What a program prints goes to a nameless file, so that nobody has to drain it while it runs.
 */
#ifndef RUNNER_LINK_HOST_H
#define RUNNER_LINK_HOST_H

#include "sandbox/sandbox.h"

#include "runner/layout/layout.h"

#include <signal.h>

#define LINK_HOST_PROCESSES_MAX 1024
#define LINK_HOST_SECONDS_MAX 30

struct link_host_process {
	struct sandbox_process process;
	int output_fd; /* owned; -1 = this place is free */
};

struct link_host {
	struct sandbox_cell *cell;           /* borrowed */
	const volatile sig_atomic_t *stop;   /* once set, no link is waited for; NULL = never */
	struct link_host_process *processes; /* owned array of LINK_HOST_PROCESSES_MAX */
	struct layout_host calls;
};

/*
 * `tree` and `scratch` are the paths outside, borrowed. Errors: ERR_OS.
 * The calls end in ERR_USAGE "interrupted" once *stop is set; what runs then is ended.
 */
int link_host_init(struct link_host *host, struct sandbox_cell *cell, const char *tree,
	const char *scratch, const volatile sig_atomic_t *stop, struct err *err) ATTR_MUST_USE;
void link_host_release(struct link_host *host); /* accepts a zeroed one */

#endif
