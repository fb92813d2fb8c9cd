/*
 * The planned benchmarks enter the report: each with the gate it is judged by and its layout.
 *
 * Stands between plan and measure.
 */
#ifndef RUNNER_SUITE_H
#define RUNNER_SUITE_H

#include "runner/artifact/schema.h"
#include "runner/config.h"
#include "runner/plan.h"

/* What all benchmarks of one run share. Borrowed. */
struct suite {
	const struct config *gate;
	enum layout_state layout;
	const char *layout_reason; /* of LAYOUT_FIXED */
	bool identical;            /* both versions are the same code: nothing will be measured */
};

/* Errors: ERR_LIMIT, ERR_OS. */
int suite_enter(const struct suite *suite, const struct plan *plan, struct report *report,
	struct err *err) ATTR_MUST_USE;

#endif
