#include "runner/tree_overlay.h"

#include "runner/tree.h"
#include "runner/tree_walk.h"
#include "sandbox/base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static int copy_file(int from_directory, int to_directory, const char *name, struct err *err)
{
	AUTO_FD from = -1;
	struct tree_file file = {0};
	struct stat status;

	if (tree_open_file(&from, from_directory, name, &status, err) < 0)
		return -1;
	if (from < 0)
		return err_set(err, ERR_OS, "%s is no regular file any more", name);
	file.executable = status.st_mode & S_IXUSR;
	file.modified = status.st_mtim;
	return tree_copy(from, to_directory, name, &file, err);
}

static int copy_link(int from_directory, int to_directory, const char *name, struct err *err)
{
	AUTO_STR target = NULL;

	if (tree_read_link(&target, from_directory, name, err) < 0)
		return -1;
	/* The candidate's export has judged the target; it means the same from the same place. */
	if (target && symlinkat(target, to_directory, name) < 0)
		return err_errno(err, ERR_OS, "create link %s", name);
	return 0;
}

static int copy_entry(int from, int to, const char *name, mode_t mode, struct err *err)
{
	if (S_ISDIR(mode))
		return mkdirat(to, name, 0755) < 0 && errno != EEXIST
			       ? err_errno(err, ERR_OS, "create directory %s", name)
			       : 0;
	return S_ISLNK(mode) ? copy_link(from, to, name, err) : copy_file(from, to, name, err);
}

static int copy_below(int baseline_root, int candidate_root, const char *path, struct err *err)
{
	AUTO_TREE_WALK walk = {0};
	struct tree_entry entry;

	if (tree_walk_begin(&walk, candidate_root, path, err) < 0)
		return -1;
	for (;;) {
		AUTO_FD to = -1;

		if (tree_walk_next(&walk, &entry, err) < 0)
			return -1;
		if (!entry.name)
			return 0;
		if (tree_enter(&to, baseline_root, entry.path, TREE_CREATE, err) < 0 ||
			copy_entry(entry.directory, to, entry.name, entry.status.st_mode, err) < 0)
			return err_wrap(err, "%s", entry.path);
	}
}

static int overlay_path(int baseline_root, int candidate_root, const char *path, struct err *err)
{
	AUTO_FD from = -1;
	AUTO_FD to = -1;
	struct stat status;
	const char *name;

	if (tree_enter_parent(&from, &name, candidate_root, path, TREE_EXISTING, err) < 0)
		return -1;
	if (from < 0 || fstatat(from, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return err_set(err, ERR_CONFIG,
			"the candidate has no such file or directory: correct \"overlay\" in its "
			"duel.json");
	if (tree_enter_parent(&to, &name, baseline_root, path, TREE_REPLACE, err) < 0 ||
		io_remove_at(to, name, err) < 0 ||
		copy_entry(from, to, name, status.st_mode, err) < 0)
		return -1;
	return S_ISDIR(status.st_mode) ? copy_below(baseline_root, candidate_root, path, err) : 0;
}

int tree_overlay(int baseline_root, int candidate_root, char *const *paths, struct err *err)
{
	for (; paths && *paths; paths++) {
		if (overlay_path(baseline_root, candidate_root, *paths, err) < 0)
			return err_wrap(err, "overlay %s", *paths);
	}
	return 0;
}
