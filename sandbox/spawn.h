/*
 * Parts of starting a command that `sandbox_explain()` shares with `sandbox_start()`.
 */
#ifndef SANDBOX_SPAWN_H
#define SANDBOX_SPAWN_H

#include "sandbox/sandbox.h"

/*
 * sandbox_start() in two steps. With listener_fd >= 0 the command gets the asking filter, whose
 * listener arrives at the other end of that socket before the program is executed.
 */
int spawn_send(struct sandbox_cell *cell, const struct sandbox_command *command, int listener_fd,
	struct err *err) ATTR_MUST_USE;
int spawn_receive(
	struct sandbox_cell *cell, struct sandbox_process *process, struct err *err) ATTR_MUST_USE;

#endif
