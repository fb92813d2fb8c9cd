/*
 * The lines a worker writes (PROTOCOL.md, version 1) -> numbers and names.
 *
 * Pure: text in, structs out. Whatever a worker writes is foreign: every number is checked, every
 * name is plain UTF-8, and what is refused is quoted in the error, made printable and cut.
 *
 * A line comes without its LF, `length` bytes and a terminating zero that length does not count.
 * All errors are ERR_BENCH and say what was expected and what came.
 */
#ifndef RUNNER_WORKER_LINES_H
#define RUNNER_WORKER_LINES_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORKER_LINE_BYTES_MAX 65536 /* of a reply, the LF included */
#define WORKER_COMMAND_BYTES_MAX 4096
#define WORKER_NAME_BYTES_MAX 200
#define WORKER_TEXT_BYTES_MAX 1000
#define WORKER_BENCHMARKS_MAX 4096
#define WORKER_SAMPLES_MAX 1024
#define WORKER_ITERATIONS_MAX 4294967295u
#define WORKER_SAMPLE_NS_MAX 1000000000000000u /* eleven days: beyond it no clock is meant */
#define WORKER_COUNT_MAX 1000000000000000000u  /* items and bytes an iteration */

enum worker_clock {
	WORKER_CLOCK_THREAD,
	WORKER_CLOCK_PROCESS,
};

struct worker_hello {
	enum worker_clock clock;
	uint64_t overhead_ns; /* a sample of no work */
};

struct worker_benchmark {
	char name[WORKER_NAME_BYTES_MAX + 1];
	bool counts_only;
};

struct worker_ready {
	uint64_t items, bytes; /* an iteration; 0 = not said */
};

struct worker_sample {
	uint64_t cpu_ns, wall_ns;
};

/* The text of an "error TEXT" line, else NULL. Points into the line; not yet printable. */
const char *worker_lines_error(const char *line, size_t length);

int worker_lines_hello(
	const char *line, size_t length, struct worker_hello *out, struct err *err) ATTR_MUST_USE;

/* One line of the answer to "list"; its ID must be `id`. */
int worker_lines_benchmark(const char *line, size_t length, size_t id, struct worker_benchmark *out,
	struct err *err) ATTR_MUST_USE;

/* Is this the "end COUNT" line of a list? */
bool worker_lines_is_end(const char *line, size_t length);
/* Its COUNT must be `count`. */
int worker_lines_end(const char *line, size_t length, size_t count, struct err *err) ATTR_MUST_USE;

int worker_lines_ready(const char *line, size_t length, size_t id, struct worker_ready *out,
	struct err *err) ATTR_MUST_USE;

int worker_lines_done(const char *line, size_t length, size_t id, struct err *err) ATTR_MUST_USE;

/* `count` samples are expected, at most WORKER_SAMPLES_MAX, and written to out[0..count). */
int worker_lines_samples(const char *line, size_t length, size_t id, size_t count,
	struct worker_sample *out, struct err *err) ATTR_MUST_USE;

#endif
