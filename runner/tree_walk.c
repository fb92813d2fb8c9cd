#include "runner/tree_walk.h"

#include "runner/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

/* Takes over `path`. */
static int push(struct tree_walk *walk, char *path, struct err *err)
{
	if (walk->pending_count == walk->pending_capacity) {
		size_t capacity = walk->pending_capacity ? 2 * walk->pending_capacity : 64;
		char **grown = realloc(walk->pending, capacity * sizeof(*grown));

		if (!grown) {
			free(path);
			return err_errno(err, ERR_OS, "list directories");
		}
		walk->pending = grown;
		walk->pending_capacity = capacity;
	}
	walk->pending[walk->pending_count++] = path;
	return 0;
}

int tree_walk_begin(struct tree_walk *walk, int root, const char *start, struct err *err)
{
	char *path = strdup(start);

	*walk = (struct tree_walk){.root = root};
	if (!path)
		return err_errno(err, ERR_OS, "%s", start);
	return push(walk, path, err);
}

static void close_directory(struct tree_walk *walk)
{
	if (walk->stream)
		(void)closedir(walk->stream);
	walk->stream = NULL;
	free(walk->directory);
	walk->directory = NULL;
}

void tree_walk_end(struct tree_walk *walk)
{
	close_directory(walk);
	while (walk->pending_count > 0)
		free(walk->pending[--walk->pending_count]);
	free(walk->pending);
	*walk = (struct tree_walk){0};
}

static int open_next(struct tree_walk *walk, struct err *err)
{
	int fd;

	walk->directory = walk->pending[--walk->pending_count];
	if (tree_enter(&fd, walk->root, walk->directory, TREE_EXISTING, err) < 0)
		return -1;
	if (fd < 0)
		return err_set(err, ERR_OS, "%s is no directory any more", walk->directory);
	walk->stream = fdopendir(fd);
	if (!walk->stream) {
		(void)close(fd);
		return err_errno(err, ERR_OS, "read %s", walk->directory);
	}
	return 0;
}

static int give(struct tree_walk *walk, struct tree_entry *entry, struct err *err)
{
	char *path;

	if (fstatat(entry->directory, entry->name, &entry->status, AT_SYMLINK_NOFOLLOW) < 0)
		return err_errno(err, ERR_OS, "%s/%s", walk->directory, entry->name);
	if (!S_ISDIR(entry->status.st_mode))
		return 0;
	path = tree_join(walk->directory, entry->name, err);
	return path ? push(walk, path, err) : -1;
}

int tree_walk_next(struct tree_walk *walk, struct tree_entry *entry, struct err *err)
{
	struct dirent *found;

	*entry = (struct tree_entry){.directory = -1};
	for (;;) {
		if (!walk->stream && walk->pending_count == 0)
			return 0;
		if (!walk->stream && open_next(walk, err) < 0)
			return -1;
		errno = 0;
		found = readdir(walk->stream);
		if (!found && errno)
			return err_errno(err, ERR_OS, "read %s", walk->directory);
		if (!found) {
			close_directory(walk);
			continue;
		}
		if (strcmp(found->d_name, ".") == 0 || strcmp(found->d_name, "..") == 0)
			continue;
		entry->directory = dirfd(walk->stream);
		entry->path = walk->directory;
		entry->name = found->d_name;
		return give(walk, entry, err);
	}
}

void tree_walk_skip(struct tree_walk *walk)
{
	free(walk->pending[--walk->pending_count]);
}

int tree_walk_chown(int root, uid_t uid, gid_t gid, struct err *err)
{
	AUTO_TREE_WALK walk = {0};
	struct tree_entry entry;

	if (tree_walk_begin(&walk, root, "", err) < 0)
		return -1;
	for (;;) {
		if (tree_walk_next(&walk, &entry, err) < 0)
			return -1;
		if (!entry.name)
			break;
		if (fchownat(entry.directory, entry.name, uid, gid, AT_SYMLINK_NOFOLLOW) < 0)
			return err_errno(err, ERR_OS, "%s/%s", entry.path, entry.name);
	}
	if (fchown(root, uid, gid) < 0)
		return err_errno(err, ERR_OS, "change the tree's owner");
	return 0;
}
