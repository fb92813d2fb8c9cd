/*
 * The benchmarks one program lists: the index is the ID.
 *
 * Filled by worker.c from the lines of worker_lines.h; the first list of a program is kept and
 * every later process of it must give the same.
 */
#ifndef RUNNER_WORKER_LIST_H
#define RUNNER_WORKER_LIST_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"

#include "runner/worker_lines.h"

#include <stddef.h>

struct worker_list {
	struct worker_benchmark *items; /* owned array */
	size_t count;
	size_t capacity;
};

void worker_list_release(struct worker_list *list); /* accepts a zeroed one */

/* A zeroed benchmark at the end, borrowed until the next call. NULL: ERR_BENCH too many, ERR_OS. */
struct worker_benchmark *worker_list_add(struct worker_list *list, struct err *err) ATTR_MUST_USE;

/* Errors: ERR_BENCH names the first that comes twice; ERR_OS. */
int worker_list_check_unique(const struct worker_list *list, struct err *err) ATTR_MUST_USE;

/* Errors: ERR_BENCH says how `now` differs from `before`. */
int worker_list_check_same(const struct worker_list *now, const struct worker_list *before,
	struct err *err) ATTR_MUST_USE;

/* The ID of a name; SIZE_MAX where there is none. */
size_t worker_list_find(const struct worker_list *list, const char *name);

#endif
