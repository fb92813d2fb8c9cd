/*
 * Which descriptors a process holds: the keeper only its own, a command only those named.
 */
#ifndef SANDBOX_DESCRIPTORS_H
#define SANDBOX_DESCRIPTORS_H

#include "sandbox/base/err.h"

/* The keeper's own descriptors lie at and above this number, a command's below it. */
#define DESCRIPTORS_OWN_FIRST 64

/* Three standard ones and SANDBOX_FDS_MAX. A request names at most this many different ones. */
#define DESCRIPTORS_PLACED_MAX 11

struct descriptors_place {
	int fd; /* in this process */
	int as; /* in the command, below DESCRIPTORS_OWN_FIRST */
};

/* Move *fd out of the commands' way; close-on-exec. Errors: ERR_CONFINE. */
int descriptors_raise(int *fd, struct err *err) ATTR_MUST_USE;

/*
 * In the keeper: close everything but these two raised descriptors (the second may be -1), put
 * /dev/null at 0, 1 and 2. Errors: ERR_CONFINE.
 */
int descriptors_keep_only(int first, int second, struct err *err) ATTR_MUST_USE;

/*
 * Before exec: these descriptors at these numbers, all others closed by the exec.
 * 0 or -1 with errno. After fork: yes.
 */
int descriptors_arrange(const struct descriptors_place *places, unsigned count) ATTR_MUST_USE;

#endif
