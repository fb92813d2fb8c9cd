/*
 * What JSON text would cost a parser, found out before one sees it.
 *
 * A scan, no parser: it counts depth and values and looks at strings, in one pass, in constant
 * memory; whether the rest is JSON the parser says. It also refuses what the parser would let pass
 * and shorten: zero bytes, \u0000, control characters, lone surrogates.
 */
#ifndef RUNNER_ARTIFACT_SCAN_H
#define RUNNER_ARTIFACT_SCAN_H

#include "sandbox/base/err.h"

#include <stddef.h>

/* Errors: ERR_HOSTILE with the offset. */
int scan_check(const char *text, size_t length, size_t depth_max, size_t nodes_max,
	struct err *err) ATTR_MUST_USE;

#endif
