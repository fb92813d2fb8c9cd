#include "runner/versions.h"

#include "runner/versions_git.h"
#include "sandbox/base/text.h"

#include <stdio.h>
#include <string.h>

/* Packs are mapped a window at a time, so that memory does not follow their size. */
#define WINDOW_BYTES ((size_t)32 << 20)
#define MAPPED_BYTES_MAX ((size_t)128 << 20)
#define CURE_SHALLOW "check out with `fetch-depth: 0` (here: git fetch --unshallow)"

/* The branches a candidate may have left, the likeliest first. */
static const struct branch {
	const char *name, *reference;
} branches[] = {
	{"origin/HEAD", "refs/remotes/origin/HEAD"},
	{"origin/main", "refs/remotes/origin/main"},
	{"origin/master", "refs/remotes/origin/master"},
	{"main", "refs/heads/main"},
	{"master", "refs/heads/master"},
};

static int set_up_library(struct err *err)
{
	if (git_libgit2_init() < 0)
		return versions_git_error(err, "start libgit2");
	/* Nothing is read twice here: the cache of objects would only grow. */
	if (versions_abi_accept_owner() < 0 || versions_abi_accept_extensions() < 0 ||
		git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, WINDOW_BYTES) < 0 ||
		git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, MAPPED_BYTES_MAX) < 0 ||
		git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0) < 0) {
		(void)versions_git_error(err, "set up libgit2");
		(void)git_libgit2_shutdown();
		return -1;
	}
	return 0;
}

static int open_error(const char *directory, int result, struct err *err)
{
	if (result == GIT_ENOTFOUND)
		return err_set(err, ERR_VERSION,
			"%s is in no git repository: go into a clone of the project first",
			directory);
	return versions_git_error(err, "open the repository of %s", directory);
}

int versions_open(struct versions *out, const char *directory, struct err *err)
{
	int result;

	*out = (struct versions){0};
	if (set_up_library(err) < 0)
		return -1;
	result = git_repository_open_ext(&out->repository, directory, 0, NULL);
	if (result < 0) {
		(void)open_error(directory, result, err);
		(void)git_libgit2_shutdown();
		return -1;
	}
	out->shallow = git_repository_is_shallow(out->repository) == 1;
	return 0;
}

void versions_close(struct versions *versions)
{
	if (versions->repository) {
		git_repository_free(versions->repository);
		(void)git_libgit2_shutdown();
	}
	*versions = (struct versions){0};
}

static void describe(struct version *out, git_commit *commit, const char *ref)
{
	const char *summary = git_commit_summary(commit);
	const git_signature *author = git_commit_author(commit);

	*out = (struct version){
		.author_time_s = author ? author->when.time : 0,
		.commit_time_s = git_commit_time(commit),
	};
	(void)git_oid_tostr(out->commit, sizeof(out->commit), git_commit_id(commit));
	(void)text_copy(out->ref, sizeof(out->ref), ref);
	(void)text_copy(out->subject, sizeof(out->subject), summary ? summary : "");
	text_make_printable(out->ref);
	text_make_printable(out->subject);
}

/* A name that ends like the one asked for ("origin/main" for "main") is nearer than any typo. */
static bool ends_like(const char *name, const char *ref)
{
	size_t length = strlen(name);
	size_t tail = strlen(ref);

	return length > tail && name[length - tail - 1] == '/' &&
	       strcmp(name + length - tail, ref) == 0;
}

/* The name of a ref as people write it: "refs/remotes/origin/main" -> "origin/main". */
static const char *short_name(const char *reference)
{
	static const char *const prefixes[] = {"refs/heads/", "refs/tags/", "refs/remotes/"};

	for (size_t i = 0; i < ARRAY_LENGTH(prefixes); i++) {
		if (strncmp(reference, prefixes[i], strlen(prefixes[i])) == 0)
			return reference + strlen(prefixes[i]);
	}
	return reference;
}

