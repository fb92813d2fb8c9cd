/*
 * Landlock: which files the commands of a cell may read, write and run, by path.
 *
 * The keeper makes one ruleset for its cell, after all mounts (a landlocked process cannot mount);
 * each command enters it just before the filters. Below ABI 9 Landlock knows nothing about pathname
 * sockets, and at no ABI about chmod, utimes or setxattr: other layers do.
 */
#ifndef SANDBOX_LANDLOCK_H
#define SANDBOX_LANDLOCK_H

#include "sandbox/base/err.h"

#include <stdbool.h>

/* The kernel's ABI, 0 where it has none or it is switched off. */
int landlock_abi(void);

/* What the ruleset grants beside the system's directories. Strings are borrowed. */
struct landlock_grant {
	const char *tree;
	bool tree_writable;
	const char *scratch;         /* "" = none */
	const char *const *readable; /* NULL-terminated */
	bool private_view;           /* the root, /tmp, /var/tmp and /dev/shm are the cell's own */
	bool loopback;               /* TCP is for the network namespace to confine */
};

/*
 * A ruleset descriptor (close-on-exec) for that grant. Layers the ABI lacks are left out:
 * sandbox_probe() has judged whether that is acceptable.
 * Errors: ERR_CONFINE with the path.
 */
int landlock_make(
	int abi, const struct landlock_grant *grant, int *ruleset, struct err *err) ATTR_MUST_USE;

/* Enter the ruleset, for good. 0 or -1 with errno. After fork: yes. */
int landlock_enter(int ruleset) ATTR_MUST_USE;

/* The directories of every system that hold programs and their data, NULL-terminated. */
extern const char *const landlock_system_dirs[];

#endif
