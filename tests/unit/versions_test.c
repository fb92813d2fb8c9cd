#include "runner/versions.h"

#include "tests/unit/repository.h"

#include <sys/stat.h>

static void open_at(struct versions *versions, const char *directory, const char *name)
{
	AUTO_STR path = repository_path(directory, name);
	struct err err = {0};

	if (versions_open(versions, path, &err) < 0)
		fail_msg("%s", err.text);
}

static void choose(const char *directory, const char *name, const struct versions_request *request,
	struct version *baseline, struct version *candidate)
{
	AUTO_VERSIONS versions;
	struct err err = {0};

	open_at(&versions, directory, name);
	if (versions_choose(&versions, request, baseline, candidate, &err) < 0)
		fail_msg("%s", err.text);
}

static void refuse(const char *directory, const char *name, const struct versions_request *request,
	const char *message)
{
	AUTO_VERSIONS versions;
	struct version baseline, candidate;
	struct err err = {0};

	open_at(&versions, directory, name);
	assert_int_equal(versions_choose(&versions, request, &baseline, &candidate, &err), -1);
	assert_string_equal(err.text, message);
}

static const struct versions_request nothing_named = {0};

static void the_baseline_is_where_the_branch_left_main(void **state)
{
	struct version baseline, candidate;

	repository_run(*state, REPOSITORY_TOPIC);
	choose(*state, "r", &nothing_named, &baseline, &candidate);
	assert_string_equal(candidate.subject, "three: the change");
	assert_string_equal(candidate.ref, "HEAD (topic)");
	assert_int_equal(strlen(candidate.commit), 40);
	assert_true(candidate.author_time_s == 1700000000);
	assert_true(candidate.commit_time_s == 1700000100);
	assert_false(candidate.worktree);
	assert_string_equal(baseline.subject, "two");
	assert_string_equal(baseline.ref, "merge base of HEAD (topic) and main");
}

static void a_remote_s_head_goes_before_local_branches(void **state)
{
	struct version baseline, candidate;

	repository_run(*state,
		REPOSITORY_TOPIC "cd r; git switch -q main; git switch -qc trunk; git commit -q "
				 "--allow-empty -m five; cd ..; git clone -q r c; cd c; "
				 "git switch -qc mine; git commit -q --allow-empty -m six; "
				 "git branch main HEAD~3;");
	choose(*state, "c", &nothing_named, &baseline, &candidate);
	assert_string_equal(baseline.subject, "five");
	assert_string_equal(baseline.ref, "merge base of HEAD (mine) and origin/HEAD");
}

static void on_main_itself_the_baseline_is_the_first_parent(void **state)
{
	struct version baseline, candidate;

	repository_run(*state, REPOSITORY_TOPIC "cd r; git switch -q main; git merge -q topic;");
	choose(*state, "r", &nothing_named, &baseline, &candidate);
	assert_string_equal(baseline.subject, "four");
	assert_string_equal(baseline.ref, "first parent of HEAD (main), which is on main");
}

static void a_working_tree_on_main_is_compared_with_head(void **state)
{
	const struct versions_request request = {.worktree = true};
	struct version baseline, candidate;

	repository_run(*state, REPOSITORY_TOPIC "cd r; git switch -q main");
	choose(*state, "r", &request, &baseline, &candidate);
	assert_true(candidate.worktree);
	assert_string_equal(candidate.ref, "working tree");
	assert_string_equal(baseline.ref, "HEAD");
	assert_string_equal(baseline.commit, candidate.commit);
}

static void refs_are_compared_as_given(void **state)
{
	struct versions_request request = {.baseline = "main", .candidate = "topic~1"};
	struct version baseline, candidate;

	repository_run(*state, REPOSITORY_TOPIC "cd r; git tag -a v1 -m v1 topic");
	choose(*state, "r", &request, &baseline, &candidate);
	assert_string_equal(baseline.subject, "four");
	assert_string_equal(baseline.ref, "main");
	assert_string_equal(candidate.subject, "two");
	request = (struct versions_request){.candidate = "v1"};
	choose(*state, "r", &request, &baseline, &candidate);
	assert_string_equal(candidate.subject, "three: the change");
	assert_string_equal(baseline.subject, "two");
	assert_string_equal(baseline.ref, "merge base of v1 and main");
}

