/*
 * Whole reads and writes, files replaced atomically, pipes that never leak into a child.
 *
 * Every descriptor made here is close-on-exec from birth. EINTR is handled here and nowhere else.
 */
#ifndef SANDBOX_BASE_IO_H
#define SANDBOX_BASE_IO_H

#include "sandbox/base/buf.h"
#include "sandbox/base/err.h"

#include <stdint.h>
#include <sys/types.h>

/* Nanoseconds of CLOCK_MONOTONIC: only ever subtracted. */
uint64_t io_now_ns(void);

/* Seconds since such a moment: for figures that are shown. */
double io_seconds_since(uint64_t start_ns);

/* Write all of it. Errors: ERR_OS. */
int io_write_all(int fd, const void *bytes, size_t length, struct err *err) ATTR_MUST_USE;

/* Read to the end. Errors: ERR_LIMIT beyond the buffer's maximum; ERR_OS. */
int io_read_all(struct buf *buf, int fd, struct err *err) ATTR_MUST_USE;

/*
 * One read(2) of at most `length` bytes, waiting until deadline_ns (io_now_ns(); UINT64_MAX = for
 * ever). *got = bytes read, 0 = end of file. Errors: ERR_LIMIT at the deadline; ERR_OS.
 */
int io_read_some(int fd, void *bytes, size_t length, uint64_t deadline_ns, size_t *got,
	struct err *err) ATTR_MUST_USE;

/*
 * A regular file's contents; nothing else is opened for longer than it takes to see what it is.
 * Errors: ERR_LIMIT beyond the buffer's maximum; ERR_OS with the path.
 */
int io_read_file(struct buf *buf, const char *path, struct err *err) ATTR_MUST_USE;

/*
 * Replace `path` by these bytes, or leave it as it was: written beside it, synced, renamed.
 * Errors: ERR_OS with the path; the temporary file is removed.
 */
int io_replace_file(const char *path, const void *bytes, size_t length, mode_t mode,
	struct err *err) ATTR_MUST_USE;

/*
 * Would io_replace_file() find a place for `path`? Nothing is left behind.
 * Errors: ERR_OS with the path.
 */
int io_check_replaceable(const char *path, struct err *err) ATTR_MUST_USE;

/* A pipe, both ends close-on-exec: ends[0] to read, ends[1] to write. */
int io_pipe(int ends[2], struct err *err) ATTR_MUST_USE;

/*
 * Remove a file, a link or a tree, following no link below `path` and crossing no mount. A missing
 * path is no error. However deep and long the names inside are, memory and descriptors stay few.
 */
int io_remove_tree(const char *path, struct err *err) ATTR_MUST_USE;
int io_remove_at(int directory, const char *name, struct err *err) ATTR_MUST_USE;

/* Create a directory and its missing parents. */
int io_make_dirs(const char *path, mode_t mode, struct err *err) ATTR_MUST_USE;

#endif
