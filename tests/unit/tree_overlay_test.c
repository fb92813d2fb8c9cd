#include "runner/tree_overlay.h"

#include "runner/tree.h"
#include "runner/tree_manifest.h"
#include "runner/tree_walk.h"
#include "tests/unit/repository.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

static void open_below(int *fd, const char *directory, const char *name)
{
	AUTO_STR path = repository_path(directory, name);
	struct err err = {0};

	assert_int_equal(tree_open(fd, path, &err), 0);
}

static int overlay(const char *directory, char *const *paths, struct err *err)
{
	AUTO_FD baseline = -1;
	AUTO_FD candidate = -1;

	open_below(&baseline, directory, "baseline_");
	open_below(&candidate, directory, "candidate");
	return tree_overlay(baseline, candidate, paths, err);
}

static void a_build_system_that_moved_is_the_candidate_s_on_both_sides(void **state)
{
	char duel[] = "duel", tool[] = "tools/bench.sh";
	char *const paths[] = {duel, tool, NULL};
	struct err err = {0};

	repository_run(*state,
		"mkdir -p baseline_/duel/old candidate/duel/cmake/deep candidate/tools; "
		"echo old >baseline_/duel/Makefile; echo old >baseline_/duel/old/x; "
		"echo src >baseline_/src; echo not >candidate/other; "
		"echo new >candidate/duel/CMakeLists.txt; echo deep >candidate/duel/cmake/deep/f; "
		"chmod 755 candidate/duel/cmake/deep/f; ln -s deep/f candidate/duel/cmake/link; "
		"mkdir candidate/duel/empty; echo bench >candidate/tools/bench.sh; "
		"touch -d @1600000000 candidate/duel/CMakeLists.txt; "
		"echo a file >baseline_/tools");
	assert_int_equal(overlay(*state, paths, &err), 0);
	repository_run(*state,
		"diff -r baseline_/duel candidate/duel; diff -r baseline_/tools candidate/tools; "
		"test -x baseline_/duel/cmake/deep/f; test -L baseline_/duel/cmake/link; "
		"test -d baseline_/duel/empty; test \"$(cat baseline_/src)\" = src; "
		"test ! -e baseline_/other; "
		"test $(stat -c %Y baseline_/duel/CMakeLists.txt) = 1600000000");
}

static void an_overlay_follows_no_link_of_the_baseline(void **state)
{
	char path[] = "duel/bench";
	char *const paths[] = {path, NULL};
	struct err err = {0};

	repository_run(*state, "mkdir -p baseline_ candidate/duel outside; echo o >outside/bench; "
			       "ln -s ../outside baseline_/duel; echo new >candidate/duel/bench");
	assert_int_equal(overlay(*state, paths, &err), 0);
	repository_run(*state, "test \"$(cat outside/bench)\" = o; test ! -L baseline_/duel; "
			       "test \"$(cat baseline_/duel/bench)\" = new");
}

static void an_overlay_the_candidate_has_not_is_named(void **state)
{
	char path[] = "bench/none";
	char *const paths[] = {path, NULL};
	struct err err = {0};

	repository_run(*state, "mkdir baseline_ candidate");
	assert_int_equal(overlay(*state, paths, &err), -1);
	assert_string_equal(err.text, "overlay bench/none: the candidate has no such file or "
				      "directory: correct \"overlay\" "
				      "in its duel.json");
	assert_int_equal(err.kind, ERR_CONFIG);
}

static void no_overlay_changes_nothing(void **state)
{
	struct err err = {0};

	repository_run(*state, "mkdir baseline_ candidate; echo x >baseline_/x");
	assert_int_equal(overlay(*state, NULL, &err), 0);
	repository_run(*state, "test -f baseline_/x");
}

static void expect_note(const struct tree_manifest *manifest, int root, const char *wanted)
{
	struct tree_rewritten rewritten;
	struct err err = {0};
	AUTO_BUF notes;

	buf_init(&notes, 4000);
	assert_int_equal(tree_manifest_compare(manifest, root, &rewritten, &err), 0);
	assert_int_equal(tree_rewritten_note(&rewritten, "baseline", &notes, &err), 0);
	assert_string_equal(buf_text(&notes), wanted);
}

