/*
 * `duel sandbox`: one command in the current directory, confined as a worker is.
 */
#ifndef RUNNER_CONFINE_COMMAND_H
#define RUNNER_CONFINE_COMMAND_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"
#include "sandbox/sandbox.h"

#include <stdbool.h>
#include <stdio.h>

struct confine_command {
	const char *const *argv; /* NULL-terminated; borrowed, as all here */
	enum sandbox_tier tier;  /* SANDBOX_TIER_AUTO = the strongest */
	bool explain;            /* say what was refused, once it has ended */
	bool writable;           /* the directory may be written, as in a build */
	bool loopback;
	const char *const *readable; /* further directories, NULL-terminated; may be NULL */
};

/*
 * Run it to its end with our standard descriptors. *status = what a shell would have: its exit
 * status, or 128 and the signal. Explanations go to `notes`, a line each.
 * Errors: ERR_USAGE the directory cannot be made writable; as sandbox_probe(), sandbox_open() and
 * sandbox_start().
 */
int confine_command_run(const struct confine_command *command, FILE *notes, int *status,
	struct err *err) ATTR_MUST_USE;

/*
 * The verb: --confinement TIER, --explain, --writable, --loopback, then -- and the command; argv[0]
 * is its name. *exit_status = what confine_command_run() says. Errors: ERR_USAGE; as
 * confine_command_run().
 */
int confine_command(int argc, char **argv, int *exit_status, struct err *err) ATTR_MUST_USE;

#endif
