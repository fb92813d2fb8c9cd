/*
 * The work directory of one run: a place for each version's tree and what is made from it.
 *
 *   duel.XXXXXX/b/tree      the baseline's tree
 *                /scratch   what its build and links may write
 *                /run       what its workers may write
 *              /c/...       the candidate's, paths of equal length
 *
 * Made below TMPDIR or /tmp, removed at the end of the run whatever happened.
 */
#ifndef RUNNER_WORKSPACE_H
#define RUNNER_WORKSPACE_H

#include "sandbox/base/err.h"
#include "sandbox/sandbox.h"

struct workspace_side {
	char *tree, *scratch, *run; /* owned, absolute */
};

struct workspace {
	char *path;                     /* owned, absolute */
	struct workspace_side sides[2]; /* by enum sandbox_side */
};

/* Errors: ERR_OS with the path and what to do (TMPDIR). */
int workspace_make(struct workspace *workspace, struct err *err) ATTR_MUST_USE;

/* Remove the directory and release the paths. Accepts a zeroed one. Errors: ERR_OS. */
int workspace_remove(struct workspace *workspace, struct err *err) ATTR_MUST_USE;

/* Release the paths and leave the directory where it is. */
void workspace_keep(struct workspace *workspace);

/* Where an error came of a full file system, say which one it is and what to do. */
void workspace_explain(const struct workspace *workspace, struct err *err);

#endif
