/*
 * The object databases a clone has: its own, and one for each submodule it ever fetched.
 *
 * Which belongs to which submodule is not asked: a commit's name is a digest of all it holds, so
 * whoever has it has the right one. That spares reading `.gitmodules`, and finds submodules that
 * were renamed or moved. Looked at: <git dir>/modules (of the clone and of a linked worktree),
 * and what is checked out at the submodule's path.
 */
#ifndef RUNNER_TREE_STORES_H
#define RUNNER_TREE_STORES_H

#include "runner/versions_git.h"

#define TREE_STORES_MAX 256

struct tree_store {
	git_repository *repository;
	git_odb *odb;
	char *lfs_objects; /* directory; "" = none */
};

struct tree_stores {
	const struct versions *versions;          /* borrowed */
	struct tree_store items[TREE_STORES_MAX]; /* owned; the first is the clone's own */
	size_t count;
	bool scanned; /* the modules directories were looked at */
};

int tree_stores_open(
	struct tree_stores *stores, const struct versions *versions, struct err *err) ATTR_MUST_USE;
void tree_stores_close(struct tree_stores *stores);

/*
 * The store that has a submodule's commit. `path` is where the submodule goes in the tree.
 * Errors: ERR_VERSION, none has it.
 */
int tree_stores_find(struct tree_stores *stores, const git_oid *commit, const char *path,
	const struct tree_store **out, struct err *err) ATTR_MUST_USE;

#define AUTO_TREE_STORES ATTR_CLEANUP(tree_stores_close) struct tree_stores

#endif
