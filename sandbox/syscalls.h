/*
 * The system call policy as data: every call a command may make is in a group that says why, every
 * known call it may not make is in a group that says why not. A call in no group is answered
 * ENOSYS, as an older kernel would.
 */
#ifndef SANDBOX_SYSCALLS_H
#define SANDBOX_SYSCALLS_H

#include <stddef.h>

enum syscalls_action {
	SYSCALLS_ALLOW,
	SYSCALLS_ALLOW_PRIVATE_IPC, /* in tiers with an IPC namespace, else ENOSYS */
	SYSCALLS_BY_ARGUMENT,       /* rules of seccomp.c decide */
	SYSCALLS_PRETEND,           /* answered 0, nothing done */
	SYSCALLS_EPERM,
	SYSCALLS_ENOSYS,
	SYSCALLS_KILL
};

struct syscalls_group {
	const char *name;
	const char *reason;
	enum syscalls_action action;
	const char *const *calls; /* names, NULL-terminated */
};

extern const struct syscalls_group syscalls_groups[];
extern const size_t syscalls_groups_count;

/* The group a call is in, NULL where it is in none. */
const struct syscalls_group *syscalls_find(const char *name);

#endif
