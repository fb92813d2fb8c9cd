/*
 * What a build finds in its scratch directory: duel.h and the link recorder; and whose it all is.
 *
 * Stands between checkout and build. `recorder` is duel-ld, as layout_find_recorder() says.
 */
#ifndef RUNNER_FURNISH_H
#define RUNNER_FURNISH_H

#include "runner/workspace.h"
#include "sandbox/sandbox.h"

/* Afterwards tree, scratch and run belong to the side's own user, where it has one. Errors: ERR_OS.
 */
int furnish_side(const struct workspace_side *paths, const struct sandbox_machine *machine,
	enum sandbox_side side, const char *recorder, struct err *err) ATTR_MUST_USE;

#endif
