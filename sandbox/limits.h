/*
 * Limits of a command: rlimits, processor, stack, address layout. What one process can take; the
 * sum over processes is the cgroup's.
 */
#ifndef SANDBOX_LIMITS_H
#define SANDBOX_LIMITS_H

#include "sandbox/profiles.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Apply the profile's limits. None is raised above the hard limit we have: raising needs
 * CAP_SYS_RESOURCE, which root in a container often lacks. 0 or -1 with errno. After fork: yes.
 */
int limits_apply(const struct profile_limits *limits) ATTR_MUST_USE;

/* RLIMIT_STACK: where the kernel puts the mappings follows from it. After fork: yes. */
int limits_stack(uint64_t bytes) ATTR_MUST_USE;

/* Run on that processor only. After fork: yes. */
int limits_pin(int cpu) ATTR_MUST_USE;

/* No address space randomisation, inherited by everything executed later. After fork: yes. */
int limits_same_addresses(void) ATTR_MUST_USE;

/*
 * Tasks the uid has now: RLIMIT_NPROC counts a whole uid, so a tier that shares the caller's adds
 * what was there before.
 */
uint64_t limits_tasks_of(uid_t uid);

#endif
