#include "sandbox/namespaces.h"

#include "sandbox/base/io.h"
#include "sandbox/base/text.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EACH_NAMESPACE \
	(CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)

uint64_t namespaces_flags(enum sandbox_tier tier)
{
	if (tier == SANDBOX_TIER_ROOT)
		return EACH_NAMESPACE;
	if (tier == SANDBOX_TIER_USERNS)
		return EACH_NAMESPACE | CLONE_NEWUSER;
	return 0;
}

pid_t namespaces_clone(uint64_t flags, int *pidfd)
{
	/* Not clone3(2): container runtimes refuse it to processes without CAP_SYS_ADMIN, whatever
	 * its flags, because their filters cannot look into its arguments. */
	return (pid_t)syscall(
		SYS_clone, (unsigned long)flags | CLONE_PIDFD | SIGCHLD, NULL, pidfd, NULL, 0ul);
}

static int write_proc(const char *path, const char *text, struct err *err)
{
	AUTO_FD fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return err_errno(err, ERR_CONFINE, "user namespace: %s", path);
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		return err_errno(err, ERR_CONFINE, "user namespace: write %s", path);
	return 0;
}

int namespaces_map(uid_t inside, uid_t outside, gid_t outside_gid, struct err *err)
{
	char uids[64];
	char gids[64];

	(void)snprintf(uids, sizeof(uids), "%u %u 1", inside, outside);
	(void)snprintf(gids, sizeof(gids), "%u %u 1", inside, outside_gid);
	/* The files in /proc/self of a process that cannot be dumped belong to root. */
	if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0)
		return err_errno(err, ERR_CONFINE, "user namespace: dumpable");
	/* user_namespaces(7): an unprivileged gid_map needs setgroups(2) denied first. */
	if (write_proc("/proc/self/setgroups", "deny", err) < 0 ||
		write_proc("/proc/self/gid_map", gids, err) < 0 ||
		write_proc("/proc/self/uid_map", uids, err) < 0)
		return -1;
	return 0;
}

int namespaces_name(struct err *err)
{
	if (sethostname("duel", 4) < 0)
		return err_errno(err, ERR_CONFINE, "host name");
	return 0;
}

int namespaces_loopback_up(struct err *err)
{
	AUTO_FD fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq request;

	if (fd < 0)
		return err_errno(err, ERR_CONFINE, "loopback: socket");
	memset(&request, 0, sizeof(request));
	(void)text_copy(request.ifr_name, sizeof(request.ifr_name), "lo");
	request.ifr_flags = IFF_UP | IFF_RUNNING;
	if (ioctl(fd, SIOCSIFFLAGS, &request) < 0)
		return err_errno(err, ERR_CONFINE, "loopback: bring it up");
	return 0;
}
