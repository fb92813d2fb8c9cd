#include "runner/versions.h"

#include "runner/versions_git.h"
#include "sandbox/base/text.h"

#include <string.h>

int versions_dirty(const struct versions *versions, size_t *files, struct err *err)
{
	git_status_options options;
	git_status_list *list = NULL;

	*files = 0;
	if (git_repository_is_bare(versions->repository))
		return 0;
	(void)git_status_options_init(&options, GIT_STATUS_OPTIONS_VERSION);
	options.show = GIT_STATUS_SHOW_INDEX_AND_WORKDIR;
	/* Build outputs nobody ignores are no change to the project: untracked files do not count.
	 */
	options.flags = GIT_STATUS_OPT_EXCLUDE_SUBMODULES;
	if (git_status_list_new(&list, versions->repository, &options) < 0)
		return versions_git_error(err, "look for uncommitted changes");
	*files = git_status_list_entrycount(list);
	git_status_list_free(list);
	return 0;
}

static bool is_watched(const char *path, char *const *patterns)
{
	if (!patterns || !*patterns)
		return true;
	for (; *patterns; patterns++) {
		if (text_matches_path(*patterns, path))
			return true;
	}
	return false;
}

static void count_changes(git_diff *diff, char *const *patterns, struct versions_touch *out)
{
	*out = (struct versions_touch){.changed = git_diff_num_deltas(diff)};
	for (size_t i = 0; i < out->changed; i++) {
		const char *path = git_diff_get_delta(diff, i)->new_file.path;

		if (!is_watched(path, patterns))
			continue;
		if (out->watched++ > 0)
			continue;
		(void)text_copy(out->first, sizeof(out->first), path);
		text_make_printable(out->first);
	}
}

int versions_touch(const struct versions *versions, const struct version *baseline,
	const struct version *candidate, char *const *patterns, struct versions_touch *out,
	struct err *err)
{
	git_diff_options options;
	AUTO_GIT_TREE from = NULL;
	AUTO_GIT_TREE to = NULL;
	git_diff *diff = NULL;
	int result;

	if (versions_git_tree(versions, baseline, &from, err) < 0 ||
		versions_git_tree(versions, candidate, &to, err) < 0)
		return -1;
	(void)git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	options.flags = GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS |
			GIT_DIFF_INCLUDE_TYPECHANGE;
	options.ignore_submodules = GIT_SUBMODULE_IGNORE_DIRTY;
	if (candidate->worktree)
		result = git_diff_tree_to_workdir_with_index(
			&diff, versions->repository, from, &options);
	else
		result = git_diff_tree_to_tree(&diff, versions->repository, from, to, &options);
	if (result < 0)
		return versions_git_error(err, "compare %.12s with %s", baseline->commit,
			candidate->worktree ? "the working tree" : candidate->commit);
	count_changes(diff, patterns, out);
	git_diff_free(diff);
	return 0;
}
