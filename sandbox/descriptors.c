#include "sandbox/descriptors.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Linux 5.9; the flag 5.11. The C library of Debian 11 has no name for it. */
#define SYS_CLOSE_RANGE 436
#define FLAG_CLOSE_ON_EXEC 4u

int descriptors_raise(int *fd, struct err *err)
{
	int raised = fcntl(*fd, F_DUPFD_CLOEXEC, DESCRIPTORS_OWN_FIRST);

	if (raised < 0)
		return err_errno(err, ERR_CONFINE, "descriptors: raise");
	(void)close(*fd);
	*fd = raised;
	return 0;
}

int descriptors_keep_only(int first, int second, struct err *err)
{
	unsigned low = (unsigned)(second >= 0 && second < first ? second : first);
	unsigned high = (unsigned)(second > first ? second : first);
	AUTO_FD nothing = -1;

	if (syscall(SYS_CLOSE_RANGE, 0u, low - 1, 0u) < 0 ||
		(high > low + 1 && syscall(SYS_CLOSE_RANGE, low + 1, high - 1, 0u) < 0) ||
		syscall(SYS_CLOSE_RANGE, high + 1, UINT_MAX, 0u) < 0)
		return err_errno(err, ERR_CONFINE, "descriptors: close_range");
	nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (nothing != 0 || dup2(0, 1) < 0 || dup2(0, 2) < 0)
		return err_errno(err, ERR_CONFINE, "descriptors: /dev/null");
	(void)steal_fd(&nothing);
	return 0;
}

int descriptors_arrange(const struct descriptors_place *places, unsigned count)
{
	int raised[DESCRIPTORS_PLACED_MAX];

	/* First all out of the way, then all in place: one may sit where another has to go. */
	for (unsigned i = 0; i < count; i++) {
		raised[i] = fcntl(places[i].fd, F_DUPFD_CLOEXEC, DESCRIPTORS_OWN_FIRST);
		if (raised[i] < 0)
			return -1;
	}
	if (syscall(SYS_CLOSE_RANGE, 0u, UINT_MAX, FLAG_CLOSE_ON_EXEC) < 0)
		return -1;
	/* dup2(2) clears close-on-exec on the copy. */
	for (unsigned i = 0; i < count; i++)
		if (dup2(raised[i], places[i].as) < 0)
			return -1;
	return 0;
}
