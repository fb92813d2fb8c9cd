/*
 * Are both versions the same code, so that measuring them could only show noise?
 *
 * Stands between plan and measure. The rule: every entry of the two trees after their builds is the
 * same: the same names, kinds, permissions, link targets and bytes. What a benchmark executes, what
 * it maps and what it may read at run time all lie there or outside both trees, on the one machine
 * both run on; commands and what is fed to them come from one configuration. So nothing is left
 * that could make a difference.
 *
 * Narrower rules ("the program is the same") are not sound: a worker may read any file of its tree,
 * sources included, and whether it does cannot be told from its code. Where a source, a document or
 * a test differs, everything is measured, and `watch` is how a project says what cannot matter.
 *
 * Each side's own paths (tree, scratch, run), equal in length, count as the same bytes: where both
 * versions see other paths (the uid and flat tiers) builds leave them in what they make. Whatever
 * follows from a path, as a build id does, is a difference: then it is measured. Times and owners
 * of files are no difference.
 */
#ifndef RUNNER_IDENTICAL_H
#define RUNNER_IDENTICAL_H

#include "runner/workspace.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Of all files of one tree: more is not worth comparing, a build can make any number of them. */
#define IDENTICAL_BYTES_MAX (UINT64_C(1) << 30)

/*
 * `sides` is a pair by enum sandbox_side; no process of either may run. *same is false at the first
 * difference, where something cannot be read, and beyond IDENTICAL_BYTES_MAX. Errors: ERR_OS;
 * ERR_LIMIT; ERR_USAGE "interrupted" once *stop is set.
 */
int identical_trees(bool *same, const struct workspace_side *sides,
	const volatile sig_atomic_t *stop, struct err *err) ATTR_MUST_USE;

#endif
