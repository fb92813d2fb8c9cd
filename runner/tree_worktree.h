/*
 * The working tree's files, copied: for `--worktree`. Used by tree_export.c only.
 */
#ifndef RUNNER_TREE_WORKTREE_H
#define RUNNER_TREE_WORKTREE_H

#include "runner/tree_writer.h"
#include "runner/versions.h"

/*
 * Copy what git would show or commit: tracked files as they are on the disk, untracked ones that
 * are not ignored, and the same of each submodule that is checked out. Deleted ones are left out,
 * and so are untracked repositories inside the tree. Errors: ERR_VERSION a submodule is not checked
 * out.
 */
int tree_worktree_copy(
	struct tree_writer *writer, const struct versions *versions, struct err *err) ATTR_MUST_USE;

#endif
