/*
 * Who a command is: the uid of its side where the tier has own uids, no capability anywhere.
 */
#ifndef SANDBOX_IDENTITY_H
#define SANDBOX_IDENTITY_H

#include "sandbox/sandbox.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * Draw the pair of uids for the sides of this process. Drawn, not fixed: the limit on processes
 * counts a uid on the whole machine, and another run there must not use up ours.
 */
uid_t identity_draw(void);

/* Has the tier a uid of its own for each side? */
bool identity_is_own(const struct sandbox_machine *machine);

/* The uid (and gid) of a side's commands as this machine's files name it. */
uid_t identity_uid(const struct sandbox_machine *machine, enum sandbox_side side);

/* The uid inside the user namespace of the userns tier, whatever the caller's is. */
uid_t identity_mapped_uid(void);

/* Is this the machine's first user namespace, where uid 0 owns the machine's files? */
bool identity_is_first_namespace(void);

/*
 * In the keeper, once for all its commands: empty the bounding set, so that no exec of theirs can
 * gain a capability; the keeper keeps what it has. Errors: ERR_CONFINE.
 */
int identity_drop_bounding(struct err *err) ATTR_MUST_USE;

/*
 * Become uid and gid `id`, with no group, and check that there is no way back. 0 or -1 with errno.
 * After fork: yes.
 */
int identity_become(uid_t id) ATTR_MUST_USE;

/* Give up all capabilities. 0 or -1 with errno. After fork: yes. */
int identity_drop_capabilities(void) ATTR_MUST_USE;

/*
 * May that uid walk to `path`? Judged by the mode bits of each directory above it.
 * Errors: ERR_CONFINE naming the directory that is closed and what to do.
 */
int identity_check_reachable(uid_t uid, const char *path, struct err *err) ATTR_MUST_USE;

#endif
