/*
 * One figure of a benchmark over its visits: their median is what is shown, never judged.
 */
#ifndef RUNNER_TYPICAL_H
#define RUNNER_TYPICAL_H

#include "sandbox/base/err.h"

#include <stddef.h>

struct typical {
	double *values; /* owned */
	size_t count, room;
};

/* Errors: ERR_OS; what was added before is kept. */
int typical_add(struct typical *typical, double value, struct err *err) ATTR_MUST_USE;

/* 0 where there is none. Puts the values in another order. */
double typical_median(struct typical *typical);

/* Accepts a zeroed one. */
void typical_release(struct typical *typical);

#endif
