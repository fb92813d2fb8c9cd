/*
 * Removing trees that builds have left: names may be deeper than any path the kernel takes and more
 * nested than a process has descriptors. So a directory found inside another is first moved to the
 * top of the tree, and only the top is ever worked on.
 */
#include "sandbox/base/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct removal {
	int top;             /* the directory to be emptied */
	dev_t device;        /* its file system: others are mounts, left alone */
	const char *name;    /* for errors */
	unsigned long moved; /* directories brought to the top so far */
};

static bool is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* A directory its owner has made unreadable is made readable again, only where that is needed: the
 * superuser never comes here. */
static int open_directory(int directory, const char *name)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(directory, name, flags);
	struct stat status;

	if (fd < 0 && errno == EACCES && fchmodat(directory, name, 0700, 0) == 0)
		fd = openat(directory, name, flags);
	if (fd >= 0 && fstat(fd, &status) == 0 && (status.st_mode & 0700) != 0700)
		(void)fchmod(fd, 0700);
	return fd;
}

static DIR *open_stream(int directory, const char *name)
{
	int fd = open_directory(directory, name);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);

	if (!stream && fd >= 0)
		(void)close(fd);
	return stream;
}

static int move_to_top(struct removal *removal, int directory, const char *name, struct err *err)
{
	char moved[40];

	for (;;) {
		(void)snprintf(moved, sizeof(moved), ".removed-%lu", removal->moved++);
		if (renameat2(directory, name, removal->top, moved, RENAME_NOREPLACE) == 0)
			return 0;
		/* Moving a directory rewrites its "..": its owner needs write permission. */
		if (errno == EACCES && fchmodat(directory, name, 0700, 0) == 0 &&
			renameat2(directory, name, removal->top, moved, RENAME_NOREPLACE) == 0)
			return 0;
		if (errno != EEXIST)
			return err_errno(err, ERR_OS, "remove %s: move %s", removal->name, name);
	}
}

/* Empty one directory of the top: its files go, its directories move up. */
static int empty_directory(struct removal *removal, DIR *stream, struct err *err)
{
	struct dirent *entry;
	struct stat status;
	int directory = dirfd(stream);

	if (fstat(directory, &status) == 0 && status.st_dev != removal->device)
		return err_set(
			err, ERR_OS, "remove %s: something is mounted inside it", removal->name);
	while ((entry = readdir(stream))) {
		if (is_dots(entry->d_name))
			continue;
		if (unlinkat(directory, entry->d_name, 0) == 0 || errno == ENOENT)
			continue;
		if (errno != EISDIR)
			return err_errno(
				err, ERR_OS, "remove %s: %s", removal->name, entry->d_name);
		if (unlinkat(directory, entry->d_name, AT_REMOVEDIR) == 0)
			continue;
		if (move_to_top(removal, directory, entry->d_name, err) < 0)
			return -1;
	}
	return 0;
}

static int remove_from_top(struct removal *removal, const char *name, struct err *err)
{
	DIR *stream;
	int result;

	if (unlinkat(removal->top, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
		return 0;
	stream = open_stream(removal->top, name);
	if (!stream)
		return err_errno(err, ERR_OS, "remove %s: open %s", removal->name, name);
	result = empty_directory(removal, stream, err);
	(void)closedir(stream);
	if (result < 0)
		return -1;
	/* Some file systems show only part of a directory that shrinks: the next pass comes back.
	 */
	if (unlinkat(removal->top, name, AT_REMOVEDIR) < 0 && errno != ENOTEMPTY &&
		errno != EEXIST && errno != ENOENT)
		return err_errno(err, ERR_OS, "remove %s: %s", removal->name, name);
	return 0;
}

/* One pass over the top. *left tells whether directories were met. */
static int pass(struct removal *removal, DIR *stream, bool *left, struct err *err)
{
	struct dirent *entry;

	*left = false;
	rewinddir(stream);
	while ((entry = readdir(stream))) {
		if (is_dots(entry->d_name))
			continue;
		if (unlinkat(removal->top, entry->d_name, 0) == 0 || errno == ENOENT)
			continue;
		if (errno != EISDIR)
			return err_errno(
				err, ERR_OS, "remove %s: %s", removal->name, entry->d_name);
		*left = true;
		if (remove_from_top(removal, entry->d_name, err) < 0)
			return -1;
	}
	return 0;
}

int io_remove_at(int directory, const char *name, struct err *err)
{
	struct removal removal = {.name = name};
	struct stat status;
	bool left = true;
	int result = 0;
	DIR *stream;

	if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : err_errno(err, ERR_OS, "remove %s", name);
	if (!S_ISDIR(status.st_mode)) {
		if (unlinkat(directory, name, 0) < 0 && errno != ENOENT)
			return err_errno(err, ERR_OS, "remove %s", name);
		return 0;
	}
	stream = open_stream(directory, name);
	if (!stream)
		return err_errno(err, ERR_OS, "remove %s: open", name);
	removal.top = dirfd(stream);
	removal.device = status.st_dev;
	while (result == 0 && left)
		result = pass(&removal, stream, &left, err);
	(void)closedir(stream);
	if (result == 0 && unlinkat(directory, name, AT_REMOVEDIR) < 0 && errno != ENOENT)
		return err_errno(err, ERR_OS, "remove %s", name);
	return result;
}

int io_remove_tree(const char *path, struct err *err)
{
	return io_remove_at(AT_FDCWD, path, err);
}
