/*
 * Two clean trees in the work directory: struct version twice -> exported trees, overlay in place.
 *
 * Stands between versions and build.
 */
#ifndef RUNNER_CHECKOUT_H
#define RUNNER_CHECKOUT_H

#include "runner/versions.h"
#include "runner/workspace.h"

/* What is exported. All borrowed. */
struct checkout {
	const struct versions *versions;
	const struct version *picked; /* two, by enum sandbox_side */
	char *const *overlay; /* as tree_overlay(): taken from the candidate on both sides */
	struct buf *notes;    /* what a user should know, one line each */
};

/* Make the work directory and both trees. Errors: as workspace_make(), tree_export(), ... */
int checkout_both(const struct checkout *checkout, struct workspace *workspace,
	struct err *err) ATTR_MUST_USE;

/*
 * The baseline's tree anew, without the overlay, and nothing in its scratch: a build may have left
 * anything there. No process of the baseline may run. Notes are not repeated.
 */
int checkout_baseline_alone(const struct checkout *checkout, const struct workspace *workspace,
	struct err *err) ATTR_MUST_USE;

#endif