static void suggest(const struct versions *versions, const char *ref, char *out, size_t out_bytes)
{
	git_reference_iterator *iterator = NULL;
	const char *name;
	char near[VERSIONS_TEXT_BYTES] = "";

	if (git_reference_iterator_new(&iterator, versions->repository) < 0)
		return;
	while (git_reference_next_name(&name, iterator) == 0) {
		const char *choices[] = {near, short_name(name)};

		if (ends_like(choices[1], ref)) {
			(void)text_copy(near, sizeof(near), choices[1]);
			break;
		}
		if (text_nearest(ref, choices, 2) == choices[1])
			(void)text_copy(near, sizeof(near), choices[1]);
	}
	git_reference_iterator_free(iterator);
	text_make_printable(near);
	if (*near)
		(void)snprintf(out, out_bytes, ": did you mean '%.200s'?", near);
}

static int resolve_error(
	const struct versions *versions, const char *ref, int result, struct err *err)
{
	char shown[VERSIONS_TEXT_BYTES];
	char more[VERSIONS_TEXT_BYTES] = ": give a branch, a tag or a commit of this repository";

	(void)text_copy(shown, sizeof(shown), ref);
	text_make_printable(shown);
	if (result == GIT_EAMBIGUOUS)
		return err_set(err, ERR_VERSION,
			"'%s' begins the names of several objects: give more of its digits", shown);
	if (git_repository_head_unborn(versions->repository) == 1 && strncmp(ref, "HEAD", 4) == 0)
		return err_set(err, ERR_VERSION,
			"HEAD has no commit yet: commit what is to be compared first");
	if (versions->shallow)
		(void)snprintf(
			more, sizeof(more), " in this clone, which is shallow: %s", CURE_SHALLOW);
	suggest(versions, ref, more, sizeof(more));
	if (result == GIT_ENOTFOUND || result == GIT_EINVALIDSPEC)
		return err_set(err, ERR_VERSION, "no commit is called '%s'%s", shown, more);
	return versions_git_error(err, "'%s'", shown);
}

int versions_resolve(
	const struct versions *versions, const char *ref, struct version *out, struct err *err)
{
	AUTO_GIT_OBJECT object = NULL;
	AUTO_GIT_COMMIT commit = NULL;
	int result = git_revparse_single(&object, versions->repository, ref);

	if (result < 0)
		return resolve_error(versions, ref, result, err);
	if (git_object_peel((git_object **)&commit, object, GIT_OBJECT_COMMIT) < 0) {
		(void)text_copy(out->ref, sizeof(out->ref), ref);
		text_make_printable(out->ref);
		return err_set(err, ERR_VERSION, "'%s' names a %s: give a commit", out->ref,
			git_object_type2string(git_object_type(object)));
	}
	describe(out, commit, ref);
	return 0;
}

/* "HEAD (topic)" tells more than "HEAD" in a report. */
static void name_head(const struct versions *versions, struct version *version)
{
	AUTO_GIT_REFERENCE head = NULL;

	if (git_repository_head_detached(versions->repository) == 1 ||
		git_repository_head(&head, versions->repository) < 0)
		return;
	(void)snprintf(
		version->ref, sizeof(version->ref), "HEAD (%.200s)", git_reference_shorthand(head));
	text_make_printable(version->ref);
}

static int choose_candidate(const struct versions *versions, const struct versions_request *request,
	struct version *candidate, struct err *err)
{
	if (request->candidate)
		return versions_resolve(versions, request->candidate, candidate, err);
	if (versions_resolve(versions, "HEAD", candidate, err) < 0)
		return -1;
	if (!request->worktree) {
		name_head(versions, candidate);
		return 0;
	}
	if (git_repository_is_bare(versions->repository))
		return err_set(err, ERR_USAGE,
			"a bare repository has no working tree: compare commits instead");
	candidate->worktree = true;
	(void)snprintf(candidate->ref, sizeof(candidate->ref), "working tree");
	return 0;
}

