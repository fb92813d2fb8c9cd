#include "runner/identical.h"

#include "sandbox/base/io.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct workspace workspace;
static struct err err;
static volatile sig_atomic_t stop;

static int setup(void **state)
{
	(void)state;
	err = (struct err){0};
	stop = 0;
	return workspace_make(&workspace, &err);
}

static int teardown(void **state)
{
	(void)state;
	return workspace_remove(&workspace, &err);
}

static const char *path_of(enum sandbox_side side, const char *name)
{
	static char path[4096];

	(void)snprintf(path, sizeof(path), "%s/%s", workspace.sides[side].tree, name);
	return path;
}

static void put(enum sandbox_side side, const char *name, const void *bytes, size_t length)
{
	assert_int_equal(io_replace_file(path_of(side, name), bytes, length, 0644, &err), 0);
}

/* Both trees get the file; a '%s' in it becomes each side's own path. */
static void put_both(const char *name, const char *text, const char *const paths[2])
{
	for (enum sandbox_side side = SANDBOX_BASELINE; side <= SANDBOX_CANDIDATE; side++) {
		const char *mark = strstr(text, "%s");
		AUTO_BUF bytes;

		buf_init(&bytes, 10000);
		if (mark)
			assert_int_equal(buf_printf(&bytes, &err, "%.*s%s%s", (int)(mark - text),
						 text, paths[side], mark + 2),
				0);
		else
			assert_int_equal(buf_append_str(&bytes, text, &err), 0);
		put(side, name, buf_text(&bytes), bytes.length);
	}
}

static bool are_identical(void)
{
	bool same = false;

	if (identical_trees(&same, workspace.sides, &stop, &err) < 0)
		fail_msg("%s", err.text);
	return same;
}

static void equal_trees_are_identical_whatever_their_times(void **state)
{
	const struct timespec times[2] = {{1000, 0}, {1000, 0}};

	(void)state;
	put_both("program", "code", NULL);
	put_both("empty", "", NULL);
	for (enum sandbox_side side = SANDBOX_BASELINE; side <= SANDBOX_CANDIDATE; side++) {
		assert_int_equal(mkdir(path_of(side, "data"), 0755), 0);
		assert_int_equal(symlink("../program", path_of(side, "data/link")), 0);
	}
	put_both("data/deep", "x", NULL);
	assert_int_equal(utimensat(AT_FDCWD, path_of(0, "program"), times, 0), 0);
	assert_true(are_identical());
}

static void one_byte_of_any_file_makes_them_different(void **state)
{
	(void)state;
	put_both("program", "code", NULL);
	put(SANDBOX_BASELINE, "data", "1", 1);
	put(SANDBOX_CANDIDATE, "data", "2", 1);
	assert_false(are_identical());
}

static void a_file_only_one_side_has_makes_them_different(void **state)
{
	(void)state;
	put_both("program", "code", NULL);
	put(SANDBOX_CANDIDATE, "more", "", 0);
	assert_false(are_identical());
	assert_int_equal(unlink(path_of(SANDBOX_CANDIDATE, "more")), 0);
	assert_true(are_identical());
	put(SANDBOX_BASELINE, "more", "", 0);
	assert_false(are_identical());
}

static void permissions_and_kinds_count(void **state)
{
	(void)state;
	put_both("program", "code", NULL);
	assert_int_equal(chmod(path_of(SANDBOX_CANDIDATE, "program"), 0755), 0);
	assert_false(are_identical());
	assert_int_equal(chmod(path_of(SANDBOX_BASELINE, "program"), 0755), 0);
	assert_true(are_identical());
	put(SANDBOX_BASELINE, "odd", "", 0);
	assert_int_equal(mkdir(path_of(SANDBOX_CANDIDATE, "odd"), 0755), 0);
	assert_false(are_identical());
}

static void links_count_by_where_they_lead(void **state)
{
	(void)state;
	assert_int_equal(symlink("a", path_of(SANDBOX_BASELINE, "link")), 0);
	assert_int_equal(symlink("b", path_of(SANDBOX_CANDIDATE, "link")), 0);
	assert_false(are_identical());
}

