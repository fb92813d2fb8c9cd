#include "sandbox/explain_paths.h"
#include "tests/unit/sandbox_fixture.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>

static struct sandbox_exit explain(
	struct fixture *fixture, const char *const *argv, struct buf *lines)
{
	struct sandbox_command command = fixture_command(argv);
	struct sandbox_exit end = {0};
	struct err err = {0};

	buf_init(lines, 65536);
	if (sandbox_explain(&fixture->cell, &command, io_now_ns() + FIXTURE_PATIENCE_NS, lines,
		    &end, &err) < 0)
		fail_msg("%s", err.text);
	return end;
}

static struct sandbox_exit explain_script(
	struct fixture *fixture, const char *script, struct buf *lines)
{
	const char *const argv[] = {"sh", "-c", script, NULL};

	return explain(fixture, argv, lines);
}

/* One system call, fifty times; the exit status is its errno. */
static struct sandbox_exit explain_call(
	struct fixture *fixture, long number, const char *arguments, struct buf *lines)
{
	char script[128];
	const char *const argv[] = {"perl", "-e", script, NULL};

	(void)snprintf(script, sizeof(script), "syscall(%ld, %s) for 1..50; exit($! + 0)", number,
		arguments);
	return explain(fixture, argv, lines);
}

static void refused_calls_are_named_with_the_policy_line(void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	AUTO_BUF lines = {0};
	struct sandbox_exit end = explain_call(fixture, SYS_mount, "0, 0, 0, 0, 0", &lines);

	assert_int_equal(end.wait_status, EPERM << 8);
	assert_string_equal(buf_text(&lines), "mount: refused with EPERM (namespaces and mounts: "
					      "would make a machine of its own)\n");
}

static void a_refusal_met_often_is_named_once(void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	AUTO_BUF lines = {0};

	(void)explain_call(fixture, SYS_io_uring_setup, "1, 0", &lines);
	assert_string_equal(buf_text(&lines), "io_uring_setup: refused with ENOSYS (io_uring: "
					      "makes calls that no filter sees)\n");
}

static void refused_arguments_are_shown(void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	AUTO_BUF lines = {0};

	(void)explain_call(fixture, SYS_socket, "16, 3, 0", &lines); /* netlink */
	assert_string_equal(buf_text(&lines), "socket(0x10, 0x3, 0x0): refused with EAFNOSUPPORT "
					      "(by argument: harmless with some "
					      "arguments only)\n");
}

static void calls_nobody_listed_are_numbers(void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	AUTO_BUF lines = {0};

	(void)explain_call(fixture, 999, "0", &lines);
	assert_string_equal(buf_text(&lines),
		"system call 999: refused with ENOSYS (unlisted: in no group of the policy)\n");
}

static void a_killing_call_is_named_and_kills(void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	AUTO_BUF lines = {0};
	struct sandbox_exit end = explain_call(fixture, SYS_init_module, "0, 0, 0", &lines);

	assert_true(WIFSIGNALED(end.wait_status));
	assert_string_equal(buf_text(&lines),
		"init_module: kills the process (kernel replacement: nothing honest tries it)\n");
}

static void writing_where_it_is_closed_is_named(void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	AUTO_BUF lines = {0};
	char expected[5000];
	struct sandbox_exit end = explain_script(
		fixture, "cd /etc; echo x >./../etc/new || true; cd; echo x >fine", &lines);

	assert_int_equal(end.wait_status, 0);
	(void)snprintf(expected, sizeof(expected),
		"openat /etc/new: may not be written (%s); writable are $HOME and $TMPDIR\n",
		fixture_has_namespaces(fixture) ? "mounts, landlock" : "landlock");
	assert_string_equal(buf_text(&lines), expected);
}

static void what_is_hidden_is_named(void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	AUTO_BUF lines = {0};
	char script[400];
	char expected[5000];

	(void)snprintf(script, sizeof(script), "cat '%s/secret' || exit 5", fixture->other);
	assert_int_equal(explain_script(fixture, script, &lines).wait_status, 5 << 8);
	(void)snprintf(expected, sizeof(expected),
		"openat %s/secret: %s; to grant it, name its directory as readable\n",
		fixture->other,
		fixture_has_namespaces(fixture) ? "not there inside (mounts)"
						: "may not be read (landlock)");
	assert_string_equal(buf_text(&lines), expected);
}

