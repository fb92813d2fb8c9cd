/*
 * The cell's own view of files: a read-only root of the system's directories, the tree at
 * /duel/tree, the scratch at /duel/scratch, private /tmp, /var/tmp, /dev/shm and /proc.
 *
 * Both sides see the same paths of the same length. Everything is a bind of what the machine has:
 * a file put into the tree from outside, by rename on the same file system, shows at once.
 */
#ifndef SANDBOX_MOUNTS_H
#define SANDBOX_MOUNTS_H

#include "sandbox/base/err.h"

#include <stdbool.h>
#include <stdint.h>

#define MOUNTS_TREE "/duel/tree"
#define MOUNTS_SCRATCH "/duel/scratch"

struct mounts_view {
	const char *tree; /* on the machine; borrowed, as all here */
	bool tree_writable;
	const char *scratch;         /* NULL = a tmpfs */
	const char *const *readable; /* NULL-terminated */
	const char *const *system;   /* directories of the system, absolute; NULL-terminated */
	uint64_t tmp_bytes_max;
	uint64_t scratch_bytes_max;
};

/*
 * Make that view the root of the caller's own mount namespace. Needs capabilities there.
 * Errors: ERR_CONFINE with the step; the namespace is then half made and of no use.
 */
int mounts_enter(const struct mounts_view *view, struct err *err) ATTR_MUST_USE;

#endif
