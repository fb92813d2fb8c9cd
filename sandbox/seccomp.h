/*
 * The two filters: which calls a command may make, and with which arguments.
 *
 * Two, because "allow ioctl but for these values" cannot be said in a list of what is allowed
 * without comparing 64 bits where the kernel uses 32: the first program (ARGUMENTS) refuses values
 * and allows the rest, the second (CALLS) refuses all calls but the listed. Compiled in the parent,
 * once a process; commands load the bytes with one raw call each.
 */
#ifndef SANDBOX_SECCOMP_H
#define SANDBOX_SECCOMP_H

#include "sandbox/sandbox.h"

#include <stdint.h>

/*
 * Compile the filters of this tier. Needs no privilege and no support in the kernel.
 * Errors: ERR_CONFINE where libseccomp refuses.
 */
int seccomp_compile(enum sandbox_tier tier, struct sandbox_program filters[SANDBOX_FILTERS],
	struct err *err) ATTR_MUST_USE;

/* Load a filter, for good; needs no_new_privs. 0 or -1 with errno. After fork: yes. */
int seccomp_enter(const struct sandbox_program *program) ATTR_MUST_USE;

/*
 * Load a filter that asks a listener, and send that listener through the socket. 0 or -1 with
 * errno. After fork: yes.
 */
int seccomp_enter_asking(const struct sandbox_program *program, int socket) ATTR_MUST_USE;

/*
 * The number of a call by name, here; -1 where this architecture has none. Knows the calls newer
 * than the distribution's libseccomp.
 */
int seccomp_number_of(const char *name);

/* The name of a number, NULL where nobody knows it. The caller frees it. */
char *seccomp_name_of(int number);

/* Does the kernel take filters? */
bool seccomp_is_supported(void);

#endif
