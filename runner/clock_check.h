/*
 * Does a worker's own clock agree with the system's reading of its CPU time?
 *
 * For each burst: what the worker reported, and how far its CPU clock moved seen from outside. The
 * outside figure also holds the worker's reading, parsing and printing; that is measured once for
 * each process with a command that does no work. Allowed is 2 % of the burst and 20 us beside it.
 *
 * A worker cannot have spent more than the system counted, so one burst decides. The other way
 * round a stolen moment or a page fault between the samples would look like a lie: there the median
 * over the bursts decides.
 *
 * Pure: no clock is read here.
 */
#ifndef RUNNER_CLOCK_CHECK_H
#define RUNNER_CLOCK_CHECK_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"

#include <stddef.h>
#include <stdint.h>

#define CLOCK_CHECK_BURSTS_MAX 64 /* further ones are not kept */

struct clock_burst {
	uint64_t inside_ns;   /* the sum of its samples, as reported */
	uint64_t outside_ns;  /* CPU time of the process from outside */
	uint64_t protocol_ns; /* of it, what a burst without work would cost */
};

/* Bursts of one benchmark in one process. Zeroed = none yet. */
struct clock_check {
	struct clock_burst bursts[CLOCK_CHECK_BURSTS_MAX];
	size_t count;
};

/* Errors: ERR_BENCH the burst reports more than there was. */
int clock_check_add(
	struct clock_check *check, const struct clock_burst *burst, struct err *err) ATTR_MUST_USE;

/* Errors: ERR_BENCH the bursts report less than there was. */
int clock_check_end(const struct clock_check *check, struct err *err) ATTR_MUST_USE;

#endif
