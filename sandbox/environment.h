/*
 * The environment of a command, from nothing: what every program needs, and what its caller adds.
 */
#ifndef SANDBOX_ENVIRONMENT_H
#define SANDBOX_ENVIRONMENT_H

#include "sandbox/base/buf.h"
#include "sandbox/sandbox.h"

#include <stdint.h>

/*
 * Append the variables to `strings`, each with its terminator; *count = how many. `added` (may be
 * NULL) wins over what is built here. Errors: ERR_BENCH not of the form NAME=value; ERR_LIMIT.
 */
int environment_build(const struct sandbox_cell *cell, const char *const *added,
	struct buf *strings, uint32_t *count, struct err *err) ATTR_MUST_USE;

#endif