static void an_abbreviated_name_finds_its_commit(void **state)
{
	struct versions_request request = {.baseline = "main"};
	struct version baseline, candidate;
	char name[64];

	repository_run(*state, REPOSITORY_TOPIC);
	repository_ask(*state, "git -C r rev-parse --short=10 topic", name, sizeof(name));
	request.candidate = name;
	choose(*state, "r", &request, &baseline, &candidate);
	assert_string_equal(candidate.subject, "three: the change");
}

static void an_unborn_head_is_named(void **state)
{
	repository_run(*state, "git init -q r");
	refuse(*state, "r", &nothing_named,
		"candidate: HEAD has no commit yet: commit what is to be compared first");
}

static void an_unknown_ref_gets_the_nearest_one(void **state)
{
	struct versions_request request = {.baseline = "mian"};

	repository_run(
		*state, REPOSITORY_TOPIC "git clone -q r c; cd c; git branch -q -D main || :");
	refuse(*state, "r", &request, "baseline: no commit is called 'mian': did you mean 'main'?");
	request.baseline = "HEAD~77";
	refuse(*state, "r", &request,
		"baseline: no commit is called 'HEAD~77': give a branch, a tag or a commit of this "
		"repository");
	request.baseline = "..x\x1b[";
	refuse(*state, "r", &request,
		"baseline: no commit is called '..x?[': give a branch, a tag or a commit of this "
		"repository");
	request.baseline = "heads/topik";
	refuse(*state, "c", &request,
		"baseline: no commit is called 'heads/topik': give a branch, a tag or a commit of "
		"this "
		"repository");
	request.baseline = "main";
	refuse(*state, "c", &request,
		"baseline: no commit is called 'main': did you mean 'origin/main'?");
}

static void an_ambiguous_name_asks_for_more_digits(void **state)
{
	struct versions_request request = {.candidate = "main"};
	char prefix[64];
	char message[200];

	/* A thousand objects share the first four digits of some of 65,536. */
	repository_run(*state, REPOSITORY_TOPIC
		"cd r; mkdir n; for i in $(seq 1000); do echo $i >n/$i; done; git add n;");
	repository_ask(*state,
		"git -C r cat-file --batch-all-objects --batch-check | cut -c1-4 | uniq -d", prefix,
		sizeof(prefix));
	request.baseline = prefix;
	(void)snprintf(message, sizeof(message),
		"baseline: '%s' begins the names of several objects: give more of its digits",
		prefix);
	refuse(*state, "r", &request, message);
}

static void what_is_no_commit_is_refused(void **state)
{
	struct versions_request request = {.baseline = "HEAD:a"};

	repository_run(*state, REPOSITORY_TOPIC);
	refuse(*state, "r", &request, "baseline: 'HEAD:a' names a blob: give a commit");
}

static void a_shallow_clone_says_how_to_deepen_it(void **state)
{
	struct versions_request request = {.baseline = "0123456789012345678901234567890123456789"};

	repository_run(*state,
		REPOSITORY_TOPIC "git -C r switch -q main; git clone -q --depth 1 "
				 "--no-single-branch --branch topic \"file://$PWD/r\" topic");
	refuse(*state, "topic", &nothing_named,
		"baseline: this clone is shallow and does not reach the commit where HEAD (topic) "
		"left "
		"origin/HEAD: check out with `fetch-depth: 0` (here: git fetch --unshallow)");
	refuse(*state, "topic", &request,
		"baseline: no commit is called '0123456789012345678901234567890123456789' in this "
		"clone, which is shallow: check out with `fetch-depth: 0` (here: git fetch "
		"--unshallow)");
}

