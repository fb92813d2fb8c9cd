#include "tests/unit/sandbox_fixture.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>

static void a_command_runs_in_its_tree(void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_BUILD);
	AUTO_BUF output = {0};
	char expected[5000];

	(void)snprintf(expected, sizeof(expected), "%s\n", fixture->cell.tree);
	fixture_expect(fixture, "pwd", expected);
	assert_int_equal(fixture_shell(fixture, "exit 7", &output), 7 << 8);
}

static void a_build_writes_its_tree(void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_BUILD);
	struct stat made;
	char path[256];

	fixture_expect(
		fixture, "echo x >made && mkdir -p a/b && mv made a/b && cat a/b/made", "x\n");
	(void)snprintf(path, sizeof(path), "%s/a/b/made", fixture->tree);
	assert_int_equal(stat(path, &made), 0);
	assert_int_equal(made.st_mode & 0777, 0644);
}

static void a_worker_cannot_write_its_tree(void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);

	fixture_expect(fixture,
		"cat own; (echo x >made) 2>/dev/null || (echo x >own) 2>/dev/null ||"
		" rm -f own 2>/dev/null || mkdir d 2>/dev/null || echo refused",
		"of this siderefused\n");
}

static void scratch_and_tmp_are_writable(void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);

	fixture_expect(fixture, "echo a >\"$TMPDIR/f\" && echo b >\"$HOME/g\" && cat \"$TMPDIR/f\"",
		"a\n");
}

static void the_environment_is_built_from_nothing(void **state)
{
	const char *const argv[] = {"env", NULL};
	const char *const added[] = {"DUEL_IN=3", "TZ=Asia/Tokyo", "DUEL_IN=4", NULL};
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	struct sandbox_command command = fixture_command(argv);
	AUTO_BUF output = {0};
	char expected[9000];

	assert_int_equal(setenv("DUEL_TEST_TOKEN", "secret", 1), 0);
	command.env = added;
	assert_int_equal(fixture_run_command(fixture, &command, &output), 0);
	(void)snprintf(expected, sizeof(expected),
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\nHOME=%s\n"
		"TMPDIR=%s\nLANG=C.UTF-8\nCI=true\nTZ=Asia/Tokyo\nDUEL_IN=4\n",
		fixture->cell.scratch,
		fixture_has_namespaces(fixture) ? "/tmp" : fixture->cell.scratch);
	assert_string_equal(buf_text(&output), expected);
}

static void only_the_named_descriptors_are_open(void **state)
{
	const char *const argv[] = {"sh", "-c", "ls /proc/self/fd; cat <&5; echo; cat <&4", NULL};
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	struct sandbox_command command = fixture_command(argv);
	AUTO_BUF output = {0};
	struct err err;
	int first[2];
	int second[2];
	int stray = open("/dev/null", O_RDONLY); /* not close-on-exec */

	assert_int_equal(io_pipe(first, &err), 0);
	assert_int_equal(io_pipe(second, &err), 0);
	assert_int_equal(io_write_all(first[1], "first", 5, &err), 0);
	assert_int_equal(io_write_all(second[1], "second", 6, &err), 0);
	(void)close(first[1]);
	(void)close(second[1]);
	command.fds[0].fd = first[0];
	command.fds[0].as = 5;
	command.fds[1].fd = second[0];
	command.fds[1].as = 4;
	command.fds_count = 2;
	assert_int_equal(fixture_run_command(fixture, &command, &output), 0);
	/* ls opens the directory at 3. */
	assert_string_equal(buf_text(&output), "0\n1\n2\n3\n4\n5\nfirst\nsecond");
	(void)close(first[0]);
	(void)close(second[0]);
	(void)close(stray);
}

static void the_standard_pipes_can_be_opened_by_name(void **state)
{
	fixture_expect(fixture_open(state, SANDBOX_RUN),
		"echo a >/dev/stderr; echo b >/dev/stdout; echo c >/dev/fd/1", "a\nb\nc\n");
}

static void expect_start_error(struct fixture *fixture, const struct sandbox_command *command,
	enum err_kind kind, const char *text)
{
	struct sandbox_process process = {0};
	struct err err = {0};

	assert_int_equal(sandbox_start(&fixture->cell, command, &process, &err), -1);
	assert_string_equal(err.text, text);
	assert_int_equal(err.kind, kind);
}

