/*
 * The artifact's bytes -> its JSON text: one zstd frame, nothing before and nothing behind it.
 *
 * First stage of the reader. Memory is bounded before it is asked for: the window by
 * SCHEMA_WINDOW_LOG_MAX, the text by the buffer's maximum, whatever the frame's header claims.
 */
#ifndef RUNNER_ARTIFACT_INFLATE_H
#define RUNNER_ARTIFACT_INFLATE_H

#include "sandbox/base/buf.h"
#include "sandbox/base/err.h"

#include <stddef.h>

/* Errors: ERR_HOSTILE, ERR_OS. */
int inflate_frame(
	struct buf *text, const void *bytes, size_t length, struct err *err) ATTR_MUST_USE;

#endif