static void a_shallow_push_to_main_says_so_too(void **state)
{
	char name[64];
	char message[300];

	repository_run(*state,
		REPOSITORY_TOPIC "git clone -q --depth 1 --branch main \"file://$PWD/r\" pushed;");
	repository_ask(*state, "git -C pushed rev-parse --short=12 HEAD", name, sizeof(name));
	(void)snprintf(message, sizeof(message),
		"baseline: this clone is shallow and ends at %s, whose parent is the baseline: "
		"check "
		"out with `fetch-depth: 0` (here: git fetch --unshallow)",
		name);
	refuse(*state, "pushed", &nothing_named, message);
}

static void without_a_branch_to_compare_with_one_is_asked_for(void **state)
{
	repository_run(*state, REPOSITORY_TOPIC "cd r; git branch -D main");
	refuse(*state, "r", &nothing_named,
		"baseline: there is no origin/HEAD, origin/main, origin/master, main or master to "
		"compare with: name the baseline with --baseline (in a workflow: check out with "
		"`fetch-depth: 0`)");
}

static void unrelated_histories_ask_for_a_baseline(void **state)
{
	repository_run(*state, REPOSITORY_TOPIC
		"cd r; git switch -q --orphan other; git commit -q --allow-empty -m alone");
	refuse(*state, "r", &nothing_named,
		"baseline: HEAD (other) and main have no commit in common: name the baseline with "
		"--baseline");
}

static void the_first_commit_has_nothing_before_it(void **state)
{
	char name[64];
	char message[200];

	repository_run(*state, "git init -q r; cd r; git commit -q --allow-empty -m one");
	repository_ask(*state, "git -C r rev-parse --short=12 HEAD", name, sizeof(name));
	(void)snprintf(message, sizeof(message),
		"baseline: %s is the first commit of main: there is nothing before it to compare "
		"with",
		name);
	refuse(*state, "r", &nothing_named, message);
}

static void contradicting_requests_are_refused(void **state)
{
	const struct versions_request both = {.worktree = true, .candidate = "main"};
	const struct versions_request worktree = {.worktree = true};

	repository_run(*state, REPOSITORY_TOPIC "git clone -q --bare r bare");
	refuse(*state, "r", &both,
		"the candidate is either the working tree or 'main': give one of the two");
	refuse(*state, "bare", &worktree,
		"candidate: a bare repository has no working tree: compare commits instead");
}

static void a_directory_outside_any_repository_is_named(void **state)
{
	AUTO_STR path = repository_path(*state, "empty");
	char message[200];
	struct versions versions = {0};
	struct err err = {0};

	repository_run(*state, "mkdir empty");
	assert_int_equal(versions_open(&versions, path, &err), -1);
	(void)snprintf(message, sizeof(message),
		"%s is in no git repository: go into a clone of the project first", path);
	assert_string_equal(err.text, message);
	versions_close(&versions);
}

static void repositories_are_found_from_where_people_stand(void **state)
{
	struct version baseline, candidate;

	repository_run(*state, REPOSITORY_TOPIC
		"git clone -q --bare r bare; cd r; git worktree add -q '../linked tree' main; "
		"git config core.worktree \"$PWD\"; mkdir -p src/deep");
	choose(*state, "r/src/deep", &nothing_named, &baseline, &candidate);
	assert_string_equal(candidate.subject, "three: the change");
	choose(*state, "linked tree", &nothing_named, &baseline, &candidate);
	assert_string_equal(candidate.ref, "HEAD (main)");
	choose(*state, "bare", &nothing_named, &baseline, &candidate);
	assert_string_equal(baseline.subject, "two");
}

static void a_repository_of_somebody_else_is_read(void **state)
{
	struct version baseline, candidate;

	if (getuid() != 0)
		skip();
	repository_run(*state, REPOSITORY_TOPIC "chown -R 12345:12345 r");
	choose(*state, "r", &nothing_named, &baseline, &candidate);
	assert_string_equal(baseline.subject, "two");
}

