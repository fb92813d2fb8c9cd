#include "tests/unit/sandbox_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>

/* A process that left its session and its parent, ignores what can be ignored, and holds `fd`. */
#define DAEMON                                                                                 \
	"setsid sh -c 'trap \"\" HUP INT TERM; (while :; do sleep 100; done) & exit' & wait; " \
	"exit 0"

static int wait_closed(int fd)
{
	struct pollfd end = {.fd = fd, .events = POLLIN};

	return poll(&end, 1, 20000) == 1 && (end.revents & POLLHUP) != 0 ? 0 : -1;
}

static void what_a_command_leaves_behind_is_counted_and_killed(void **state)
{
	const char *const argv[] = {"sh", "-c", DAEMON, NULL};
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	struct sandbox_command command = fixture_command(argv);
	struct sandbox_process process;
	struct err err = {0};
	int alive[2];

	assert_int_equal(io_pipe(alive, &err), 0);
	command.fds[0].fd = alive[1];
	command.fds[0].as = 9;
	command.fds_count = 1;
	fixture_start(fixture, &command, &process);
	(void)close(alive[1]);
	assert_int_equal(fixture_wait(fixture, &process).wait_status, 0);
	assert_in_range(fixture_population(fixture), 1, 3);
	if (sandbox_kill_all(&fixture->cell, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(fixture_population(fixture), 0);
	assert_int_equal(wait_closed(alive[0]), 0);
	(void)close(alive[0]);
	/* The cell serves on. */
	fixture_expect(fixture, "echo next", "next\n");
}

static void a_storm_of_forks_is_killed(void **state)
{
	/* Each process leaves its session and is replaced by two, up to the limit of the uid. */
	const char *const argv[] = {"sh", "-c",
		"ulimit -u 150 2>/dev/null; f() { setsid sh -c \"$1\" \"$1\" \"$1\" & setsid sh -c "
		"\"$1\" \"$1\" \"$1\" & }; "
		"s='while :; do setsid sh -c \"$0\" \"$0\" 2>/dev/null & sleep 0.01; done'; "
		"sh -c \"$s\" \"$s\" 2>/dev/null & wait",
		NULL};
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	struct sandbox_command command = fixture_command(argv);
	struct sandbox_process process;
	struct err err = {0};

	fixture_start(fixture, &command, &process);
	while (fixture_population(fixture) < 30)
		continue;
	if (sandbox_kill_all(&fixture->cell, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(fixture_population(fixture), 0);
	(void)fixture_wait(fixture, &process);
}

static void closing_ends_everything(void **state)
{
	const char *const argv[] = {"sh", "-c", DAEMON, NULL};
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	struct sandbox_command command = fixture_command(argv);
	struct sandbox_process process;
	struct err err = {0};
	int alive[2];

	assert_int_equal(io_pipe(alive, &err), 0);
	command.fds[0].fd = alive[1];
	command.fds[0].as = 9;
	command.fds_count = 1;
	fixture_start(fixture, &command, &process);
	(void)close(alive[1]);
	sandbox_forget(&process);
	fixture->opened = false;
	if (sandbox_close(&fixture->cell, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(wait_closed(alive[0]), 0);
	(void)close(alive[0]);
}

static void a_file_put_in_place_from_outside_shows_at_once(void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);

	fixture_expect(fixture, "cat own", "of this side");
	fixture_put(fixture->tree, "own", "relinked");
	fixture_expect(fixture, "cat own", "relinked");
}

static void one_side_cannot_see_the_other(void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	char script[400];
	AUTO_BUF output = {0};

	(void)snprintf(script, sizeof(script), "cat '%s/secret' || ls '%s'", fixture->other,
		fixture->other);
	assert_int_not_equal(fixture_shell(fixture, script, &output), 0);
	assert_null(strstr(buf_text(&output), "of the other side"));
}

static void a_private_loopback_where_there_are_namespaces(void **state)
{
	static const char script[] =
		"perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(LocalAddr => \"127.0.0.1\","
		" Listen => 1) or die; IO::Socket::INET->new(PeerAddr => \"127.0.0.1\", PeerPort =>"
		" $s->sockport) or die; print \"connected\\n\"'";
	struct fixture *fixture = *state;
	struct err err = {0};

	fixture->room.loopback = true;
	if (fixture_has_namespaces(fixture) || fixture->place[0] == '\0') {
		fixture_expect(fixture_open(state, SANDBOX_RUN), script, "connected\n");
		return;
	}
	fixture->room.tree = fixture->tree;
	assert_int_equal(sandbox_open(&fixture->cell, &fixture->machine, &fixture->room, &err), -1);
	assert_int_equal(err.kind, ERR_CONFINE);
	assert_non_null(strstr(err.text, "a private loopback needs a network namespace"));
}

static void without_loopback_there_are_no_internet_sockets(void **state)
{
	fixture_expect(fixture_open(state, SANDBOX_RUN),
		"perl -MSocket -e 'socket(my $s, AF_INET, SOCK_STREAM, 0) or print \"$!\\n\"'",
		"Address family not supported by protocol\n");
}

static void further_directories_are_readable_at_their_own_path(void **state)
{
	struct fixture *fixture = *state;
	char library[128];
	char script[400];

	if (fixture->place[0] == '\0')
		skip();
	(void)snprintf(library, sizeof(library), "%s/tools dir", fixture->place);
	assert_int_equal(mkdir(library, 0755), 0);
	fixture_put(library, "tool", "#!/bin/sh\necho tool\n");
	fixture->room.readable[0] = library;
	fixture_open(state, SANDBOX_BUILD);
	(void)snprintf(script, sizeof(script),
		"sh '%s/tool'; (echo x >'%s/new') 2>/dev/null || echo refused", library, library);
	fixture_expect(fixture, script, "tool\nrefused\n");
}

static void a_readable_directory_may_not_hold_the_trees(void **state)
{
	struct fixture *fixture = *state;
	struct err err = {0};

	if (fixture->place[0] == '\0')
		skip();
	fixture->room.tree = fixture->tree;
	fixture->room.readable[0] = fixture->place;
	assert_int_equal(sandbox_open(&fixture->cell, &fixture->machine, &fixture->room, &err), -1);
	assert_non_null(strstr(err.text, "holds the trees"));
	fixture->room.readable[0] = "/";
	assert_int_equal(sandbox_open(&fixture->cell, &fixture->machine, &fixture->room, &err), -1);
	assert_non_null(strstr(err.text, "holds the trees"));
}

static void a_tree_that_is_not_there_is_named(void **state)
{
	struct fixture *fixture = *state;
	struct err err = {0};

	if (fixture->place[0] == '\0')
		skip();
	fixture->room.tree = "/no/such/tree";
	assert_int_equal(sandbox_open(&fixture->cell, &fixture->machine, &fixture->room, &err), -1);
	assert_string_equal(err.text, "tree: /no/such/tree: No such file or directory");
	fixture->room.tree = "relative";
	assert_int_equal(sandbox_open(&fixture->cell, &fixture->machine, &fixture->room, &err), -1);
	assert_string_equal(err.text, "tree: 'relative' is not an absolute path");
}

static void a_killed_keeper_is_an_error_and_leaves_nothing(void **state)
{
	const char *const argv[] = {"sh", "-c", DAEMON, NULL};
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	struct sandbox_command command = fixture_command(argv);
	struct sandbox_process process;
	struct err err = {0};
	int alive[2];

	assert_int_equal(io_pipe(alive, &err), 0);
	command.fds[0].fd = alive[1];
	command.fds[0].as = 9;
	command.fds_count = 1;
	fixture_start(fixture, &command, &process);
	(void)close(alive[1]);
	(void)fixture_wait(fixture, &process);
	assert_int_equal(kill(fixture->cell.keeper_pid, SIGKILL), 0);
	assert_int_equal(sandbox_start(&fixture->cell, &command, &process, &err), -1);
	assert_int_equal(err.kind, ERR_OS);
	fixture->opened = false;
	if (sandbox_close(&fixture->cell, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(wait_closed(alive[0]), 0);
	(void)close(alive[0]);
}

static void a_keeper_that_hangs_does_not_hang_us(void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	struct err err = {0};
	unsigned count;

	/* From outside its namespace the first process can be stopped. */
	assert_int_equal(kill(fixture->cell.keeper_pid, SIGSTOP), 0);
	fixture->cell.patience_ns = 20000000;
	assert_int_equal(sandbox_population(&fixture->cell, &count, &err), -1);
	assert_int_equal(err.kind, ERR_CONFINE);
	assert_string_equal(err.text, "keeper of the cell: no answer before the deadline");
	/* From now on it is not even asked: a late answer would be taken for the next. */
	assert_int_equal(sandbox_population(&fixture->cell, &count, &err), -1);
	assert_int_equal(err.kind, ERR_OS);
	fixture->opened = false;
	if (sandbox_close(&fixture->cell, &err) < 0)
		fail_msg("%s", err.text);
}

/* In a child: a cell with a daemon in it, which holds the writing end of `alive`; then tell and
 * wait to be killed. */
static void be_a_supervisor(struct fixture *fixture, const int alive[2], int ready)
{
	const char *const argv[] = {"sh", "-c", DAEMON, NULL};
	struct sandbox_command command = fixture_command(argv);
	struct sandbox_process process = {0};
	struct sandbox_exit end;
	struct err err;

	command.fds[0].fd = alive[1];
	command.fds[0].as = 9;
	command.fds_count = 1;
	if (sandbox_open(&fixture->cell, &fixture->machine, &fixture->room, &err) == 0 &&
		sandbox_start(&fixture->cell, &command, &process, &err) == 0 &&
		sandbox_wait(&fixture->cell, &process, io_now_ns() + FIXTURE_PATIENCE_NS, &end,
			&err) == 0 &&
		io_write_all(ready, "r", 1, &err) == 0)
		(void)close(ready);
	for (;;)
		(void)pause();
}

static void everything_dies_with_the_supervisor(void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	struct err err = {0};
	int alive[2];
	int ready[2];
	char byte;
	pid_t child;

	assert_int_equal(io_pipe(alive, &err), 0);
	assert_int_equal(io_pipe(ready, &err), 0);
	child = fork();
	if (child == 0)
		be_a_supervisor(fixture, alive, ready[1]);
	(void)close(alive[1]);
	(void)close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(wait_closed(alive[0]), 0);
	(void)close(alive[0]);
	(void)close(ready[0]);
}

static void many_cells_at_once_are_independent(void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_BUILD);
	struct sandbox_cell *other = calloc(1, sizeof(*other));
	struct sandbox_room room = fixture->room;
	struct err err = {0};
	const char *const argv[] = {"sleep", "100", NULL};
	struct sandbox_command command = fixture_command(argv);
	struct sandbox_process process = {0};
	unsigned count = 0;

	assert_non_null(other);
	room.profile = SANDBOX_RUN;
	room.side = SANDBOX_CANDIDATE;
	room.tree = fixture->other;
	room.scratch = NULL;
	assert_int_equal(sandbox_open(other, &fixture->machine, &room, &err), 0);
	assert_int_equal(sandbox_start(other, &command, &process, &err), 0);
	assert_int_equal(fixture_population(fixture), 0);
	assert_int_equal(sandbox_kill_all(&fixture->cell, &err), 0);
	assert_int_equal(sandbox_population(other, &count, &err), 0);
	assert_int_equal(count, 1);
	sandbox_forget(&process);
	if (sandbox_close(other, &err) < 0)
		fail_msg("%s", err.text);
	free(other);
}

static void the_keeper_shows_no_command_line(void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_RUN);
	char path[64];
	char text[4096];
	ssize_t got;
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%d/cmdline", fixture->cell.keeper_pid);
	fd = open(path, O_RDONLY);
	got = read(fd, text, sizeof(text));
	(void)close(fd);
	assert_true(got >= 0);
	for (ssize_t i = 0; i < got; i++)
		assert_int_equal(text[i], 0);
}

static void the_callers_umask_and_signals_change_nothing(void **state)
{
	struct fixture *fixture = *state;
	mode_t before = umask(077);
	struct err err = {0};

	assert_true(signal(SIGCHLD, SIG_IGN) != SIG_ERR);
	assert_true(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
	fixture_open(state, SANDBOX_BUILD);
	fixture_expect(fixture, "echo x >new && cat new; umask; yes | head -n 1", "x\n0022\ny\n");
	fixture->opened = false;
	if (sandbox_close(&fixture->cell, &err) < 0)
		fail_msg("%s", err.text);
	assert_true(signal(SIGCHLD, SIG_DFL) != SIG_ERR);
	assert_true(signal(SIGPIPE, SIG_DFL) != SIG_ERR);
	(void)umask(before);
}

#define CASES(tier)                                                                     \
	FIXTURE_CASE(tier, what_a_command_leaves_behind_is_counted_and_killed),         \
		FIXTURE_CASE(tier, a_storm_of_forks_is_killed),                         \
		FIXTURE_CASE(tier, closing_ends_everything),                            \
		FIXTURE_CASE(tier, a_file_put_in_place_from_outside_shows_at_once),     \
		FIXTURE_CASE(tier, one_side_cannot_see_the_other),                      \
		FIXTURE_CASE(tier, a_private_loopback_where_there_are_namespaces),      \
		FIXTURE_CASE(tier, without_loopback_there_are_no_internet_sockets),     \
		FIXTURE_CASE(tier, further_directories_are_readable_at_their_own_path), \
		FIXTURE_CASE(tier, a_readable_directory_may_not_hold_the_trees),        \
		FIXTURE_CASE(tier, a_tree_that_is_not_there_is_named),                  \
		FIXTURE_CASE(tier, a_killed_keeper_is_an_error_and_leaves_nothing),     \
		FIXTURE_CASE(tier, a_keeper_that_hangs_does_not_hang_us),               \
		FIXTURE_CASE(tier, everything_dies_with_the_supervisor),                \
		FIXTURE_CASE(tier, many_cells_at_once_are_independent),                 \
		FIXTURE_CASE(tier, the_keeper_shows_no_command_line),                   \
		FIXTURE_CASE(tier, the_callers_umask_and_signals_change_nothing)

static int run_for_user(void)
{
	const struct CMUnitTest tests[] = {CASES(SANDBOX_TIER_USERNS), CASES(SANDBOX_TIER_FLAT)};

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
