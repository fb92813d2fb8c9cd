/*
 * Fresh copies of a version's code at its own paths, put in place from outside before each visit.
 *
 * The page cache gives every process of one file the same physical pages: an accident of placement
 * that no restart removes. So each visit runs a new file: a random relink (runner/layout/) or a
 * byte copy of the original, written beside it and renamed over it: $ORIGIN, library paths and the
 * lengths of names stay as they were.
 *
 * The tree was written by a build nobody has reviewed: paths are walked without following links, so
 * that nothing outside the tree is ever touched. No process of the version may run meanwhile.
 */
#ifndef RUNNER_FRESH_H
#define RUNNER_FRESH_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#define FRESH_FILES_MAX 256

struct fresh_file {
	char *path;         /* owned; as given, for messages */
	const char *name;   /* in path: its last component */
	int folder_fd;      /* owned; the directory it lies in */
	int original_fd;    /* owned; the file as the build left it, kept whatever replaces it */
	struct stat status; /* the original's mode and owner */
};

/* The files of one version that are renewed. */
struct fresh {
	struct fresh_file *files; /* owned array */
	size_t count;
};

/*
 * Remember the originals of `paths`, relative to `tree`.
 * Errors: ERR_OS, naming the path; ERR_BENCH it is not a regular file, or a link leads to it.
 * Then nothing is owned.
 */
int fresh_open(struct fresh *fresh, const char *tree, const char *const *paths, size_t count,
	struct err *err) ATTR_MUST_USE;

/*
 * Put new bytes at files[index]'s path: those of the file at `source` (read from its start), -1 =
 * the original's. Mode and owner stay the original's; a folder that its
 * owner, us, may not write to is opened for that long. Errors: ERR_OS; the old file is still there.
 */
int fresh_put(struct fresh *fresh, size_t index, int source_fd, struct err *err) ATTR_MUST_USE;

/* A byte copy of every original. */
int fresh_put_all(struct fresh *fresh, struct err *err) ATTR_MUST_USE;

/* Put the originals' bytes back where something else lies, and forget them. Errors: as fresh_put().
 */
int fresh_close(struct fresh *fresh, struct err *err) ATTR_MUST_USE;

/* Forget without putting anything back. Accepts a zeroed one. */
void fresh_release(struct fresh *fresh);

#endif
