#include "runner/tree_export.h"

#include "runner/tree_stores.h"
#include "runner/tree_worktree.h"
#include "runner/tree_writer.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A directory still to be written. */
struct pending {
	char *path; /* owned; in the exported tree */
	git_oid tree;
	const struct tree_store *store; /* that holds its objects */
};

struct export
{
	const struct versions *versions;
	struct tree_stores stores;
	struct tree_writer writer;
	struct pending *pending; /* owned */
	size_t count, capacity;
	size_t directories; /* pushed so far */
};

static int push(struct export *export, char *path, const git_oid *tree,
	const struct tree_store *store, struct err *err)
{
	if (export->count == export->capacity) {
		size_t capacity = export->capacity ? 2 * export->capacity : 64;
		struct pending *grown = realloc(export->pending, capacity * sizeof(*grown));

		if (!grown) {
			free(path);
			return err_errno(err, ERR_OS, "list directories");
		}
		export->pending = grown;
		export->capacity = capacity;
	}
	/* A tree may hold another one many times: few objects make endless directories. */
	if (export->directories++ == TREE_EXPORT_DIRECTORIES_MAX) {
		free(path);
		return err_set(
			err, ERR_LIMIT, "more than %d directories", TREE_EXPORT_DIRECTORIES_MAX);
	}
	export->pending[export->count++] = (struct pending){
		.path = path, .tree = *tree, .store = store};
	return 0;
}

static void release(struct export *export)
{
	while (export->count > 0)
		free(export->pending[--export->count].path);
	free(export->pending);
	tree_stores_close(&export->stores);
}

/* What git refuses to check out could leave the tree, or bring a configuration of its own. */
static bool is_name(const char *name)
{
	return *name && !strchr(name, '/') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
	       strcasecmp(name, ".git") != 0;
}

static int add_blob(struct export *export, const struct pending *in, const struct tree_place *place,
	const git_tree_entry *entry, struct err *err)
{
	git_filemode_t mode = git_tree_entry_filemode(entry);
	git_odb_object *object = NULL;
	int result = git_odb_read(&object, in->store->odb, git_tree_entry_id(entry));
	struct tree_file file;

	if (result == GIT_ENOTFOUND)
		return versions_git_missing(
			export->versions, "its content", git_tree_entry_id(entry), err);
	if (result < 0)
		return versions_git_error(err, "read it");
	file = (struct tree_file){
		.bytes = git_odb_object_data(object),
		.length = git_odb_object_size(object),
		.executable = mode == GIT_FILEMODE_BLOB_EXECUTABLE,
	};
	if (git_odb_object_type(object) != GIT_OBJECT_BLOB)
		result = err_set(err, ERR_VERSION, "the repository is damaged: no file there");
	else if (mode != GIT_FILEMODE_LINK)
		result = tree_writer_file(
			&export->writer, place, &file, in->store->lfs_objects, err);
	else
		/* libgit2 ends every object with a zero byte that its size does not count. */
		result = tree_writer_link(&export->writer, place,
			strlen(file.bytes) == file.length ? file.bytes : NULL, err);
	git_odb_object_free(object);
	return result;
}

static int add_directory(struct export *export, const struct pending *in,
	const struct tree_place *place, const git_oid *tree, struct err *err)
{
	char *path = tree_join(place->path, place->name, err);

	return path ? push(export, path, tree, in->store, err) : -1;
}

static int add_submodule(
	struct export *export, const struct tree_place *place, const git_oid *id, struct err *err)
{
	char *path = tree_join(place->path, place->name, err);
	const struct tree_store *store;
	AUTO_GIT_COMMIT commit = NULL;

	if (!path)
		return -1;
	if (tree_stores_find(&export->stores, id, path, &store, err) < 0) {
		free(path);
		return -1;
	}
	if (git_commit_lookup(&commit, store->repository, id) < 0) {
		free(path);
		return versions_git_error(err, "submodule");
	}
	export->writer.out->submodules++;
	return push(export, path, git_commit_tree_id(commit), store, err);
}

