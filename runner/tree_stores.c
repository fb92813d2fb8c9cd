#include "runner/tree_stores.h"

#include "runner/tree.h"
#include "runner/tree_walk.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Takes over repository and odb. */
static int add(struct tree_stores *stores, git_repository *repository, git_odb *odb,
	const char *git_directory, struct err *err)
{
	struct tree_store *store = &stores->items[stores->count];

	store->lfs_objects = tree_join(git_directory, "lfs/objects", err);
	if (!store->lfs_objects) {
		git_repository_free(repository);
		git_odb_free(odb);
		return -1;
	}
	store->repository = repository;
	store->odb = odb;
	stores->count++;
	return 0;
}

int tree_stores_open(struct tree_stores *stores, const struct versions *versions, struct err *err)
{
	git_repository *repository = NULL;
	git_odb *odb = NULL;

	*stores = (struct tree_stores){.versions = versions};
	/* A handle of our own, so that all stores are freed alike. */
	if (git_repository_odb(&odb, versions->repository) < 0 ||
		git_repository_wrap_odb(&repository, odb) < 0) {
		git_odb_free(odb);
		return versions_git_error(err, "open the object database");
	}
	return add(stores, repository, odb, git_repository_commondir(versions->repository), err);
}

void tree_stores_close(struct tree_stores *stores)
{
	for (size_t i = 0; i < stores->count; i++) {
		git_repository_free(stores->items[i].repository);
		git_odb_free(stores->items[i].odb);
		free(stores->items[i].lfs_objects);
	}
	*stores = (struct tree_stores){0};
}

/* A directory that is no repository after all adds nothing. */
static int add_module(struct tree_stores *stores, const char *git_directory, struct err *err)
{
	git_repository *repository = NULL;
	git_odb *odb = NULL;
	AUTO_STR objects = tree_join(git_directory, "objects", err);

	if (!objects)
		return -1;
	if (stores->count == TREE_STORES_MAX)
		return err_set(err, ERR_LIMIT, "more than %d submodules", TREE_STORES_MAX - 1);
	if (git_odb_open(&odb, objects) < 0)
		return 0;
	if (git_repository_wrap_odb(&repository, odb) < 0) {
		git_odb_free(odb);
		return 0;
	}
	return add(stores, repository, odb, git_directory, err);
}

/* Submodules' names may hold slashes and their own submodules lie below them, so every directory
 * that holds one named "objects" is tried. */
static int scan(struct tree_stores *stores, const char *git_directory, struct err *err)
{
	AUTO_TREE_WALK walk = {0};
	AUTO_FD root = -1;
	AUTO_STR modules = tree_join(git_directory, "modules", err);
	struct tree_entry entry;

	if (!modules)
		return -1;
	if (access(modules, F_OK) < 0)
		return 0;
	if (tree_open(&root, modules, err) < 0 || tree_walk_begin(&walk, root, "", err) < 0)
		return -1;
	for (;;) {
		AUTO_STR module = NULL;

		if (tree_walk_next(&walk, &entry, err) < 0)
			return -1;
		if (!entry.name)
			return 0;
		if (!S_ISDIR(entry.status.st_mode) || strcmp(entry.name, "objects") != 0)
			continue;
		tree_walk_skip(&walk);
		module = tree_join(modules, entry.path, err);
		if (!module || add_module(stores, module, err) < 0)
			return -1;
	}
}

static int scan_all(struct tree_stores *stores, struct err *err)
{
	const char *own = git_repository_path(stores->versions->repository);
	const char *common = git_repository_commondir(stores->versions->repository);

	if (stores->scanned)
		return 0;
	stores->scanned = true;
	if (scan(stores, common, err) < 0)
		return -1;
	return strcmp(own, common) == 0 ? 0 : scan(stores, own, err);
}

/* What is checked out at the submodule's own path: a clone inside the clone, as old versions of git
 * made them. */
static int add_checked_out(struct tree_stores *stores, const char *path, struct err *err)
{
	const char *workdir = git_repository_workdir(stores->versions->repository);
	git_repository *repository = NULL;
	AUTO_STR full = NULL;
	int result;

	if (!workdir)
		return 0;
	full = tree_join(workdir, path, err);
	if (!full)
		return -1;
	if (git_repository_open(&repository, full) < 0)
		return 0;
	result = add_module(stores, git_repository_commondir(repository), err);
	git_repository_free(repository);
	return result;
}

static const struct tree_store *find(const struct tree_stores *stores, const git_oid *commit)
{
	for (size_t i = 0; i < stores->count; i++) {
		if (git_odb_exists(stores->items[i].odb, commit))
			return &stores->items[i];
	}
	return NULL;
}

int tree_stores_find(struct tree_stores *stores, const git_oid *commit, const char *path,
	const struct tree_store **out, struct err *err)
{
	char name[VERSIONS_ID_BYTES];
	char shown[VERSIONS_TEXT_BYTES];

	*out = find(stores, commit);
	if (*out)
		return 0;
	if (scan_all(stores, err) < 0)
		return -1;
	*out = find(stores, commit);
	if (*out)
		return 0;
	if (add_checked_out(stores, path, err) < 0)
		return -1;
	*out = find(stores, commit);
	if (*out)
		return 0;
	(void)git_oid_tostr(name, sizeof(name), commit);
	(void)text_copy(shown, sizeof(shown), path);
	text_make_printable(shown);
	return err_set(err, ERR_VERSION,
		"submodule %s: commit %.12s is not in this clone: check out with `submodules: "
		"recursive` (here: git submodule update --init --recursive)",
		shown, name);
}
