/*
 * Files of a version's tree on disk, reached one component at a time from a held directory.
 *
 * No call here follows a symbolic link or depends on PATH_MAX: names are bytes, paths are relative
 * to `root`, components divided by single slashes, "" is the root itself. Used by tree_export.h,
 * tree_overlay.h and tree_manifest.h; knows nothing of git.
 */
#ifndef RUNNER_TREE_H
#define RUNNER_TREE_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#define TREE_PATH_BYTES_MAX 16384

enum tree_enter {
	TREE_EXISTING, /* *out = -1 where the path does not exist or is no directory: no error */
	TREE_CREATE,   /* missing directories are made */
	TREE_REPLACE,  /* the same, and whatever stands in their way is removed */
};

/* Open an existing directory by its path. Errors: ERR_OS. */
int tree_open(int *out, const char *path, struct err *err) ATTR_MUST_USE;

/* Open the directory `path` below root. *out is the caller's. Errors: ERR_OS with the path. */
int tree_enter(
	int *out, int root, const char *path, enum tree_enter how, struct err *err) ATTR_MUST_USE;

/* Open the directory that holds `path`, as tree_enter(); *name = the last component, in `path`. */
int tree_enter_parent(int *out, const char **name, int root, const char *path, enum tree_enter how,
	struct err *err) ATTR_MUST_USE;

struct tree_file {
	const void *bytes; /* borrowed */
	size_t length;
	bool executable; /* 0755, else 0644, whatever the umask */
	struct timespec modified;
};

/* Make the file `name`, which must not exist. Errors: ERR_OS. */
int tree_write(int directory, const char *name, const struct tree_file *file,
	struct err *err) ATTR_MUST_USE;

/* The same with all that `from` still holds, in pieces: memory does not grow with it. file->bytes
 * and length are not looked at. */
int tree_copy(int from, int directory, const char *name, const struct tree_file *file,
	struct err *err) ATTR_MUST_USE;

/* Open a regular file to read, or *out = -1 where it is none. Never blocks on a FIFO. */
int tree_open_file(int *out, int directory, const char *name, struct stat *status,
	struct err *err) ATTR_MUST_USE;

/* A symbolic link's target; NULL in *out where it is longer than a kernel path. */
int tree_read_link(char **out, int directory, const char *name, struct err *err) ATTR_MUST_USE;

/*
 * Does a link in a directory `depth` levels below the root stay in the tree? Only ".." at the front
 * of the target is counted: behind a name it would start from wherever that name leads, so such
 * targets count as leaving. As the directories of a tree are real ones and its links all pass this
 * test, no chain of them leaves.
 */
bool tree_link_stays(size_t depth, const char *target);

/* Levels of a directory's path: "" = 0, "a/b" = 2. */
size_t tree_depth(const char *path);

/* directory + "/" + name; NULL and err set beyond TREE_PATH_BYTES_MAX. */
char *tree_join(const char *directory, const char *name, struct err *err) ATTR_MUST_USE;

#endif