static void what_cannot_be_executed_is_named(void **state)
{
	const char *const missing[] = {"./bench", NULL};
	const char *const unknown[] = {"no-such-program", NULL};
	const char *const closed[] = {"./own", NULL};
	const char *const script[] = {"./script", NULL};
	const char *const empty[] = {NULL};
	const char *const fine[] = {"true", NULL};
	struct fixture *fixture = fixture_open(state, SANDBOX_BUILD);
	struct sandbox_command command = fixture_command(missing);

	expect_start_error(fixture, &command, ERR_BENCH,
		"cannot execute './bench': No such file or directory");
	command.argv = unknown;
	expect_start_error(fixture, &command, ERR_BENCH,
		"cannot execute 'no-such-program': No such file or directory");
	command.argv = closed;
	expect_start_error(
		fixture, &command, ERR_BENCH, "cannot execute './own': Permission denied");
	command.argv = empty;
	expect_start_error(fixture, &command, ERR_BENCH, "an empty command cannot be executed");
	fixture_expect(fixture, "printf '#!/no/such\\n' >script && chmod 755 script", "");
	command.argv = script;
	expect_start_error(fixture, &command, ERR_BENCH,
		"cannot execute './script': the interpreter or loader it asks for is missing");
	command.argv = fine;
	command.cwd = "nowhere";
	expect_start_error(fixture, &command, ERR_BENCH,
		"cannot enter the directory 'nowhere': No such file or directory");
	/* The cell is as good as before. */
	fixture_expect(fixture, "echo fine", "fine\n");
}

static void arguments_have_a_limit(void **state)
{
	static char long_argument[SANDBOX_ARGS_BYTES_MAX + 10000];
	const char *const argv[] = {"true", long_argument, NULL};
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	struct sandbox_command command = fixture_command(argv);
	struct sandbox_process process = {0};
	struct err err = {0};

	memset(long_argument, 'x', sizeof(long_argument) - 1);
	assert_int_equal(sandbox_start(&fixture->cell, &command, &process, &err), -1);
	assert_int_equal(err.kind, ERR_LIMIT);
	long_argument[100000] = '\0';
	assert_int_equal(fixture_run_command(fixture, &command, NULL), 0);
}

static void a_deadline_does_not_kill(void **state)
{
	const char *const argv[] = {"sleep", "1000", NULL};
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	const struct sandbox_command command = fixture_command(argv);
	struct sandbox_process process;
	struct sandbox_exit end;
	struct err err = {0};

	fixture_start(fixture, &command, &process);
	assert_int_equal(
		sandbox_wait(&fixture->cell, &process, io_now_ns() + 1000000, &end, &err), -1);
	assert_int_equal(err.kind, ERR_LIMIT);
	assert_int_equal(fixture_population(fixture), 1);
	assert_int_equal(sandbox_kill_all(&fixture->cell, &err), 0);
	end = fixture_wait(fixture, &process);
	assert_true(WIFSIGNALED(end.wait_status));
	assert_int_equal(WTERMSIG(end.wait_status), SIGKILL);
}

static void usage_and_cpu_time_are_read_from_outside(void **state)
{
	const char *const argv[] = {"sh", "-c", "while :; do :; done", NULL};
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	struct sandbox_command command = fixture_command(argv);
	struct sandbox_process process;
	struct sandbox_exit end;
	struct err err = {0};
	uint64_t spent_ns = 0;

	command.cpu_seconds = 1;
	fixture_start(fixture, &command, &process);
	while (spent_ns < 100000000)
		assert_int_equal(sandbox_cpu_ns(&process, &spent_ns, &err), 0);
	end = fixture_wait(fixture, &process);
	/* RLIMIT_CPU, soft and hard at once, kills; the kernel looks at it now and then only. */
	assert_true(WIFSIGNALED(end.wait_status));
	assert_in_range(end.usage.ru_utime.tv_sec * 1000000 + end.usage.ru_utime.tv_usec +
				end.usage.ru_stime.tv_sec * 1000000 + end.usage.ru_stime.tv_usec,
		300000, 5000000);
	assert_int_equal(sandbox_cpu_ns(&process, &spent_ns, &err), -1);
}