static int add_entry(struct export *export, const struct pending *in,
	const struct tree_place *place, const git_tree_entry *entry, struct err *err)
{
	if (!is_name(place->name))
		return err_set(err, ERR_VERSION,
			"git itself would not check out an entry of that name: remove it");
	switch ((int)git_tree_entry_filemode(entry)) {
	case GIT_FILEMODE_TREE:
		return add_directory(export, in, place, git_tree_entry_id(entry), err);
	case GIT_FILEMODE_COMMIT:
		return add_submodule(export, place, git_tree_entry_id(entry), err);
	case GIT_FILEMODE_BLOB:
	case GIT_FILEMODE_BLOB_EXECUTABLE:
	case GIT_FILEMODE_LINK:
		return add_blob(export, in, place, entry, err);
	default:
		return err_set(err, ERR_VERSION, "an entry of an unknown kind");
	}
}

/* Is the message about the file? Submodules name themselves with their whole path. */
static int wrap_entry(const struct tree_place *place, struct err *err)
{
	char shown[VERSIONS_TEXT_BYTES];

	if (strncmp(err->text, "submodule ", strlen("submodule ")) == 0)
		return -1;
	(void)text_copy(shown, sizeof(shown), place->path);
	text_make_printable(shown);
	return err_wrap(err, "%s%s%.255s", shown, *shown ? "/" : "", place->name);
}

static int write_entries(
	struct export *export, const struct pending *in, const git_tree *tree, struct err *err)
{
	AUTO_FD directory = -1;

	if (tree_enter(&directory, export->writer.root, in->path, TREE_CREATE, err) < 0)
		return -1;
	for (size_t i = 0; i < git_tree_entrycount(tree); i++) {
		const git_tree_entry *entry = git_tree_entry_byindex(tree, i);
		struct tree_place place = {directory, in->path, git_tree_entry_name(entry)};

		if (add_entry(export, in, &place, entry, err) < 0)
			return wrap_entry(&place, err);
	}
	return 0;
}

static int write_directory(struct export *export, const struct pending *in, struct err *err)
{
	AUTO_GIT_TREE tree = NULL;
	int result = git_tree_lookup(&tree, in->store->repository, &in->tree);

	if (result == GIT_ENOTFOUND)
		return versions_git_missing(export->versions,
			*in->path ? in->path : "the top directory", &in->tree, err);
	if (result < 0)
		return versions_git_error(err, "read directory %s", in->path);
	return write_entries(export, in, tree, err);
}

static int write_commit(struct export *export, const struct version *version, struct err *err)
{
	AUTO_GIT_COMMIT commit = NULL;
	char *path = strdup("");

	if (!path)
		return err_errno(err, ERR_OS, "export");
	if (versions_git_commit(export->versions, version, &commit, err) < 0) {
		free(path);
		return -1;
	}
	if (push(export, path, git_commit_tree_id(commit), &export->stores.items[0], err) < 0)
		return -1;
	while (export->count > 0) {
		struct pending in = export->pending[--export->count];
		int result = write_directory(export, &in, err);

		free(in.path);
		if (result < 0)
			return -1;
	}
	return 0;
}

int tree_export(struct tree_export *out, const struct versions *versions,
	const struct version *version, int root, int64_t modified_s, struct err *err)
{
	struct export export = {
		.versions = versions,
		.writer = {.root = root, .modified.tv_sec = modified_s, .out = out},
	};
	int result;

	*out = (struct tree_export){0};
	if (version->worktree)
		return tree_worktree_copy(&export.writer, versions, err);
	if (tree_stores_open(&export.stores, versions, err) < 0)
		return -1;
	result = write_commit(&export, version, err);
	release(&export);
	return result;
}

int tree_export_notes(
	const struct tree_export *exported, const char *side, struct buf *notes, struct err *err)
{
	size_t links = exported->links_left_out;
	size_t pointers = exported->pointers;

	if (links > 0 && buf_printf(notes, err,
				 "%s: %zu symbolic link%s out of the tree left out (first: %s)\n",
				 side, links, links == 1 ? "" : "s", exported->link_left_out) < 0)
		return -1;
	if (pointers > 0 &&
		buf_printf(notes, err,
			"%s: %zu file%s only a Git LFS pointer, the content is not in this clone "
			"(first: "
			"%s): check out with `lfs: true` (here: git lfs fetch --all)\n",
			side, pointers, pointers == 1 ? " is" : "s are", exported->pointer) < 0)
		return -1;
	if (exported->built_left_out > 0)
		return buf_printf(notes, err,
			"%s: %zu untracked file%s of an earlier build left out (first: %s): list "
			"build folders in .gitignore\n",
			side, exported->built_left_out, exported->built_left_out == 1 ? "" : "s",
			exported->built);
	return 0;
}
