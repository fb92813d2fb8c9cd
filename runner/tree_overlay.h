/*
 * The overlay: paths both versions take from the candidate, so that both run the same benchmarks.
 *
 * Works on exported trees, before anything was built in either.
 */
#ifndef RUNNER_TREE_OVERLAY_H
#define RUNNER_TREE_OVERLAY_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"

/*
 * Put each path of the candidate's tree (a file, a link or a directory with all below it) into the
 * baseline's, in place of what the baseline has there; what stands in the way of its parents is
 * removed too. `paths` ends with NULL and is in the spelling of config.h. Modification times and
 * executable bits are kept.
 *
 * Errors: ERR_CONFIG the candidate has no such path; ERR_OS.
 */
int tree_overlay(
	int baseline_root, int candidate_root, char *const *paths, struct err *err) ATTR_MUST_USE;

#endif