static void a_sparse_checkout_is_read(void **state)
{
	struct version baseline, candidate;

	repository_run(*state, REPOSITORY_TOPIC "git -C r sparse-checkout set src");
	choose(*state, "r", &nothing_named, &baseline, &candidate);
	assert_string_equal(baseline.subject, "two");
}

static void subjects_are_made_printable(void **state)
{
	struct version baseline, candidate;

	repository_run(*state, REPOSITORY_TOPIC "cd r; git commit -q --allow-empty -m \"$(printf "
						"'a\\033[31m\\342\\200\\256b\\n\\nbody')\"");
	choose(*state, "r", &nothing_named, &baseline, &candidate);
	assert_string_equal(candidate.subject, "a?[31m???b");
}

static size_t dirty(const char *directory)
{
	AUTO_VERSIONS versions;
	struct err err = {0};
	size_t files = 99;

	open_at(&versions, directory, "r");
	assert_int_equal(versions_dirty(&versions, &files, &err), 0);
	return files;
}

static void uncommitted_changes_are_counted(void **state)
{
	repository_run(*state, REPOSITORY_TOPIC);
	assert_int_equal(dirty(*state), 0);
	repository_run(*state, "cd r; echo new >untracked");
	assert_int_equal(dirty(*state), 0);
	repository_run(*state, "cd r; echo changed >a; rm src/s");
	assert_int_equal(dirty(*state), 2);
}

static void touch(const char *directory, const struct versions_request *request,
	char *const *patterns, struct versions_touch *out)
{
	AUTO_VERSIONS versions;
	struct version baseline, candidate;
	struct err err = {0};

	open_at(&versions, directory, "r");
	assert_int_equal(versions_choose(&versions, request, &baseline, &candidate, &err), 0);
	if (versions_touch(&versions, &baseline, &candidate, patterns, out, &err) < 0)
		fail_msg("%s", err.text);
}

static void changes_are_matched_against_the_watch_list(void **state)
{
	char source[] = "src/**", document[] = "*.md", text[] = "a";
	char *const sources[] = {document, source, NULL};
	char *const documents[] = {document, NULL};
	char *const texts[] = {text, NULL};
	struct versions_touch found;

	repository_run(*state, REPOSITORY_TOPIC);
	touch(*state, &nothing_named, sources, &found);
	assert_int_equal(found.changed, 2);
	assert_int_equal(found.watched, 1);
	assert_string_equal(found.first, "src/s");
	touch(*state, &nothing_named, documents, &found);
	assert_int_equal(found.watched, 0);
	assert_string_equal(found.first, "");
	touch(*state, &nothing_named, texts, &found);
	assert_string_equal(found.first, "a");
	touch(*state, &nothing_named, NULL, &found);
	assert_int_equal(found.watched, 2);
}

static void an_empty_diff_touches_nothing(void **state)
{
	const struct versions_request request = {.baseline = "topic", .candidate = "again"};
	struct versions_touch found;

	repository_run(*state, REPOSITORY_TOPIC
		"cd r; git switch -qc again; git commit -q --allow-empty -m empty");
	touch(*state, &request, NULL, &found);
	assert_int_equal(found.changed, 0);
	assert_int_equal(found.watched, 0);
}

static void both_names_of_a_moved_file_are_watched(void **state)
{
	const struct versions_request request = {.baseline = "topic", .candidate = "moved"};
	char old[] = "src/", new[] = "lib/";
	char *const olds[] = {old, NULL};
	char *const news[] = {new, NULL};
	struct versions_touch found;

	repository_run(*state, REPOSITORY_TOPIC
		"cd r; git switch -qc moved; git mv src lib; git commit -qm moved");
	touch(*state, &request, olds, &found);
	assert_string_equal(found.first, "src/s");
	touch(*state, &request, news, &found);
	assert_string_equal(found.first, "lib/s");
}