static void each_side_may_name_its_own_paths(void **state)
{
	const struct workspace_side *sides = workspace.sides;

	(void)state;
	put_both("tree", "ab%scd", (const char *const[2]){sides[0].tree, sides[1].tree});
	put_both("scratch", "%s", (const char *const[2]){sides[0].scratch, sides[1].scratch});
	put_both("run", "x%s/file", (const char *const[2]){sides[0].run, sides[1].run});
	for (enum sandbox_side side = SANDBOX_BASELINE; side <= SANDBOX_CANDIDATE; side++)
		assert_int_equal(symlink(sides[side].tree, path_of(side, "link")), 0);
	assert_true(are_identical());
}

static void no_side_may_name_the_other_s(void **state)
{
	const struct workspace_side *sides = workspace.sides;

	(void)state;
	put_both("file", "%s", (const char *const[2]){sides[1].tree, sides[0].tree});
	assert_false(are_identical());
}

static void only_the_path_itself_may_differ(void **state)
{
	AUTO_BUF bytes;

	(void)state;
	put_both("file", "%s!",
		(const char *const[2]){workspace.sides[0].tree, workspace.sides[1].tree});
	buf_init(&bytes, 10000);
	assert_int_equal(buf_printf(&bytes, &err, "%s?", workspace.sides[1].tree), 0);
	put(SANDBOX_CANDIDATE, "file", buf_text(&bytes), bytes.length);
	assert_false(are_identical());
	/* A path cut off by the file's end is none. */
	put(SANDBOX_BASELINE, "file", workspace.sides[0].tree, strlen(workspace.sides[0].tree) - 1);
	put(SANDBOX_CANDIDATE, "file", workspace.sides[1].tree,
		strlen(workspace.sides[1].tree) - 1);
	assert_false(are_identical());
}

/* The case says so by the exit status: root reads everything, so a child asks as somebody else. */
static void what_cannot_be_read_is_measured(void **state)
{
	int status = -1;
	pid_t child;

	(void)state;
	put_both("program", "code", NULL);
	assert_int_equal(chmod(path_of(SANDBOX_BASELINE, "program"), 0), 0);
	assert_int_equal(chmod(path_of(SANDBOX_CANDIDATE, "program"), 0), 0);
	child = fork();
	if (child == 0) {
		bool same = true;
		bool other = geteuid() != 0 || setresuid(65534, 65534, 65534) == 0;

		_exit(other && identical_trees(&same, workspace.sides, &stop, &err) == 0 && !same
				? 0
				: 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* Sparse: a build makes any number of bytes for nothing. */
static void beyond_a_limit_of_bytes_it_is_measured(void **state)
{
	(void)state;
	put_both("program", "code", NULL);
	put_both("sparse", "", NULL);
	for (enum sandbox_side side = SANDBOX_BASELINE; side <= SANDBOX_CANDIDATE; side++)
		assert_int_equal(truncate(path_of(side, "sparse"), IDENTICAL_BYTES_MAX), 0);
	assert_false(are_identical());
	for (enum sandbox_side side = SANDBOX_BASELINE; side <= SANDBOX_CANDIDATE; side++)
		assert_int_equal(truncate(path_of(side, "sparse"), 100), 0);
	assert_true(are_identical());
}

static void who_is_told_to_stop_compares_nothing_more(void **state)
{
	bool same = true;

	(void)state;
	put_both("program", "code", NULL);
	stop = 1;
	assert_int_equal(identical_trees(&same, workspace.sides, &stop, &err), -1);
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(
		err.text, "compare both trees: interrupted while comparing both versions");
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(equal_trees_are_identical_whatever_their_times),
		CASE(one_byte_of_any_file_makes_them_different),
		CASE(a_file_only_one_side_has_makes_them_different),
		CASE(permissions_and_kinds_count),
		CASE(links_count_by_where_they_lead),
		CASE(each_side_may_name_its_own_paths),
		CASE(no_side_may_name_the_other_s),
		CASE(only_the_path_itself_may_differ),
		CASE(what_cannot_be_read_is_measured),
		CASE(beyond_a_limit_of_bytes_it_is_measured),
		CASE(who_is_told_to_stop_compares_nothing_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
