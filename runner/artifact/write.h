/*
 * struct report -> the artifact: JSON, one zstd frame, one file, replaced atomically.
 *
 * Last stage of a run; FORMAT.md describes the file. Within the limits of schema.h, or not at all.
 */
#ifndef RUNNER_ARTIFACT_WRITE_H
#define RUNNER_ARTIFACT_WRITE_H

#include "runner/artifact/schema.h"
#include "sandbox/base/buf.h"

/*
 * The artifact's bytes, appended to `out`, whose maximum should be SCHEMA_COMPRESSED_BYTES_MAX.
 * Errors: ERR_LIMIT beyond what readers take, saying what to do; ERR_OS.
 */
int artifact_encode(struct buf *out, const struct report *report, struct err *err) ATTR_MUST_USE;

/* The same into a file: it is whole or as it was. Errors: as above, with the path. */
int artifact_write(const char *path, const struct report *report, struct err *err) ATTR_MUST_USE;

#endif
