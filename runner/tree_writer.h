/*
 * The checked way from bytes of a repository to entries of the exported tree. Shared by
 * tree_export.c (commits) and tree_worktree.c; knows nothing of git.
 */
#ifndef RUNNER_TREE_WRITER_H
#define RUNNER_TREE_WRITER_H

#include "runner/tree.h"
#include "runner/tree_export.h"

struct tree_writer {
	int root; /* borrowed */
	struct timespec modified;
	struct tree_export *out; /* borrowed: what was written is counted there */
};

/* Where an entry goes. */
struct tree_place {
	int directory;    /* open */
	const char *path; /* the directory's, relative to root */
	const char *name;
};

/*
 * Write a regular file. `bytes` that are an LFS pointer are looked up below lfs_objects, a
 * directory
 * ("" = there is none). Errors: ERR_LIMIT, ERR_OS.
 */
int tree_writer_file(struct tree_writer *writer, const struct tree_place *place,
	const struct tree_file *file, const char *lfs_objects, struct err *err) ATTR_MUST_USE;

/* Write a regular file of `length` bytes from a descriptor. */
int tree_writer_copy(struct tree_writer *writer, const struct tree_place *place, int from,
	const struct tree_file *file, struct err *err) ATTR_MUST_USE;

/* Write a symbolic link, or leave it out and count it. target NULL = too long for any link. */
int tree_writer_link(struct tree_writer *writer, const struct tree_place *place, const char *target,
	struct err *err) ATTR_MUST_USE;

#endif
