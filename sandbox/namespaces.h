/*
 * Namespaces: own processes, mounts, network, IPC, host name and cgroup view; and the user
 * namespace that grants the others to an ordinary user.
 */
#ifndef SANDBOX_NAMESPACES_H
#define SANDBOX_NAMESPACES_H

#include "sandbox/sandbox.h"

#include <stdbool.h>
#include <stdint.h>

/* The clone(2) flags of a tier's keeper; 0 for tiers without namespaces. */
uint64_t namespaces_flags(enum sandbox_tier tier);

/*
 * A child by clone(2) in these namespaces, its pidfd in *pidfd. As fork(2): the child returns 0.
 * -1 with errno.
 */
pid_t namespaces_clone(uint64_t flags, int *pidfd);

/*
 * In the keeper of the userns tier: become uid and gid `inside`, which is the caller's `outside` to
 * the rest of the machine. Errors: ERR_CONFINE.
 */
int namespaces_map(uid_t inside, uid_t outside, gid_t outside_gid, struct err *err) ATTR_MUST_USE;

/* A host name that is the same for both sides. Errors: ERR_CONFINE. */
int namespaces_name(struct err *err) ATTR_MUST_USE;

/* Bring the private loopback up. Errors: ERR_CONFINE. */
int namespaces_loopback_up(struct err *err) ATTR_MUST_USE;

#endif
