#include "runner/fresh.h"

#include "sandbox/base/io.h"

#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char root[64];
static char tree[128];
static struct err err;
static struct fresh fresh;
static const char *const paths[] = {"bin/bench", "lib.so"};

static const char *in_tree(const char *name)
{
	static char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s", tree, name);
	return path;
}

static struct stat status_of(const char *name)
{
	struct stat status;

	assert_int_equal(lstat(in_tree(name), &status), 0);
	return status;
}

static void expect_bytes(const char *name, const char *bytes)
{
	AUTO_BUF text = {.bytes_max = 1000};

	assert_int_equal(io_read_file(&text, in_tree(name), &err), 0);
	assert_string_equal(buf_text(&text), bytes);
}

static int make(void **state)
{
	(void)state;
	(void)strcpy(root, "/tmp/duel-fresh.XXXXXX");
	assert_non_null(mkdtemp(root));
	(void)snprintf(tree, sizeof(tree), "%s/tree", root);
	if (io_make_dirs(in_tree("bin"), 0755, &err) < 0 ||
		io_replace_file(in_tree("bin/bench"), "program", 7, 0755, &err) < 0 ||
		io_replace_file(in_tree("lib.so"), "library", 7, 0644, &err) < 0)
		return -1;
	return 0;
}

static int remove_all(void **state)
{
	(void)state;
	return io_remove_tree(root, &err);
}

static void a_fresh_copy_is_another_file_with_the_same_bytes(void **state)
{
	struct stat before = status_of("bin/bench"), after;

	(void)state;
	assert_int_equal(fresh_open(&fresh, tree, paths, 2, &err), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(fresh_put_all(&fresh, &err), 0);
		after = status_of("bin/bench");
		assert_true(after.st_ino != before.st_ino);
		assert_int_equal(after.st_mode, before.st_mode);
		assert_int_equal(after.st_uid, before.st_uid);
		expect_bytes("bin/bench", "program");
		expect_bytes("lib.so", "library");
	}
	assert_int_equal(fresh_close(&fresh, &err), 0);
}

static void other_bytes_take_its_place_and_the_original_returns(void **state)
{
	AUTO_FD other = -1;

	(void)state;
	assert_int_equal(io_replace_file(in_tree("other"), "relinked", 8, 0600, &err), 0);
	other = open(in_tree("other"), O_RDONLY | O_CLOEXEC);
	assert_int_equal(fresh_open(&fresh, tree, paths, 2, &err), 0);
	assert_int_equal(fresh_put(&fresh, 0, other, &err), 0);
	expect_bytes("bin/bench", "relinked");
	assert_int_equal(fresh_put(&fresh, 0, other, &err), 0);
	expect_bytes("bin/bench", "relinked");
	assert_int_equal(status_of("bin/bench").st_mode & 07777, 0755);
	assert_int_equal(fresh_close(&fresh, &err), 0);
	expect_bytes("bin/bench", "program");
	expect_bytes("lib.so", "library");
}

static void nothing_is_left_beside_it(void **state)
{
	char beside[64];

	(void)state;
	assert_int_equal(fresh_open(&fresh, tree, paths, 2, &err), 0);
	assert_int_equal(fresh_put_all(&fresh, &err), 0);
	assert_int_equal(fresh_close(&fresh, &err), 0);
	(void)snprintf(beside, sizeof(beside), "bin/.duel-fresh.%d", getpid());
	assert_int_equal(access(in_tree(beside), F_OK), -1);
	assert_int_equal(access(in_tree(strchr(beside, '.')), F_OK), -1);
}

static void a_link_is_never_followed(void **state)
{
	static const char *const linked[] = {"link", "folder/bench"};
	char outside[PATH_MAX];

	(void)state;
	(void)snprintf(outside, sizeof(outside), "%s/outside", root);
	assert_int_equal(io_make_dirs(outside, 0755, &err), 0);
	assert_int_equal(symlink("bin/bench", in_tree("link")), 0);
	assert_int_equal(symlink(outside, in_tree("folder")), 0);
	(void)strcat(outside, "/bench");
	assert_int_equal(io_replace_file(outside, "secret", 6, 0600, &err), 0);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(fresh_open(&fresh, tree, &linked[i], 1, &err), -1);
		assert_int_equal(err.kind, ERR_BENCH);
		assert_memory_equal(err.text, "fresh copy of ", 14);
	}
	assert_int_equal(fresh.count, 0);
}

static void a_path_that_leaves_the_tree_or_is_no_file_is_refused(void **state)
{
	static const char *const odd[] = {"../outside", "bin/../../x", "/etc/passwd", "bin"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(odd); i++)
		assert_int_equal(fresh_open(&fresh, tree, &odd[i], 1, &err), -1);
	assert_string_equal(err.text, "fresh copy of bin: is not a regular file");
}

/* Root writes anywhere: the case belongs to a child that is somebody else and owns the tree. */
static void a_folder_its_build_has_locked_is_opened_for_that_long(void **state)
{
	struct stat before = status_of("bin/bench");
	int status = -1;
	pid_t child;

	(void)state;
	if (geteuid() == 0)
		assert_int_equal(chown(in_tree("bin"), 65534, 65534), 0);
	assert_int_equal(chmod(in_tree("bin"), 0555), 0);
	assert_int_equal(chmod(root, 0755), 0);
	child = fork();
	if (child == 0) {
		bool other = geteuid() != 0 || setresuid(65534, 65534, 65534) == 0;

		_exit(other && fresh_open(&fresh, tree, paths, 1, &err) == 0 &&
					fresh_put_all(&fresh, &err) == 0
				? 0
				: 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_true(status_of("bin/bench").st_ino != before.st_ino);
	assert_int_equal(status_of("bin").st_mode & 07777, 0555);
	assert_int_equal(chmod(in_tree("bin"), 0755), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_fresh_copy_is_another_file_with_the_same_bytes, make, remove_all),
		cmocka_unit_test_setup_teardown(
			other_bytes_take_its_place_and_the_original_returns, make, remove_all),
		cmocka_unit_test_setup_teardown(
			a_folder_its_build_has_locked_is_opened_for_that_long, make, remove_all),
		cmocka_unit_test_setup_teardown(nothing_is_left_beside_it, make, remove_all),
		cmocka_unit_test_setup_teardown(a_link_is_never_followed, make, remove_all),
		cmocka_unit_test_setup_teardown(
			a_path_that_leaves_the_tree_or_is_no_file_is_refused, make, remove_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
