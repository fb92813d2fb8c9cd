/*
 * Run a command where parts of confinement cannot be had, as in a container or on an old kernel.
 *
 * usage: deny WHAT... -- COMMAND...
 *   clone3       clone3(2) is unknown: what container runtimes answer
 *   namespaces   clone(2) with a new mount namespace is not permitted
 *   landlock     landlock_create_ruleset(2) is unknown: kernels before 5.13
 *   seccomp      seccomp(2) is unknown
 * Ends with 99 where the filter cannot be had itself.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LANDLOCK_CREATE_RULESET 444 /* everywhere; older headers lack it */

static int deny(scmp_filter_ctx filter, const char *what)
{
	if (strcmp(what, "clone3") == 0)
		return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SYS_clone3, 0);
	if (strcmp(what, "landlock") == 0)
		return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), LANDLOCK_CREATE_RULESET, 0);
	if (strcmp(what, "seccomp") == 0)
		return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SYS_seccomp, 0);
	if (strcmp(what, "namespaces") == 0)
		return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SYS_clone, 1,
			SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWNS, CLONE_NEWNS));
	return -EINVAL;
}

int main(int argc, char **argv)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int i = 1;

	for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (!filter || deny(filter, argv[i]) < 0) {
			(void)fprintf(stderr, "deny: no filter against %s\n", argv[i]);
			return 99;
		}
	}
	if (i + 1 >= argc || seccomp_load(filter) < 0) {
		(void)fprintf(stderr, "deny: no command, or the filter is refused\n");
		return 99;
	}
	seccomp_release(filter);
	(void)execvp(argv[i + 1], argv + i + 1);
	perror(argv[i + 1]);
	return 99;
}
