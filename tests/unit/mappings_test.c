#include "runner/mappings.h"

#include "sandbox/base/io.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static char root[] = "/tmp/duel-mappings.XXXXXX";
static struct err err;
static struct mappings mappings;
static struct mappings_tree tree;

static void make_file(const char *name)
{
	char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s", root, name);
	assert_int_equal(io_replace_file(path, "x", 1, 0644, &err), 0);
}

static uintmax_t inode_of(const char *name)
{
	char path[PATH_MAX];
	struct stat status;

	(void)snprintf(path, sizeof(path), "%s/%s", root, name);
	assert_int_equal(stat(path, &status), 0);
	return status.st_ino;
}

static int make_tree(void **state)
{
	static const char *const folders[] = {"lib", "ext/json", "other"};
	char path[PATH_MAX];

	(void)state;
	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < ARRAY_LENGTH(folders); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", root, folders[i]);
		assert_int_equal(io_make_dirs(path, 0755, &err), 0);
	}
	make_file("bench");
	make_file("lib/libfast.so.1.2");
	make_file("other/libfast.so");
	make_file("ext/json/parser.so");
	make_file("lib/notes.so-called");
	(void)snprintf(path, sizeof(path), "%s/lib/libfast.so.1", root);
	assert_int_equal(symlink("libfast.so.1.2", path), 0);
	return mappings_scan_tree(&tree, root, &err);
}

static int remove_tree(void **state)
{
	(void)state;
	mappings_tree_release(&tree);
	return io_remove_tree(root, &err);
}

/* Lines of maps: each entry "inode path", the tree seen at /tree inside. */
static void map(const char *const *paths, const uintmax_t *inodes, size_t count)
{
	AUTO_BUF text = {.bytes_max = 100000};

	for (size_t i = 0; i < count; i++)
		assert_int_equal(buf_printf(&text, &err,
					 "7f0000%02zu0000-7f0000%02zu1000 r-xp 00001000 08:01 %ju  "
					 "     %s\n",
					 i, i, inodes[i], paths[i]),
			0);
	assert_int_equal(buf_append_str(&text,
				 "7ffe0000-7ffe1000 rw-p 00000000 00:00 0     [stack]\n"
				 "7fff0000-7fff1000 r-xp 00000000 00:00 0     [vdso]\n"
				 "7fff2000-7fff3000 r--p 00000000 08:01 77    /tree/data\n"
				 "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 \n",
				 &err),
		0);
	assert_int_equal(mappings_parse(&mappings, buf_text(&text), "/tree", &err), 0);
}

static void code_of_the_tree_and_of_the_system_is_told_apart(void **state)
{
	const char *const paths[] = {"/tree/bench", "/usr/lib/libc.so.6", "/tree/bench",
		"/treehouse/x", "/tree/a\\012b (deleted)"};
	const uintmax_t inodes[] = {inode_of("bench"), 5, inode_of("bench"), 6, 7};

	(void)state;
	map(paths, inodes, ARRAY_LENGTH(paths));
	assert_int_equal(mappings.count, 4);
	assert_true(mappings.items[0].in_tree);
	assert_string_equal(mappings.items[0].path, "bench");
	assert_false(mappings.items[1].in_tree);
	assert_false(mappings.items[2].in_tree);
	assert_string_equal(mappings.items[3].path, "a\nb");
	assert_true(mappings_has_code_of_tree(&mappings));
	mappings_release(&mappings);
}

static void a_worker_of_its_tree_passes(void **state)
{
	const char *const paths[] = {"/tree/bench", "/tree/lib/libfast.so.1.2",
		"/usr/lib/libc.so.6", "/usr/lib/ruby/cgi/parser.so", "/usr/lib/libfaster.so"};
	const uintmax_t inodes[] = {inode_of("bench"), inode_of("lib/libfast.so.1.2"), 5, 6, 7};

	(void)state;
	map(paths, inodes, ARRAY_LENGTH(paths));
	if (mappings_check(&mappings, &tree, &err) < 0)
		fail_msg("%s", err.text);
	mappings_release(&mappings);
}