static void two_commands_end_in_any_order(void **state)
{
	const char *const quick[] = {"sh", "-c", "exit 1", NULL};
	const char *const slow[] = {"sh", "-c", "read x; exit 2", NULL};
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	struct sandbox_command first = fixture_command(slow);
	struct sandbox_command second = fixture_command(quick);
	struct sandbox_process processes[2];
	struct err err;
	int ends[2];

	assert_int_equal(io_pipe(ends, &err), 0);
	first.stdin_fd = ends[0];
	fixture_start(fixture, &first, &processes[0]);
	fixture_start(fixture, &second, &processes[1]);
	assert_int_equal(fixture_wait(fixture, &processes[1]).wait_status, 1 << 8);
	(void)close(ends[0]);
	(void)close(ends[1]);
	assert_int_equal(fixture_wait(fixture, &processes[0]).wait_status, 2 << 8);
}

static void the_processor_the_stack_and_the_addresses_are_fixed(void **state)
{
	const char *const argv[] = {"sh", "-c",
		"grep Cpus_allowed_list /proc/self/status; ulimit -s; cat /proc/self/personality"
		" 2>/dev/null; grep -c stack /proc/self/maps",
		NULL};
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	struct sandbox_command command = fixture_command(argv);
	AUTO_BUF first = {0};
	AUTO_BUF second = {0};
	const char *const maps[] = {"sh", "-c", "grep stack /proc/self/maps", NULL};
	cpu_set_t allowed;
	int cpu = 0;
	char expected[64];

	assert_int_equal(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
	while (!CPU_ISSET((size_t)cpu, &allowed))
		cpu++;
	command.cpu = cpu;
	command.stack_bytes = 6 << 20;
	command.same_addresses = true;
	assert_int_equal(fixture_run_command(fixture, &command, &first), 0);
	(void)snprintf(expected, sizeof(expected), "Cpus_allowed_list:\t%d\n6144\n", cpu);
	assert_memory_equal(buf_text(&first), expected, strlen(expected));
	command.argv = maps;
	assert_int_equal(fixture_run_command(fixture, &command, &first), 0);
	assert_int_equal(fixture_run_command(fixture, &command, &second), 0);
	assert_string_equal(buf_text(&first), buf_text(&second));
}

static void limits_hold(void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);

	fixture_expect(fixture, "ulimit -c; ulimit -n; ulimit -f", "0\n4096\n2097152\n");
}

static void an_exit_reads_well(void **state)
{
	char text[64];

	(void)state;
	sandbox_describe_exit(3 << 8, text, sizeof(text));
	assert_string_equal(text, "exit status 3");
	sandbox_describe_exit(SIGSEGV | 0x80, text, sizeof(text));
	assert_string_equal(text, "killed by SIGSEGV");
	sandbox_describe_exit(40, text, sizeof(text));
	assert_string_equal(text, "killed by signal 40");
}

#define CASES(tier)                                                                      \
	FIXTURE_CASE(tier, a_command_runs_in_its_tree),                                  \
		FIXTURE_CASE(tier, a_build_writes_its_tree),                             \
		FIXTURE_CASE(tier, a_worker_cannot_write_its_tree),                      \
		FIXTURE_CASE(tier, scratch_and_tmp_are_writable),                        \
		FIXTURE_CASE(tier, the_environment_is_built_from_nothing),               \
		FIXTURE_CASE(tier, only_the_named_descriptors_are_open),                 \
		FIXTURE_CASE(tier, the_standard_pipes_can_be_opened_by_name),            \
		FIXTURE_CASE(tier, what_cannot_be_executed_is_named),                    \
		FIXTURE_CASE(tier, arguments_have_a_limit),                              \
		FIXTURE_CASE(tier, a_deadline_does_not_kill),                            \
		FIXTURE_CASE(tier, usage_and_cpu_time_are_read_from_outside),            \
		FIXTURE_CASE(tier, two_commands_end_in_any_order),                       \
		FIXTURE_CASE(tier, the_processor_the_stack_and_the_addresses_are_fixed), \
		FIXTURE_CASE(tier, limits_hold)

static int run_for_user(void)
{
	const struct CMUnitTest tests[] = {CASES(SANDBOX_TIER_USERNS), CASES(SANDBOX_TIER_FLAT)};

	return cmocka_run_group_tests_name("an ordinary user's cells", tests, NULL, NULL);
}

static int run_for_root(void)
{
	const struct CMUnitTest tests[] = {CASES(SANDBOX_TIER_ROOT), CASES(SANDBOX_TIER_UID),
		cmocka_unit_test(an_exit_reads_well)};

	return cmocka_run_group_tests_name("root's cells", tests, NULL, NULL);
}

int main(void)
{
	int failed = fixture_as_user(run_for_user);

	return geteuid() == 0 ? failed + run_for_root() : failed;
}
