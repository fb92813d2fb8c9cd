/*
 * What the files that speak libgit2 share: its errors in our words, objects looked up by name.
 *
 * Included by versions*.c, tree_export.c, tree_stores.c and tree_worktree.c only.
 */
#ifndef RUNNER_VERSIONS_GIT_H
#define RUNNER_VERSIONS_GIT_H

#include "runner/versions.h"
#include "runner/versions_abi.h"

/* Set err to "what: libgit2's message", printable, of one line (ERR_VERSION). Returns -1. */
int versions_git_error(struct err *err, const char *format, ...) ATTR_PRINTF(2, 3);

/*
 * An object that history or a tree names is not there. `what` says what it would have been. Names
 * the cause: a partial clone, or a damaged repository. Returns -1.
 */
int versions_git_missing(
	const struct versions *versions, const char *what, const git_oid *id, struct err *err);

/* The commit or its tree; the caller frees them. */
int versions_git_commit(const struct versions *versions, const struct version *version,
	git_commit **out, struct err *err) ATTR_MUST_USE;
int versions_git_tree(const struct versions *versions, const struct version *version,
	git_tree **out, struct err *err) ATTR_MUST_USE;

static inline void versions_git_free_object(git_object **object)
{
	git_object_free(*object);
}

static inline void versions_git_free_commit(git_commit **commit)
{
	git_commit_free(*commit);
}

static inline void versions_git_free_tree(git_tree **tree)
{
	git_tree_free(*tree);
}

static inline void versions_git_free_reference(git_reference **reference)
{
	git_reference_free(*reference);
}

/* Released at the end of their scope; NULL holds nothing. */
#define AUTO_GIT_OBJECT ATTR_CLEANUP(versions_git_free_object) git_object *
#define AUTO_GIT_COMMIT ATTR_CLEANUP(versions_git_free_commit) git_commit *
#define AUTO_GIT_TREE ATTR_CLEANUP(versions_git_free_tree) git_tree *
#define AUTO_GIT_REFERENCE ATTR_CLEANUP(versions_git_free_reference) git_reference *

#endif
