#include "sandbox/base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

uint64_t io_now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

double io_seconds_since(uint64_t start_ns)
{
	return (double)(io_now_ns() - start_ns) / 1e9;
}

int io_write_all(int fd, const void *bytes, size_t length, struct err *err)
{
	const char *next = bytes;

	while (length > 0) {
		ssize_t wrote = write(fd, next, length);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return err_errno(err, ERR_OS, "write");
		next += wrote;
		length -= (size_t)wrote;
	}
	return 0;
}

int io_read_all(struct buf *buf, int fd, struct err *err)
{
	char block[16384];

	for (;;) {
		size_t got;

		if (io_read_some(fd, block, sizeof(block), UINT64_MAX, &got, err) < 0)
			return -1;
		if (got == 0)
			return 0;
		if (buf_append(buf, block, got, err) < 0)
			return -1;
	}
}

/* Milliseconds until the deadline for poll(2): -1 = for ever, rounded up so that poll never spins.
 */
static int poll_timeout_ms(uint64_t deadline_ns)
{
	uint64_t now_ns = io_now_ns();

	if (deadline_ns == UINT64_MAX)
		return -1;
	if (deadline_ns <= now_ns)
		return 0;
	if ((deadline_ns - now_ns) / 1000000u >= INT_MAX)
		return INT_MAX;
	return (int)((deadline_ns - now_ns + 999999u) / 1000000u);
}

int io_read_some(
	int fd, void *bytes, size_t length, uint64_t deadline_ns, size_t *got, struct err *err)
{
	for (;;) {
		struct pollfd ready = {.fd = fd, .events = POLLIN};
		int polled = poll(&ready, 1, poll_timeout_ms(deadline_ns));
		ssize_t n;

		if (polled < 0 && errno == EINTR)
			continue;
		if (polled < 0)
			return err_errno(err, ERR_OS, "poll");
		if (polled == 0)
			return err_set(err, ERR_LIMIT, "no answer before the deadline");
		n = read(fd, bytes, length);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n < 0)
			return err_errno(err, ERR_OS, "read");
		*got = (size_t)n;
		return 0;
	}
}

int io_read_file(struct buf *buf, const char *path, struct err *err)
{
	/* Not blocking: the open of a named pipe somebody left there would wait for a writer. */
	AUTO_FD fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat status;

	if (fd < 0)
		return err_errno(err, ERR_OS, "open %s", path);
	if (fstat(fd, &status) < 0)
		return err_errno(err, ERR_OS, "%s", path);
	if (S_ISDIR(status.st_mode))
		return err_set(err, ERR_OS, "%s is a directory", path);
	if (!S_ISREG(status.st_mode))
		return err_set(err, ERR_OS, "%s is no regular file", path);
	if (io_read_all(buf, fd, err) < 0)
		return err_wrap(err, "%s", path);
	return 0;
}

/* Create the file that is to take the place of `path`; its name goes to `beside`. */
static int create_beside(
	int *fd, char beside[PATH_MAX], const char *path, mode_t mode, struct err *err)
{
	if ((size_t)snprintf(beside, PATH_MAX, "%s.%d.part", path, getpid()) >= PATH_MAX)
		return err_set(err, ERR_OS, "%s: path too long", path);
	/* A process of this number that was killed may have left its own. */
	(void)unlink(beside);
	*fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
	if (*fd < 0)
		return err_errno(err, ERR_OS, "create %s", beside);
	return 0;
}

int io_check_replaceable(const char *path, struct err *err)
{
	char beside[PATH_MAX];
	struct stat status;
	AUTO_FD fd = -1;

	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
		errno = EISDIR;
		return err_errno(err, ERR_OS, "%s", path);
	}
	if (create_beside(&fd, beside, path, 0600, err) < 0)
		return -1;
	(void)unlink(beside);
	return 0;
}

int io_replace_file(
	const char *path, const void *bytes, size_t length, mode_t mode, struct err *err)
{
	char beside[PATH_MAX];
	int result = -1;
	int fd;

	if (create_beside(&fd, beside, path, mode, err) < 0)
		return -1;
	if (io_write_all(fd, bytes, length, err) < 0)
		(void)err_wrap(err, "%s", beside);
	else if (fsync(fd) < 0)
		(void)err_errno(err, ERR_OS, "sync %s", beside);
	else
		result = 0;
	/* A close that fails after fsync has nothing left to lose. */
	(void)close(fd);
	if (result == 0 && rename(beside, path) < 0)
		result = err_errno(err, ERR_OS, "rename %s to %s", beside, path);
	if (result < 0)
		(void)unlink(beside);
	return result;
}

int io_pipe(int ends[2], struct err *err)
{
	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_errno(err, ERR_OS, "pipe");
	return 0;
}

int io_make_dirs(const char *path, mode_t mode, struct err *err)
{
	char partial[PATH_MAX];
	size_t length = strlen(path);
	struct stat status;

	if (length >= sizeof(partial))
		return err_set(err, ERR_OS, "%s: path too long", path);
	memcpy(partial, path, length + 1);
	for (char *slash = partial + 1; length > 0 && *slash; slash++) {
		if (*slash != '/')
			continue;
		*slash = '\0';
		if (mkdir(partial, mode) < 0 && errno != EEXIST)
			return err_errno(err, ERR_OS, "create directory %s", partial);
		*slash = '/';
	}
	if (mkdir(partial, mode) == 0)
		return 0;
	if (errno == EEXIST && stat(partial, &status) == 0 && !S_ISDIR(status.st_mode))
		errno = ENOTDIR;
	else if (errno == EEXIST)
		return 0;
	return err_errno(err, ERR_OS, "create directory %s", partial);
}
