/* Our own definitions of Landlock's interface, against the kernel's where its header has them. */
#include "sandbox/landlock_abi.h"

#include "sandbox/landlock.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

static void numbers_are_the_kernels(void **state)
{
	static const uint64_t pairs[][2] = {
		{LANDLOCK_ABI_EXECUTE, LANDLOCK_ACCESS_FS_EXECUTE},
		{LANDLOCK_ABI_WRITE_FILE, LANDLOCK_ACCESS_FS_WRITE_FILE},
		{LANDLOCK_ABI_READ_FILE, LANDLOCK_ACCESS_FS_READ_FILE},
		{LANDLOCK_ABI_READ_DIR, LANDLOCK_ACCESS_FS_READ_DIR},
		{LANDLOCK_ABI_REMOVE_DIR, LANDLOCK_ACCESS_FS_REMOVE_DIR},
		{LANDLOCK_ABI_REMOVE_FILE, LANDLOCK_ACCESS_FS_REMOVE_FILE},
		{LANDLOCK_ABI_MAKE_CHAR, LANDLOCK_ACCESS_FS_MAKE_CHAR},
		{LANDLOCK_ABI_MAKE_DIR, LANDLOCK_ACCESS_FS_MAKE_DIR},
		{LANDLOCK_ABI_MAKE_REG, LANDLOCK_ACCESS_FS_MAKE_REG},
		{LANDLOCK_ABI_MAKE_SOCK, LANDLOCK_ACCESS_FS_MAKE_SOCK},
		{LANDLOCK_ABI_MAKE_FIFO, LANDLOCK_ACCESS_FS_MAKE_FIFO},
		{LANDLOCK_ABI_MAKE_BLOCK, LANDLOCK_ACCESS_FS_MAKE_BLOCK},
		{LANDLOCK_ABI_MAKE_SYM, LANDLOCK_ACCESS_FS_MAKE_SYM},
		{LANDLOCK_ABI_CREATE_VERSION, LANDLOCK_CREATE_RULESET_VERSION},
		{LANDLOCK_ABI_RULE_PATH_BENEATH, LANDLOCK_RULE_PATH_BENEATH},
#ifdef LANDLOCK_ACCESS_FS_REFER
		{LANDLOCK_ABI_REFER, LANDLOCK_ACCESS_FS_REFER},
#endif
#ifdef LANDLOCK_ACCESS_FS_TRUNCATE
		{LANDLOCK_ABI_TRUNCATE, LANDLOCK_ACCESS_FS_TRUNCATE},
#endif
#ifdef LANDLOCK_ACCESS_FS_IOCTL_DEV
		{LANDLOCK_ABI_IOCTL_DEV, LANDLOCK_ACCESS_FS_IOCTL_DEV},
#endif
#ifdef LANDLOCK_ACCESS_NET_BIND_TCP
		{LANDLOCK_ABI_BIND_TCP, LANDLOCK_ACCESS_NET_BIND_TCP},
		{LANDLOCK_ABI_CONNECT_TCP, LANDLOCK_ACCESS_NET_CONNECT_TCP},
#endif
#ifdef LANDLOCK_SCOPE_SIGNAL
		{LANDLOCK_ABI_SCOPE_ABSTRACT_UNIX, LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET},
		{LANDLOCK_ABI_SCOPE_SIGNAL, LANDLOCK_SCOPE_SIGNAL},
#endif
	};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		assert_int_equal(pairs[i][0], pairs[i][1]);
}

static void records_have_the_kernels_layout(void **state)
{
	(void)state;
	assert_int_equal(offsetof(struct landlock_abi_ruleset, handled_fs),
		offsetof(struct landlock_ruleset_attr, handled_access_fs));
	assert_int_equal(
		sizeof(struct landlock_abi_path), sizeof(struct landlock_path_beneath_attr));
	assert_int_equal(offsetof(struct landlock_abi_path, parent_fd),
		offsetof(struct landlock_path_beneath_attr, parent_fd));
}

static const char *const nothing_more[] = {NULL};

static void a_ruleset_can_be_made_for_every_abi_up_to_the_kernels(void **state)
{
	const struct landlock_grant grant = {
		.tree = "/tmp", .scratch = "", .readable = nothing_more};
	struct err err = {0};

	(void)state;
	if (landlock_abi() == 0)
		skip();
	for (int abi = 1; abi <= landlock_abi(); abi++) {
		int ruleset = -1;

		if (landlock_make(abi, &grant, &ruleset, &err) < 0)
			fail_msg("ABI %d: %s", abi, err.text);
		assert_int_equal(close(ruleset), 0);
	}
}

static void a_directory_that_is_missing_is_named(void **state)
{
	const struct landlock_grant grant = {
		.tree = "/no/such/tree", .scratch = "", .readable = nothing_more};
	struct err err = {0};
	int ruleset = -1;

	(void)state;
	if (landlock_abi() == 0)
		skip();
	assert_int_equal(landlock_make(1, &grant, &ruleset, &err), -1);
	assert_string_equal(err.text, "landlock: /no/such/tree: No such file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_the_kernels),
		cmocka_unit_test(records_have_the_kernels_layout),
		cmocka_unit_test(a_ruleset_can_be_made_for_every_abi_up_to_the_kernels),
		cmocka_unit_test(a_directory_that_is_missing_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