static void a_build_that_rewrites_tracked_files_is_said(void **state)
{
	AUTO_TREE_MANIFEST manifest = {0};
	struct err err = {0};
	AUTO_FD root = -1;

	repository_run(*state,
		"mkdir -p t/d; cd t; echo 1 >same; echo 1 >touched; echo 1 >d/version.h; "
		"echo 1 >longer; echo 1 >linked; echo 1 >gone; head -c 200000 /dev/zero >big");
	open_below(&root, *state, "t");
	assert_int_equal(tree_manifest_take(&manifest, root, &err), 0);
	assert_int_equal(manifest.count, 7);
	expect_note(&manifest, root, "");
	repository_run(*state, "cd t; touch touched; echo built >new.o; echo 1 >same");
	expect_note(&manifest, root, "");
	repository_run(*state, "cd t; echo 2 >d/version.h");
	expect_note(&manifest, root,
		"baseline: the build changed 1 and removed 0 tracked files (d/version.h): what was "
		"measured is not quite the commit\n");
	repository_run(*state, "cd t; echo 1 >d/version.h; rm gone; ");
	expect_note(&manifest, root,
		"baseline: the build changed 0 and removed 1 tracked files (gone): what was "
		"measured "
		"is not quite the commit\n");
	repository_run(*state, "cd t; echo 1 >gone; printf x | dd of=big bs=1 seek=150000 "
			       "conv=notrunc; rm -f linked; ln -s same linked");
	struct tree_rewritten rewritten;
	assert_int_equal(tree_manifest_compare(&manifest, root, &rewritten, &err), 0);
	assert_int_equal(rewritten.changed, 2);
	assert_int_equal(rewritten.removed, 0);
}

static void many_rewritten_files_are_counted_and_five_named(void **state)
{
	AUTO_TREE_MANIFEST manifest = {0};
	struct tree_rewritten rewritten;
	struct err err = {0};
	AUTO_FD root = -1;
	AUTO_BUF notes;

	repository_run(*state, "mkdir t; cd t; for i in $(seq 50); do echo $i >$i; done");
	open_below(&root, *state, "t");
	assert_int_equal(tree_manifest_take(&manifest, root, &err), 0);
	repository_run(*state, "cd t; for i in $(seq 50); do echo x >$i; done");
	assert_int_equal(tree_manifest_compare(&manifest, root, &rewritten, &err), 0);
	assert_int_equal(rewritten.changed, 50);
	assert_int_equal(rewritten.names_count, TREE_MANIFEST_NAMES);
	buf_init(&notes, 4000);
	assert_int_equal(tree_rewritten_note(&rewritten, "candidate", &notes, &err), 0);
	assert_non_null(strstr(buf_text(&notes), ", ...): what was measured"));
}

static void trees_deeper_than_any_path_are_removed(void **state)
{
	AUTO_STR top = repository_path(*state, "deep");
	char name[NAME_MAX + 1];
	struct err err = {0};
	AUTO_FD at = -1;

	memset(name, 'n', NAME_MAX);
	name[NAME_MAX] = '\0';
	repository_run(*state, "mkdir deep; echo x >kept; ln -s ../kept deep/link");
	open_below(&at, *state, "deep");
	for (int i = 0; i < 100; i++) {
		AUTO_FD up = steal_fd(&at);

		assert_int_equal(mkdirat(up, name, 0700), 0);
		at = openat(up, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		assert_true(at >= 0);
		/* What a build may leave behind: nobody can write there. */
		assert_int_equal(fchmod(up, 0500), 0);
	}
	assert_int_equal(io_remove_tree(top, &err), 0);
	assert_int_equal(access(top, F_OK), -1);
	assert_int_equal(io_remove_tree(top, &err), 0);
	repository_run(*state, "test -f kept");
}

static void a_tree_changes_its_owner_whole(void **state)
{
	struct err err = {0};
	AUTO_FD root = -1;

	if (getuid() != 0)
		skip();
	repository_run(*state, "mkdir -p t/a/b; echo x >kept; echo x >t/a/b/f; "
			       "ln -s ../../../kept t/a/b/link");
	open_below(&root, *state, "t");
	assert_int_equal(tree_walk_chown(root, 12345, 12346, &err), 0);
	repository_run(*state,
		"test -z \"$(find t ! -uid 12345)\"; test -z \"$(find t ! -gid 12346)\"; "
		"test $(stat -c %u kept) = 0");
}

static void links_are_judged_by_where_they_stand(void **state)
{
	(void)state;
	assert_true(tree_link_stays(0, "a"));
	assert_true(tree_link_stays(0, "./a/b"));
	assert_true(tree_link_stays(1, "../a"));
	assert_true(tree_link_stays(2, "..//../a/"));
	assert_true(tree_link_stays(0, "..a"));
	assert_false(tree_link_stays(0, ".."));
	assert_false(tree_link_stays(1, "../.."));
	assert_false(tree_link_stays(3, "a/../b"));
	assert_false(tree_link_stays(5, "/a"));
	assert_false(tree_link_stays(5, ""));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, repository_setup, repository_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_build_system_that_moved_is_the_candidate_s_on_both_sides),
		CASE(an_overlay_follows_no_link_of_the_baseline),
		CASE(an_overlay_the_candidate_has_not_is_named),
		CASE(no_overlay_changes_nothing),
		CASE(a_build_that_rewrites_tracked_files_is_said),
		CASE(many_rewritten_files_are_counted_and_five_named),
		CASE(trees_deeper_than_any_path_are_removed),
		CASE(a_tree_changes_its_owner_whole),
		cmocka_unit_test(links_are_judged_by_where_they_stand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
