#include "runner/workspace.h"

#include "sandbox/base/io.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char parent[64];
static struct workspace workspace;
static struct err err;

static int setup(void **state)
{
	(void)state;
	err = (struct err){0};
	workspace = (struct workspace){0};
	(void)snprintf(parent, sizeof(parent), "/tmp/duel work.XXXXXX");
	return mkdtemp(parent) ? setenv("TMPDIR", parent, 1) : -1;
}

static int teardown(void **state)
{
	(void)state;
	workspace_keep(&workspace);
	(void)unsetenv("TMPDIR");
	return io_remove_tree(parent, &err);
}

static void make(void)
{
	if (workspace_make(&workspace, &err) < 0)
		fail_msg("%s", err.text);
}

static bool is_directory(const char *path)
{
	struct stat status;

	return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static void both_sides_get_paths_of_equal_length_below_tmpdir(void **state)
{
	const struct workspace_side *sides = workspace.sides;

	(void)state;
	make();
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(strncmp(sides[i].tree, parent, strlen(parent)), 0);
		assert_true(is_directory(sides[i].tree));
		assert_true(is_directory(sides[i].scratch));
		assert_true(is_directory(sides[i].run));
	}
	assert_int_equal(strlen(sides[0].tree), strlen(sides[1].tree));
	assert_int_equal(strlen(sides[0].scratch), strlen(sides[1].scratch));
	assert_string_not_equal(sides[0].tree, sides[1].tree);
}

static void other_users_may_pass_but_not_look(void **state)
{
	struct stat status;

	(void)state;
	make();
	assert_int_equal(stat(workspace.path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0711);
}

static void removing_leaves_nothing_behind(void **state)
{
	char inside[200];

	(void)state;
	make();
	(void)snprintf(inside, sizeof(inside), "%s/deep/er", workspace.sides[1].tree);
	assert_int_equal(io_make_dirs(inside, 0755, &err), 0);
	assert_int_equal(workspace_remove(&workspace, &err), 0);
	assert_int_equal(rmdir(parent), 0);
	assert_int_equal(mkdir(parent, 0755), 0);
	assert_null(workspace.path);
}

static void keeping_forgets_the_paths_and_leaves_the_files(void **state)
{
	char path[200];

	(void)state;
	make();
	(void)snprintf(path, sizeof(path), "%s", workspace.sides[0].tree);
	workspace_keep(&workspace);
	assert_null(workspace.sides[0].tree);
	assert_true(is_directory(path));
}

static void a_missing_tmpdir_says_what_to_do(void **state)
{
	(void)state;
	assert_int_equal(setenv("TMPDIR", "/nonexistent/place", 1), 0);
	assert_int_equal(workspace_make(&workspace, &err), -1);
	assert_string_equal(err.text,
		"/nonexistent/place: set TMPDIR to a directory that can be written: No such file "
		"or directory");
	assert_int_equal(err.kind, ERR_OS);
}

static void a_tmpdir_that_is_no_path_is_not_taken(void **state)
{
	(void)state;
	assert_int_equal(setenv("TMPDIR", "relative", 1), 0);
	make();
	assert_int_equal(strncmp(workspace.path, "/tmp/duel.", strlen("/tmp/duel.")), 0);
	assert_int_equal(workspace_remove(&workspace, &err), 0);
}

static void a_full_disk_is_named_with_the_cure(void **state)
{
	char wanted[400];

	(void)state;
	make();
	errno = ENOSPC;
	(void)err_errno(&err, ERR_OS, "write x");
	workspace_explain(&workspace, &err);
	(void)snprintf(wanted, sizeof(wanted),
		"no room for %s: set TMPDIR to a directory with more: write x: %s", workspace.path,
		strerror(ENOSPC));
	assert_string_equal(err.text, wanted);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(both_sides_get_paths_of_equal_length_below_tmpdir),
		CASE(other_users_may_pass_but_not_look),
		CASE(removing_leaves_nothing_behind),
		CASE(keeping_forgets_the_paths_and_leaves_the_files),
		CASE(a_missing_tmpdir_says_what_to_do),
		CASE(a_tmpdir_that_is_no_path_is_not_taken),
		CASE(a_full_disk_is_named_with_the_cure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
