#include "runner/tree.h"

#include "sandbox/base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define COPY_BYTES 65536

int tree_open(int *out, const char *path, struct err *err)
{
	*out = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return *out < 0 ? err_errno(err, ERR_OS, "open %s", path) : 0;
}

static int open_directory(int directory, const char *name)
{
	return openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* The errno of a component that is missing, no directory or a link. */
static bool is_absent(int error)
{
	return error == ENOENT || error == ENOTDIR || error == ELOOP;
}

static int make_directory(int directory, const char *name, enum tree_enter how, struct err *err)
{
	int fd;

	if (how == TREE_REPLACE && errno != ENOENT && io_remove_at(directory, name, err) < 0)
		return -1;
	if (mkdirat(directory, name, 0755) < 0) {
		(void)err_errno(err, ERR_OS, "create directory %s", name);
		return -1;
	}
	fd = open_directory(directory, name);
	if (fd < 0) {
		(void)err_errno(err, ERR_OS, "open %s", name);
		return -1;
	}
	(void)fchmod(fd, 0755);
	return fd;
}

/* One component down; takes over `directory`. -2 = absent. */
static int step(int directory, const char *name, enum tree_enter how, struct err *err)
{
	int fd = open_directory(directory, name);

	if (fd < 0 && is_absent(errno))
		fd = how == TREE_EXISTING ? -2 : make_directory(directory, name, how, err);
	else if (fd < 0)
		(void)err_errno(err, ERR_OS, "open %s", name);
	(void)close(directory);
	return fd;
}

int tree_enter(int *out, int root, const char *path, enum tree_enter how, struct err *err)
{
	int fd = open_directory(root, ".");
	char name[NAME_MAX + 1];

	if (fd < 0)
		return err_errno(err, ERR_OS, "open the tree's root");
	for (const char *rest = path; fd >= 0 && *rest;) {
		size_t length = strcspn(rest, "/");

		if (length > NAME_MAX) {
			(void)close(fd);
			return err_set(
				err, ERR_OS, "%s: a name longer than %d bytes", path, NAME_MAX);
		}
		memcpy(name, rest, length);
		name[length] = '\0';
		fd = step(fd, name, how, err);
		rest += length;
		rest += *rest == '/';
	}
	*out = fd < 0 ? -1 : fd;
	return fd == -1 ? err_wrap(err, "%s", path) : 0;
}

int tree_enter_parent(int *out, const char **name, int root, const char *path, enum tree_enter how,
	struct err *err)
{
	const char *slash = strrchr(path, '/');
	AUTO_STR directory = strndup(path, slash ? (size_t)(slash - path) : 0);

	if (!directory)
		return err_errno(err, ERR_OS, "%s", path);
	*name = slash ? slash + 1 : path;
	return tree_enter(out, root, directory, how, err);
}

static int create_file(int directory, const char *name)
{
	return openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
}

static int finish_file(
	int fd, const char *name, bool executable, const struct timespec *modified, struct err *err)
{
	const struct timespec times[2] = {*modified, *modified};

	if (fchmod(fd, executable ? 0755 : 0644) < 0 || futimens(fd, times) < 0)
		return err_errno(err, ERR_OS, "%s", name);
	return 0;
}

int tree_write(int directory, const char *name, const struct tree_file *file, struct err *err)
{
	AUTO_FD fd = create_file(directory, name);

	if (fd < 0)
		return err_errno(err, ERR_OS, "create %s", name);
	if (io_write_all(fd, file->bytes, file->length, err) < 0)
		return err_wrap(err, "%s", name);
	return finish_file(fd, name, file->executable, &file->modified, err);
}

int tree_open_file(int *out, int directory, const char *name, struct stat *status, struct err *err)
{
	AUTO_FD fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	*out = -1;
	if (fd < 0)
		return is_absent(errno) || errno == ENXIO ? 0
							  : err_errno(err, ERR_OS, "open %s", name);
	if (fstat(fd, status) < 0)
		return err_errno(err, ERR_OS, "%s", name);
	if (S_ISREG(status->st_mode))
		*out = steal_fd(&fd);
	return 0;
}

static int copy_bytes(int from, int to, const char *name, struct err *err)
{
	AUTO_STR block = malloc(COPY_BYTES);
	size_t got = 1;

	if (!block)
		return err_errno(err, ERR_OS, "copy %s", name);
	while (got > 0) {
		if (io_read_some(from, block, COPY_BYTES, UINT64_MAX, &got, err) < 0 ||
			io_write_all(to, block, got, err) < 0)
			return err_wrap(err, "copy %s", name);
	}
	return 0;
}

int tree_copy(
	int from, int directory, const char *name, const struct tree_file *file, struct err *err)
{
	AUTO_FD to = create_file(directory, name);

	if (to < 0)
		return err_errno(err, ERR_OS, "create %s", name);
	if (copy_bytes(from, to, name, err) < 0)
		return -1;
	return finish_file(to, name, file->executable, &file->modified, err);
}

int tree_read_link(char **out, int directory, const char *name, struct err *err)
{
	char target[PATH_MAX];
	ssize_t length = readlinkat(directory, name, target, sizeof(target));

	*out = NULL;
	if (length < 0)
		return err_errno(err, ERR_OS, "read link %s", name);
	if ((size_t)length == sizeof(target))
		return 0;
	*out = strndup(target, (size_t)length);
	return *out ? 0 : err_errno(err, ERR_OS, "read link %s", name);
}

bool tree_link_stays(size_t depth, const char *target)
{
	bool named = false;

	if (*target == '/' || !*target || strlen(target) >= PATH_MAX)
		return false;
	while (*target) {
		size_t length = strcspn(target, "/");

		if (length == 2 && memcmp(target, "..", 2) == 0) {
			if (named || depth == 0)
				return false;
			depth--;
		} else if (length > 0 && !(length == 1 && *target == '.')) {
			named = true;
		}
		target += length;
		target += *target == '/';
	}
	return true;
}

size_t tree_depth(const char *path)
{
	size_t depth = *path != '\0';

	for (; *path; path++)
		depth += *path == '/';
	return depth;
}

char *tree_join(const char *directory, const char *name, struct err *err)
{
	size_t head = strlen(directory);
	size_t tail = strlen(name);
	char *path;

	if (head + tail + 2 > TREE_PATH_BYTES_MAX) {
		(void)err_set(err, ERR_LIMIT, "%s: a path longer than %d bytes", directory,
			TREE_PATH_BYTES_MAX);
		return NULL;
	}
	path = malloc(head + tail + 2);
	if (!path) {
		(void)err_errno(err, ERR_OS, "%s/%s", directory, name);
		return NULL;
	}
	memcpy(path, directory, head);
	path[head] = '/';
	memcpy(path + head + (head > 0), name, tail + 1);
	return path;
}
