/*
 * Growing bytes with a maximum given at the start.
 *
 * data is always terminated by a zero byte that length does not count, so that a buffer of text can
 * be handed to anything that takes a string. A failed append leaves the contents as they were.
 */
#ifndef SANDBOX_BASE_BUF_H
#define SANDBOX_BASE_BUF_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"

#include <stddef.h>

struct buf {
	char *data;       /* owned; NULL until the first append */
	size_t length;    /* bytes in use */
	size_t capacity;  /* bytes allocated, the terminator's included */
	size_t bytes_max; /* length never exceeds this */
};

void buf_init(struct buf *buf, size_t bytes_max);
void buf_release(struct buf *buf); /* accepts a zeroed one; leaves it empty, its maximum kept */
void buf_clear(struct buf *buf);   /* length 0, memory kept */

/* Errors: ERR_LIMIT beyond bytes_max, ERR_OS out of memory. */
int buf_append(struct buf *buf, const void *bytes, size_t length, struct err *err) ATTR_MUST_USE;
int buf_append_str(struct buf *buf, const char *text, struct err *err) ATTR_MUST_USE;
int buf_printf(struct buf *buf, struct err *err, const char *format, ...) ATTR_MUST_USE
	ATTR_PRINTF(3, 4);

/* Keep only the newest `keep` bytes: for log tails. */
void buf_keep_tail(struct buf *buf, size_t keep);

/* The contents as a string, never NULL; valid until the next change. */
const char *buf_text(const struct buf *buf);

/* Hand the string over to the caller, who frees it; the buffer is empty afterwards. */
char *buf_take(struct buf *buf, struct err *err) ATTR_MUST_USE;

#define AUTO_BUF ATTR_CLEANUP(buf_release) struct buf

#endif
