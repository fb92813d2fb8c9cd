/*
 * Every entry of a directory tree on disk, one at a time, parents before what they hold. The order
 * within a directory is the file system's. For trees that nobody changes meanwhile.
 *
 *	struct tree_entry entry;
 *
 *	if (tree_walk_begin(&walk, root, "src", &err) < 0)
 *		return -1;
 *	while ((more = tree_walk_next(&walk, &entry, &err)) == 0 && entry.name)
 *		...
 *	tree_walk_end(&walk);
 */
#ifndef RUNNER_TREE_WALK_H
#define RUNNER_TREE_WALK_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"

#include <dirent.h>
#include <stddef.h>
#include <sys/stat.h>

struct tree_walk {
	int root;       /* borrowed */
	char **pending; /* owned: directories still to be read */
	size_t pending_count, pending_capacity;
	char *directory; /* owned: the one being read */
	DIR *stream;     /* owned */
};

/* Valid until the next call. */
struct tree_entry {
	int directory;      /* descriptor of the directory that holds it */
	const char *path;   /* that directory's, relative to root */
	const char *name;   /* NULL = the walk is over */
	struct stat status; /* of the entry itself, links not followed */
};

/* `start` is a directory below root, "" = root; its own entry is not given. Errors: ERR_OS. */
int tree_walk_begin(
	struct tree_walk *walk, int root, const char *start, struct err *err) ATTR_MUST_USE;

/* Errors: ERR_OS with the path; ERR_LIMIT a path beyond TREE_PATH_BYTES_MAX. */
int tree_walk_next(struct tree_walk *walk, struct tree_entry *entry, struct err *err) ATTR_MUST_USE;

/* Do not go into the directory that was given last. */
void tree_walk_skip(struct tree_walk *walk);

void tree_walk_end(struct tree_walk *walk); /* accepts a zeroed one */

/* Give everything below root, and root, to this owner; links themselves, never their targets. */
int tree_walk_chown(int root, uid_t uid, gid_t gid, struct err *err) ATTR_MUST_USE;

#define AUTO_TREE_WALK ATTR_CLEANUP(tree_walk_end) struct tree_walk

#endif
