/*
 * The keeper of a cell: a fork of the supervisor that makes the confinement once, then starts each
 * command inside it, collects the dead and kills the rest between visits. Pid 1 of the cell's
 * namespace where there is one, subreaper of its commands elsewhere.
 *
 * It is never confined by the filters itself and runs none of the commands' code. When its socket
 * closes - the supervisor is gone - it kills everything and ends.
 */
#ifndef SANDBOX_KEEPER_H
#define SANDBOX_KEEPER_H

#include "sandbox/base/attr.h"
#include "sandbox/sandbox.h"

#include <sys/types.h>

struct keeper_plan {
	const struct sandbox_cell *cell; /* its machine and the paths as seen inside */
	const struct sandbox_room *room;
	const char *const *readable; /* resolved, NULL-terminated */
	int socket;
	int cgroup_fd; /* cgroup.procs of the cell; -1 = none */
	uid_t caller;
	gid_t caller_group;
};

/* The keeper's life. Says over the socket when it is ready, or why not. */
void keeper_run(const struct keeper_plan *plan) ATTR_NORETURN;

#endif
