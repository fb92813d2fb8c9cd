#include "runner/fresh.h"

#include "sandbox/base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODE_MASK 0777 /* no set-user-ID bit survives */
#define ALL_MODE_BITS 07777
#define BLOCK_BYTES 131072

void fresh_release(struct fresh *fresh)
{
	for (size_t i = 0; i < fresh->count; i++) {
		attr_close(&fresh->files[i].folder_fd);
		attr_close(&fresh->files[i].original_fd);
		free(fresh->files[i].path);
	}
	free(fresh->files);
	*fresh = (struct fresh){NULL, 0};
}

/* Into the next folder of the path, and not through a link. Takes over *folder_fd. */
static int enter(int *folder_fd, const char *name, struct err *err)
{
	int next = openat(*folder_fd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (next < 0 && (errno == ENOTDIR || errno == ELOOP))
		return err_set(err, ERR_BENCH, "'%s' is not a directory, or a link", name);
	if (next < 0)
		return err_errno(err, ERR_OS, "%s", name);
	(void)close(*folder_fd);
	*folder_fd = next;
	return 0;
}

/* The folder of `path` below `tree`; *name = the last component, in `path`. -1 on error. */
static int open_folder(const char *tree, const char *path, const char **name, struct err *err)
{
	AUTO_FD folder = open(tree, O_PATH | O_DIRECTORY | O_CLOEXEC);
	char component[NAME_MAX + 1];
	const char *slash;

	if (folder < 0)
		return err_errno(err, ERR_OS, "%s", tree);
	*name = path;
	while ((slash = strchr(*name, '/'))) {
		size_t length = (size_t)(slash - *name);

		if (length == 0 || length > NAME_MAX)
			return err_set(err, ERR_BUG, "not a plain relative path");
		memcpy(component, *name, length);
		component[length] = '\0';
		if (strcmp(component, "..") == 0)
			return err_set(err, ERR_BUG, "not a plain relative path");
		if (enter(&folder, component, err) < 0)
			return -1;
		*name = slash + 1;
	}
	return steal_fd(&folder);
}

static int remember(struct fresh_file *file, const char *tree, const char *path, struct err *err)
{
	*file = (struct fresh_file){.folder_fd = -1, .original_fd = -1, .path = strdup(path)};
	if (!file->path)
		return err_errno(err, ERR_OS, "fresh copies");
	file->folder_fd = open_folder(tree, file->path, &file->name, err);
	if (file->folder_fd < 0)
		return -1;
	file->original_fd = openat(file->folder_fd, file->name,
		O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (file->original_fd < 0)
		return err_errno(err, errno == ELOOP ? ERR_BENCH : ERR_OS, "open");
	if (fstat(file->original_fd, &file->status) < 0)
		return err_errno(err, ERR_OS, "stat");
	if (!S_ISREG(file->status.st_mode))
		return err_set(err, ERR_BENCH, "is not a regular file");
	return 0;
}

int fresh_open(struct fresh *fresh, const char *tree, const char *const *paths, size_t count,
	struct err *err)
{
	*fresh = (struct fresh){NULL, 0};
	if (count > FRESH_FILES_MAX)
		return err_set(
			err, ERR_LIMIT, "more than %d files with code to renew", FRESH_FILES_MAX);
	fresh->files = calloc(count + 1, sizeof(*fresh->files));
	if (!fresh->files)
		return err_errno(err, ERR_OS, "fresh copies");
	while (fresh->count < count) {
		const char *path = paths[fresh->count];
		struct fresh_file *file = &fresh->files[fresh->count++];

		if (remember(file, tree, path, err) < 0) {
			(void)err_wrap(err, "fresh copy of %s", path);
			fresh_release(fresh);
			return -1;
		}
	}
	return 0;
}

/* All of the source, from its start, without moving its offset. */
static int copy_bytes(int to, int from, struct err *err)
{
	AUTO_STR block = malloc(BLOCK_BYTES);
	off_t at = 0;

	if (!block)
		return err_errno(err, ERR_OS, "copy");
	for (;;) {
		ssize_t got = pread(from, block, BLOCK_BYTES, at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_errno(err, ERR_OS, "read");
		if (got == 0)
			return 0;
		if (io_write_all(to, block, (size_t)got, err) < 0)
			return -1;
		at += got;
	}
}

/* The new file under a name of its own, complete. */
static int write_beside(
	const struct fresh_file *file, const char *beside, int source_fd, struct err *err)
{
	AUTO_FD fd = openat(file->folder_fd, beside,
		O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return err_errno(err, ERR_OS, "create");
	if (copy_bytes(fd, source_fd, err) < 0)
		return -1;
	/* Owner before mode: a change of owner clears mode bits (chown(2)). */
	if (fchown(fd, file->status.st_uid, file->status.st_gid) < 0 && errno != EPERM)
		return err_errno(err, ERR_OS, "owner");
	if (fchmod(fd, file->status.st_mode & MODE_MASK) < 0)
		return err_errno(err, ERR_OS, "mode");
	return 0;
}

/*
 * The mode of the file's folder, which is held by O_PATH only. Where this fails, so does what comes
 * next, and says why.
 */
static void set_folder_mode(const struct fresh_file *file, mode_t mode)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", file->folder_fd);
	(void)!chmod(path, mode & ALL_MODE_BITS);
}

static int put(const struct fresh_file *file, int source_fd, struct err *err)
{
	char beside[64];
	struct stat folder;
	bool is_locked;
	int result;

	/* Builds write-protect what they made; programs see the folder as their build left it. */
	if (fstat(file->folder_fd, &folder) < 0)
		return err_errno(err, ERR_OS, "fresh copy of %s", file->path);
	is_locked = folder.st_uid == geteuid() && (folder.st_mode & S_IWUSR) == 0;
	if (is_locked)
		set_folder_mode(file, folder.st_mode | S_IWUSR);

	(void)snprintf(beside, sizeof(beside), ".duel-fresh.%d", getpid());
	/* Left by a run that was killed. */
	(void)unlinkat(file->folder_fd, beside, 0);
	result = write_beside(file, beside, source_fd, err);
	if (result == 0 && renameat(file->folder_fd, beside, file->folder_fd, file->name) < 0)
		result = err_errno(err, ERR_OS, "rename");
	if (result < 0)
		(void)unlinkat(file->folder_fd, beside, 0);
	if (is_locked)
		set_folder_mode(file, folder.st_mode);
	if (result < 0)
		return err_wrap(err, "fresh copy of %s", file->path);
	return 0;
}

int fresh_put(struct fresh *fresh, size_t index, int source_fd, struct err *err)
{
	const struct fresh_file *file = &fresh->files[index];

	return put(file, source_fd < 0 ? file->original_fd : source_fd, err);
}

int fresh_put_all(struct fresh *fresh, struct err *err)
{
	for (size_t i = 0; i < fresh->count; i++) {
		if (fresh_put(fresh, i, -1, err) < 0)
			return -1;
	}
	return 0;
}

/* Is the original itself, not a copy, at its path? */
static bool is_untouched(const struct fresh_file *file)
{
	struct stat now;

	return fstatat(file->folder_fd, file->name, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
	       now.st_dev == file->status.st_dev && now.st_ino == file->status.st_ino;
}

int fresh_close(struct fresh *fresh, struct err *err)
{
	int result = 0;

	for (size_t i = 0; i < fresh->count && result == 0; i++) {
		if (!is_untouched(&fresh->files[i]))
			result = fresh_put(fresh, i, -1, err);
	}
	fresh_release(fresh);
	return result;
}
