/*
 * The child's side of starting a command: a flat list of steps that ends in exec.
 *
 * Runs between clone and exec on memory shared with the keeper, which sleeps until the exec
 * (CLONE_VM and CLONE_VFORK: nothing is copied, however large the supervisor was). Only system
 * calls, no allocation, no locks; everything it needs is laid out before.
 */
#ifndef SANDBOX_ENTER_H
#define SANDBOX_ENTER_H

#include "sandbox/descriptors.h"
#include "sandbox/profiles.h"
#include "sandbox/sandbox.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct enter_plan {
	const char *directory;
	char *const *argv;
	char *const *envp;
	const char *path; /* the PATH to search argv[0] in */
	struct descriptors_place places[DESCRIPTORS_PLACED_MAX];
	unsigned places_count;
	struct profile_limits limits;
	uint64_t stack_bytes; /* 0 = as we are */
	int cpu;              /* -1 = as we are */
	bool same_addresses;
	bool become;                             /* another uid */
	uid_t uid;                               /* that one */
	int cgroup_fd;                           /* its cgroup.procs; -1 = none */
	int ruleset_fd;                          /* Landlock's; -1 = none */
	const struct sandbox_program *arguments; /* NULL = no filters */
	const struct sandbox_program *calls;
	const struct sandbox_program *explain; /* in place of both, its listener sent through ... */
	int listener_fd;                       /* ... this socket */

	/* Written by the child where it could not go on. */
	const char *failed_step; /* NULL: the command was executed */
	int failed_errno;
	enum err_kind failed_kind;
	char program[PATH_MAX]; /* what was to be executed, once known */
};

/* A failed step of its own: the file is there, its interpreter or loader is not. */
extern const char *const enter_no_loader;

/* For clone(2): takes a struct enter_plan, does not return where the command was executed. */
int enter_command(void *plan);

#endif
