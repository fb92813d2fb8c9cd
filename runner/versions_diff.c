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

/* Another commit of a submodule: which of its files that changes cannot be seen from here. */
static bool is_submodule(const git_diff_delta *delta)
{
	return delta->new_file.mode == GIT_FILEMODE_COMMIT ||
	       delta->old_file.mode == GIT_FILEMODE_COMMIT;
}

static void count_change(
	struct versions_touch *out, const git_diff_delta *delta, char *const *patterns)
{
	const char *path = delta->new_file.path;

	out->changed++;
	if (!is_submodule(delta) && !is_watched(path, patterns))
		return;
	if (out->watched++ > 0)
		return;
	(void)text_copy(out->first, sizeof(out->first), path);
	text_make_printable(out->first);
}

struct count {
	struct versions_touch *out;
	char *const *patterns;
};

/* Called instead of keeping each: a few objects can name more paths than there is memory. */
static int count_one(
	const git_diff *diff, const git_diff_delta *delta, const char *pathspec, void *payload)
{
	const struct count *count = payload;

	(void)diff;
	(void)pathspec;
	count_change(count->out, delta, count->patterns);
	return count->out->changed < VERSIONS_CHANGES_MAX ? 1 : GIT_EUSER;
}

static int touch_worktree(const struct versions *versions, git_tree *from,
	git_diff_options *options, struct count *count)
{
	git_diff *diff = NULL;
	int result = git_diff_tree_to_workdir_with_index(
		&diff, versions->repository, from, options);

	for (size_t i = 0; result == 0 && i < git_diff_num_deltas(diff); i++)
		count_change(count->out, git_diff_get_delta(diff, i), count->patterns);
	git_diff_free(diff);
	return result;
}

static int touch_commit(const struct versions *versions, git_tree *from, git_tree *to,
	git_diff_options *options, struct count *count)
{
	git_diff *diff = NULL;
	int result;

	options->notify_cb = count_one;
	options->payload = count;
	result = git_diff_tree_to_tree(&diff, versions->repository, from, to, options);
	git_diff_free(diff);
	return count->out->changed < VERSIONS_CHANGES_MAX ? result : 0;
}

int versions_touch(const struct versions *versions, const struct version *baseline,
	const struct version *candidate, char *const *patterns, struct versions_touch *out,
	struct err *err)
{
	struct count count = {.out = out, .patterns = patterns};
	git_diff_options options;
	AUTO_GIT_TREE from = NULL;
	AUTO_GIT_TREE to = NULL;
	int result;

	*out = (struct versions_touch){.changed = 0};
	if (versions_git_tree(versions, baseline, &from, err) < 0 ||
		versions_git_tree(versions, candidate, &to, err) < 0)
		return -1;
	(void)git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	options.flags = GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS |
			GIT_DIFF_INCLUDE_TYPECHANGE;
	options.ignore_submodules = GIT_SUBMODULE_IGNORE_DIRTY;
	result = candidate->worktree ? touch_worktree(versions, from, &options, &count)
				     : touch_commit(versions, from, to, &options, &count);
	if (result < 0)
		return versions_git_error(err, "compare %.12s with %s", baseline->commit,
			candidate->worktree ? "the working tree" : candidate->commit);
	return 0;
}