static void a_quiet_command_has_nothing_to_explain(void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_BUILD);
	AUTO_BUF lines = {0};
	struct sandbox_exit end = explain_script(
		fixture, "cat own; ls /usr >list; sh -c 'exit 6'", &lines);

	assert_int_equal(end.wait_status, 6 << 8);
	assert_string_equal(buf_text(&lines), "");
}

static void what_cannot_be_executed_is_an_error_here_too(void **state)
{
	const char *const argv[] = {"./missing", NULL};
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	struct sandbox_command command = fixture_command(argv);
	struct sandbox_exit end;
	AUTO_BUF lines = {.bytes_max = 1000};
	struct err err = {0};

	assert_int_equal(sandbox_explain(&fixture->cell, &command,
				 io_now_ns() + FIXTURE_PATIENCE_NS, &lines, &end, &err),
		-1);
	assert_string_equal(err.text, "cannot execute './missing': No such file or directory");
	fixture_expect(fixture, "echo next", "next\n");
}

static void at_the_deadline_it_is_over(void **state)
{
	const char *const argv[] = {"sleep", "100", NULL};
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	struct sandbox_command command = fixture_command(argv);
	struct sandbox_exit end;
	AUTO_BUF lines = {.bytes_max = 1000};
	struct err err = {0};

	assert_int_equal(sandbox_explain(&fixture->cell, &command, io_now_ns() + 300000000, &lines,
				 &end, &err),
		-1);
	assert_int_equal(err.kind, ERR_LIMIT);
	assert_int_equal(fixture_population(fixture), 0);
}

static void paths_are_normalized(void **state)
{
	static const char *const pairs[][2] = {
		{"/", "/"},
		{"//a//b/", "/a/b"},
		{"/a/./b/../c", "/a/c"},
		{"/../../etc", "/etc"},
		{"/a/..", "/"},
		{"/a/...", "/a/..."},
		{"/ab/../abc/../x", "/x"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		char path[64];

		(void)snprintf(path, sizeof(path), "%s", pairs[i][0]);
		explain_paths_normalize(path);
		assert_string_equal(path, pairs[i][1]);
	}
}

#define CASES(tier)                                                               \
	FIXTURE_CASE(tier, refused_calls_are_named_with_the_policy_line),         \
		FIXTURE_CASE(tier, a_refusal_met_often_is_named_once),            \
		FIXTURE_CASE(tier, refused_arguments_are_shown),                  \
		FIXTURE_CASE(tier, calls_nobody_listed_are_numbers),              \
		FIXTURE_CASE(tier, a_killing_call_is_named_and_kills),            \
		FIXTURE_CASE(tier, writing_where_it_is_closed_is_named),          \
		FIXTURE_CASE(tier, what_is_hidden_is_named),                      \
		FIXTURE_CASE(tier, a_quiet_command_has_nothing_to_explain),       \
		FIXTURE_CASE(tier, what_cannot_be_executed_is_an_error_here_too), \
		FIXTURE_CASE(tier, at_the_deadline_it_is_over)

static int run_for_user(void)
{
	const struct CMUnitTest tests[] = {CASES(SANDBOX_TIER_USERNS), CASES(SANDBOX_TIER_FLAT),
		cmocka_unit_test(paths_are_normalized)};

	return cmocka_run_group_tests_name("an ordinary user's cells", tests, NULL, NULL);
}

static int run_for_root(void)
{
	const struct CMUnitTest tests[] = {CASES(SANDBOX_TIER_ROOT), CASES(SANDBOX_TIER_UID)};

	return cmocka_run_group_tests_name("root's cells", tests, NULL, NULL);
}

int main(void)
{
	int failed = fixture_as_user(run_for_user);

	return geteuid() == 0 ? failed + run_for_root() : failed;
}