static void a_submodule_that_moves_is_watched(void **state)
{
	const struct versions_request request = {.baseline = "before", .candidate = "after"};
	char other[] = "other/**";
	char *const others[] = {other, NULL};
	struct versions_touch found;

	repository_run(*state,
		REPOSITORY_TOPIC "cd r; git switch -qc before; git update-index --add --cacheinfo "
				 "160000,$(git rev-parse main),vendor/lib; git commit -qm before; "
				 "git switch -qc after; git update-index --cacheinfo "
				 "160000,$(git rev-parse topic),vendor/lib; git commit -qm after");
	touch(*state, &request, others, &found);
	assert_int_equal(found.changed, 1);
	assert_string_equal(found.first, "vendor/lib");
}

/* Six levels of twenty names for one tree: 64 million paths in a dozen objects. */
static void more_changes_than_can_be_kept_are_not_kept(void **state)
{
	const struct versions_request request = {.baseline = "topic", .candidate = "bomb"};
	char other[] = "other/**";
	char *const others[] = {other, NULL};
	struct versions_touch found;

	repository_run(*state, REPOSITORY_TOPIC
		"cd r; tree=$(git rev-parse topic:src); for level in 1 2 3 4 5 6; do "
		"tree=$(for i in $(seq 10 29); do printf '040000 tree %s\\t%s\\n' $tree $i; done | "
		"git mktree); done; git branch bomb $(git commit-tree -p topic -m bomb $tree)");
	touch(*state, &request, others, &found);
	assert_int_equal(found.changed, VERSIONS_CHANGES_MAX);
	assert_int_equal(found.watched, 0);
}

static void a_working_tree_s_changes_are_watched(void **state)
{
	const struct versions_request request = {.baseline = "HEAD", .worktree = true};
	char pattern[] = "new/**";
	char *const patterns[] = {pattern, NULL};
	struct versions_touch found;

	repository_run(*state, REPOSITORY_TOPIC
		"cd r; mkdir new; echo 1 >new/file; echo 2 >a; echo x.o >.gitignore; "
		"echo o >x.o");
	touch(*state, &request, patterns, &found);
	assert_int_equal(found.changed, 3);
	assert_string_equal(found.first, "new/file");
}

static void both_trees_have_paths_of_equal_length(void **state)
{
	(void)state;
	assert_int_equal(strlen(VERSIONS_BASELINE_DIRECTORY), strlen(VERSIONS_CANDIDATE_DIRECTORY));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, repository_setup, repository_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(the_baseline_is_where_the_branch_left_main),
		CASE(a_remote_s_head_goes_before_local_branches),
		CASE(on_main_itself_the_baseline_is_the_first_parent),
		CASE(a_working_tree_on_main_is_compared_with_head),
		CASE(refs_are_compared_as_given),
		CASE(an_abbreviated_name_finds_its_commit),
		CASE(an_unborn_head_is_named),
		CASE(an_unknown_ref_gets_the_nearest_one),
		CASE(an_ambiguous_name_asks_for_more_digits),
		CASE(what_is_no_commit_is_refused),
		CASE(a_shallow_clone_says_how_to_deepen_it),
		CASE(a_shallow_push_to_main_says_so_too),
		CASE(without_a_branch_to_compare_with_one_is_asked_for),
		CASE(unrelated_histories_ask_for_a_baseline),
		CASE(the_first_commit_has_nothing_before_it),
		CASE(contradicting_requests_are_refused),
		CASE(a_directory_outside_any_repository_is_named),
		CASE(repositories_are_found_from_where_people_stand),
		CASE(a_repository_of_somebody_else_is_read),
		CASE(a_sparse_checkout_is_read),
		CASE(subjects_are_made_printable),
		CASE(uncommitted_changes_are_counted),
		CASE(changes_are_matched_against_the_watch_list),
		CASE(a_submodule_that_moves_is_watched),
		CASE(more_changes_than_can_be_kept_are_not_kept),
		CASE(an_empty_diff_touches_nothing),
		CASE(both_names_of_a_moved_file_are_watched),
		CASE(a_working_tree_s_changes_are_watched),
		cmocka_unit_test(both_trees_have_paths_of_equal_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
