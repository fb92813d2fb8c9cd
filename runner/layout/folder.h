/*
 * Directories in a version's scratch: made by us, written by the version's own user.
 *
 * Everything there can be replaced by whoever may write there, so directories are opened once, when
 * they are made, and only used through their descriptors.
 */
#ifndef RUNNER_LAYOUT_FOLDER_H
#define RUNNER_LAYOUT_FOLDER_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"

/*
 * Make the directory `name` in parent_fd, with the parent's owner and mode. Owns: *fd is the
 * caller's. Errors: ERR_BUILD something has this name already; ERR_OS.
 */
int folder_make(int parent_fd, const char *name, int *fd, struct err *err) ATTR_MUST_USE;

/* Write a new file that everybody may read. Errors: ERR_BUILD, ERR_OS as above. */
int folder_put_file(int parent_fd, const char *name, const void *bytes, size_t length,
	struct err *err) ATTR_MUST_USE;

#endif