static void a_system_copy_of_a_library_in_the_tree_is_an_error(void **state)
{
	const char *const paths[] = {"/tree/bench", "/usr/lib/x86_64-linux-gnu/libfast.so.1"};
	const uintmax_t inodes[] = {inode_of("bench"), 5};

	(void)state;
	map(paths, inodes, ARRAY_LENGTH(paths));
	assert_int_equal(mappings_check(&mappings, &tree, &err), -1);
	assert_int_equal(err.kind, ERR_BENCH);
	assert_non_null(
		strstr(err.text, "runs /usr/lib/x86_64-linux-gnu/libfast.so.1, which is not "
				 "its version's: the tree holds "));
	assert_non_null(strstr(err.text, "libfast.so"));
	mappings_release(&mappings);
}

static void a_system_copy_of_an_extension_is_an_error(void **state)
{
	const char *const paths[] = {"/usr/bin/ruby", "/usr/lib/ruby/3.1/json/parser.so"};
	const uintmax_t inodes[] = {4, 5};

	(void)state;
	map(paths, inodes, ARRAY_LENGTH(paths));
	assert_int_equal(mappings_check(&mappings, &tree, &err), -1);
	assert_string_equal(err.text,
		"runs /usr/lib/ruby/3.1/json/parser.so, which is not its version's: the tree holds "
		"ext/json/parser.so (set the library path or link it statically)");
	assert_false(mappings_has_code_of_tree(&mappings));
	mappings_release(&mappings);
}

static void a_library_loaded_twice_is_an_error(void **state)
{
	const char *const paths[] = {"/tree/lib/libfast.so.1.2", "/tree/other/libfast.so"};
	const uintmax_t inodes[] = {inode_of("lib/libfast.so.1.2"), inode_of("other/libfast.so")};

	(void)state;
	map(paths, inodes, ARRAY_LENGTH(paths));
	assert_int_equal(mappings_check(&mappings, &tree, &err), -1);
	assert_string_equal(err.text, "has loaded one library twice: lib/libfast.so.1.2 and "
				      "other/libfast.so are both mapped");
	mappings_release(&mappings);
}

static void another_file_under_the_tree_s_name_is_an_error(void **state)
{
	const char *const paths[] = {"/tree/bench"};
	const uintmax_t inodes[] = {12345678};

	(void)state;
	map(paths, inodes, ARRAY_LENGTH(paths));
	assert_int_equal(mappings_check(&mappings, &tree, &err), -1);
	assert_non_null(strstr(err.text,
		"runs a file named bench (inode 12345678) that is not the one in its tree"));
	mappings_release(&mappings);
}

static void our_own_mappings_can_be_read(void **state)
{
	char self[PATH_MAX] = "";
	char *slash;

	(void)state;
	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	slash = strrchr(self, '/');
	*slash = '\0';
	assert_int_equal(mappings_read(&mappings, getpid(), self, &err), 0);
	assert_true(mappings.items[0].in_tree);
	assert_string_equal(mappings.items[0].path, slash + 1);
	mappings_release(&mappings);
	assert_int_equal(mappings_read(&mappings, 0x7ffffff0, self, &err), -1);
	assert_int_equal(err.kind, ERR_BENCH);
}

static void nonsense_is_no_mapping(void **state)
{
	(void)state;
	assert_int_equal(mappings_parse(&mappings,
				 "\n\nx\n1-2 r-xp\n1-2 r-xp 0 8:1 9 relative\n1-2 rwxp 0 8:1 9 /a",
				 "/tree", &err),
		0);
	assert_int_equal(mappings.count, 1);
	assert_string_equal(mappings.items[0].path, "/a");
	mappings_release(&mappings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_of_the_tree_and_of_the_system_is_told_apart),
		cmocka_unit_test(a_worker_of_its_tree_passes),
		cmocka_unit_test(a_system_copy_of_a_library_in_the_tree_is_an_error),
		cmocka_unit_test(a_system_copy_of_an_extension_is_an_error),
		cmocka_unit_test(a_library_loaded_twice_is_an_error),
		cmocka_unit_test(another_file_under_the_tree_s_name_is_an_error),
		cmocka_unit_test(our_own_mappings_can_be_read),
		cmocka_unit_test(nonsense_is_no_mapping),
	};

	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