static const struct branch *find_branch(const struct versions *versions, git_oid *tip)
{
	for (size_t i = 0; i < ARRAY_LENGTH(branches); i++) {
		if (git_reference_name_to_id(tip, versions->repository, branches[i].reference) == 0)
			return &branches[i];
	}
	return NULL;
}

/* The candidate is part of the branch: compare it with what was there before it. */
static int choose_parent(const struct versions *versions, const struct version *candidate,
	git_commit *commit, const char *branch, struct version *baseline, struct err *err)
{
	AUTO_GIT_COMMIT parent = NULL;
	char ref[VERSIONS_TEXT_BYTES];

	if (candidate->worktree) {
		describe(baseline, commit, "HEAD");
		return 0;
	}
	if (git_commit_parent(&parent, commit, 0) < 0) {
		if (versions->shallow)
			return err_set(err, ERR_VERSION,
				"this clone is shallow and ends at %.12s, whose parent is the "
				"baseline: " CURE_SHALLOW,
				candidate->commit);
		return err_set(err, ERR_VERSION,
			"%.12s is the first commit of %s: there is nothing before it to compare "
			"with",
			candidate->commit, branch);
	}
	(void)snprintf(
		ref, sizeof(ref), "first parent of %.100s, which is on %s", candidate->ref, branch);
	describe(baseline, parent, ref);
	return 0;
}

static int no_merge_base(const struct versions *versions, const struct version *candidate,
	const char *branch, struct err *err)
{
	if (versions->shallow)
		return err_set(err, ERR_VERSION,
			"this clone is shallow and does not reach the commit where %.100s left "
			"%s: " CURE_SHALLOW,
			candidate->ref, branch);
	return err_set(err, ERR_VERSION,
		"%.100s and %s have no commit in common: name the baseline with --baseline",
		candidate->ref, branch);
}

static int choose_baseline(const struct versions *versions, const struct version *candidate,
	struct version *baseline, struct err *err)
{
	AUTO_GIT_COMMIT commit = NULL;
	AUTO_GIT_COMMIT base = NULL;
	git_oid tip, base_id;
	const struct branch *branch = find_branch(versions, &tip);
	char ref[VERSIONS_TEXT_BYTES];

	if (versions_git_commit(versions, candidate, &commit, err) < 0)
		return -1;
	if (!branch)
		return err_set(err, ERR_VERSION,
			"there is no origin/HEAD, origin/main, origin/master, main or master to "
			"compare "
			"with: name the baseline with --baseline (in a workflow: check out with "
			"`fetch-depth: 0`)");
	if (git_merge_base(&base_id, versions->repository, git_commit_id(commit), &tip) < 0)
		return no_merge_base(versions, candidate, branch->name, err);
	if (git_oid_equal(&base_id, git_commit_id(commit)))
		return choose_parent(versions, candidate, commit, branch->name, baseline, err);
	if (git_commit_lookup(&base, versions->repository, &base_id) < 0)
		return versions_git_error(err, "merge base");
	(void)snprintf(ref, sizeof(ref), "merge base of %.100s and %s",
		candidate->worktree ? "HEAD" : candidate->ref, branch->name);
	describe(baseline, base, ref);
	return 0;
}

int versions_choose(const struct versions *versions, const struct versions_request *request,
	struct version *baseline, struct version *candidate, struct err *err)
{
	if (request->worktree && request->candidate)
		return err_set(err, ERR_USAGE,
			"the candidate is either the working tree or '%.200s': give one of the two",
			request->candidate);
	if (choose_candidate(versions, request, candidate, err) < 0)
		return err_wrap(err, "candidate");
	if (request->baseline)
		return versions_resolve(versions, request->baseline, baseline, err) < 0
			       ? err_wrap(err, "baseline")
			       : 0;
	return choose_baseline(versions, candidate, baseline, err) < 0 ? err_wrap(err, "baseline")
								       : 0;
}
