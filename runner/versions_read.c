#include "runner/versions.h"

#include "runner/tree.h"
#include "runner/versions_git.h"
#include "sandbox/base/io.h"

#include <fcntl.h>

static int no_file(const char *path, struct err *err)
{
	return err_set(err, ERR_VERSION,
		"%s is no regular file: put the file itself there, not a link or a directory",
		path);
}

/* Objects come into memory whole: look at the length first. */
static int check_length(const struct versions *versions, const git_oid *id, const char *path,
	const struct buf *out, struct err *err)
{
	git_odb *odb = NULL;
	git_object_t type;
	size_t length = 0;

	if (git_repository_odb(&odb, versions->repository) < 0)
		return versions_git_error(err, "%s", path);
	/* What cannot be looked at says why when it is read. */
	if (git_odb_read_header(&length, &type, odb, id) < 0)
		length = 0;
	git_odb_free(odb);
	if (length <= out->bytes_max)
		return 0;
	return err_set(err, ERR_LIMIT, "%s: more than %zu bytes", path, out->bytes_max);
}

static int read_blob(const struct versions *versions, const git_tree_entry *entry, const char *path,
	struct buf *out, struct err *err)
{
	git_blob *blob = NULL;
	int result;

	if (git_tree_entry_filemode(entry) != GIT_FILEMODE_BLOB &&
		git_tree_entry_filemode(entry) != GIT_FILEMODE_BLOB_EXECUTABLE)
		return no_file(path, err);
	if (check_length(versions, git_tree_entry_id(entry), path, out, err) < 0)
		return -1;
	result = git_blob_lookup(&blob, versions->repository, git_tree_entry_id(entry));
	if (result == GIT_ENOTFOUND)
		return versions_git_missing(versions, path, git_tree_entry_id(entry), err);
	if (result < 0)
		return versions_git_error(err, "%s", path);
	result = buf_append(out, git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob), err);
	git_blob_free(blob);
	return result < 0 ? err_wrap(err, "%s", path) : 0;
}

static int read_commit(const struct versions *versions, const struct version *version,
	const char *path, struct buf *out, bool *found, struct err *err)
{
	AUTO_GIT_TREE tree = NULL;
	git_tree_entry *entry = NULL;
	int result;

	if (versions_git_tree(versions, version, &tree, err) < 0)
		return -1;
	result = git_tree_entry_bypath(&entry, tree, path);
	if (result == GIT_ENOTFOUND)
		return 0;
	if (result < 0)
		return versions_git_error(err, "%s", path);
	*found = true;
	result = read_blob(versions, entry, path, out, err);
	git_tree_entry_free(entry);
	return result;
}

static int read_worktree(const struct versions *versions, const char *path, struct buf *out,
	bool *found, struct err *err)
{
	AUTO_FD root = -1;
	AUTO_FD directory = -1;
	AUTO_FD fd = -1;
	struct stat status;
	const char *name;

	if (tree_open(&root, git_repository_workdir(versions->repository), err) < 0 ||
		tree_enter_parent(&directory, &name, root, path, TREE_EXISTING, err) < 0)
		return -1;
	if (directory < 0 || fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	*found = true;
	if (tree_open_file(&fd, directory, name, &status, err) < 0)
		return -1;
	if (fd < 0)
		return no_file(path, err);
	return io_read_all(out, fd, err) < 0 ? err_wrap(err, "%s", path) : 0;
}

int versions_read(const struct versions *versions, const struct version *version, const char *path,
	struct buf *out, bool *found, struct err *err)
{
	*found = false;
	if (version->worktree)
		return read_worktree(versions, path, out, found, err);
	return read_commit(versions, version, path, out, found, err);
}
