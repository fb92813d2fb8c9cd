/*
 * An artifact, perhaps hostile -> struct report, or one sentence why not.
 *
 * read -> inflate -> scan -> parse -> validate; each stage has its limit (schema.h), so that memory
 * and time are bounded by constants, whatever the file claims. What is read back is what was
 * written: nothing is judged here (decide.h does).
 */
#ifndef RUNNER_ARTIFACT_READ_H
#define RUNNER_ARTIFACT_READ_H

#include "runner/artifact/schema.h"

#include <stddef.h>

/*
 * *report is initialised here, and the caller releases it; after an error it is empty.
 *
 * Errors: ERR_HOSTILE: damaged, hostile, or of a newer major; ERR_OS.
 */
int artifact_decode(
	struct report *report, const void *bytes, size_t length, struct err *err) ATTR_MUST_USE;

/* The same from a file, or from standard input where the path is "-". Errors: as above, with the
 * path; ERR_OS where it cannot be read. */
int artifact_read(struct report *report, const char *path, struct err *err) ATTR_MUST_USE;

#endif
