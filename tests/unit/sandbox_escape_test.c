/*
 * Each verb of tests/escape/probe.c in each tier: it works unconfined (the control), and fails in a
 * cell with exactly this errno. Then each layer with the others left out.
 */
#include "tests/unit/sandbox_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>

#define WORKS 0
#define KILLED (1000 + SIGSYS)

struct world {
	char directory[96];
	char probe[PATH_MAX];
	pid_t outsider;
	in_port_t port;
	int listeners[4];
};

/* The case's subject. */
struct attempt {
	enum sandbox_tier tier; /* first: the fixture reads it */
	const char *verb;
	int expected;
	unsigned without;
	const struct world *world;
};

/* What each tier answers. What works is inside the cell's own namespace, but for two rows, which
 * are what the weak tiers leave open (sandbox/README.md). */
static const struct {
	const char *verb;
	int flat, uid, userns, root;
} rows[] = {
	{"read_file", EACCES, EACCES, ENOENT, ENOENT},
	{"write_file", EACCES, EACCES, ENOENT, ENOENT},
	{"truncate_file", EACCES, EACCES, ENOENT, ENOENT},
	{"create_file", EACCES, EACCES, ENOENT, ENOENT},
	{"change_mode", WORKS, EPERM, ENOENT, ENOENT}, /* left open */
	{"link_file", EXDEV, EXDEV, ENOENT, ENOENT},
	{"rename_file", EACCES, EACCES, ENOENT, ENOENT},
	{"remove_file", EACCES, EACCES, ENOENT, ENOENT},
	{"write_through_link", EACCES, EACCES, ENOENT, ENOENT},
	{"run_program", EACCES, EACCES, ENOENT, ENOENT},
	{"read_environment", EACCES, EACCES, ENOENT, ENOENT},
	{"read_memory", EACCES, EACCES, ENOENT, ENOENT},
	{"read_command_line", WORKS, WORKS, ENOENT, ENOENT}, /* left open */
	{"trace", EPERM, EPERM, EPERM, EPERM},
	{"copy_memory", EPERM, EPERM, EPERM, EPERM},
	{"send_signal", EPERM, EPERM, ESRCH, ESRCH},
	{"send_by_pidfd", EPERM, EPERM, ESRCH, ESRCH},
	{"signal_everybody", EPERM, EPERM, EPERM, EPERM},
	{"limit_process", EPERM, EPERM, EPERM, EPERM},
	{"move_process", EPERM, EPERM, EPERM, EPERM},
	{"slow_process", EPERM, EPERM, EPERM, EPERM},
	{"own_signal", EPERM, EPERM, EPERM, EPERM},
	{"lease", EPERM, EPERM, EPERM, EPERM},
	{"tcp", EAFNOSUPPORT, EAFNOSUPPORT, EAFNOSUPPORT, EAFNOSUPPORT},
	{"udp", EAFNOSUPPORT, EAFNOSUPPORT, EAFNOSUPPORT, EAFNOSUPPORT},
	{"netlink", EAFNOSUPPORT, EAFNOSUPPORT, EAFNOSUPPORT, EAFNOSUPPORT},
	{"unix_path", EAFNOSUPPORT, EAFNOSUPPORT, ENOENT, ENOENT},
	{"unix_abstract", EAFNOSUPPORT, EAFNOSUPPORT, ECONNREFUSED, ECONNREFUSED},
	{"unix_pair", EPROTONOSUPPORT, EPROTONOSUPPORT, ENOENT, ENOENT},
	{"new_namespace", EPERM, EPERM, EPERM, EPERM},
	{"clone_namespace", EPERM, EPERM, EPERM, EPERM},
	{"clone_unchecked", ENOSYS, ENOSYS, ENOSYS, ENOSYS},
	{"uring", ENOSYS, ENOSYS, ENOSYS, ENOSYS},
	{"count_events", EPERM, EPERM, EPERM, EPERM},
	{"keyring", EPERM, EPERM, EPERM, EPERM},
	{"fault_handler", EPERM, EPERM, EPERM, EPERM},
	{"load_module", KILLED, KILLED, KILLED, KILLED},
	{"foreign_call", KILLED, KILLED, KILLED, KILLED},
	{"inherited", EBADF, EBADF, EBADF, EBADF},
	{"shared_memory", ENOSYS, ENOSYS, WORKS, WORKS}, /* the cell's own */
	{"shared_file", EACCES, EACCES, WORKS, WORKS},   /* the cell's own */
	{"privileges", EPERM, EPERM, EPERM, EPERM},
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

#define ONLY_LANDLOCK SANDBOX_WITHOUT_SECCOMP
#define ONLY_SECCOMP SANDBOX_WITHOUT_LANDLOCK
#define ONLY_NAMESPACES (SANDBOX_WITHOUT_SECCOMP | SANDBOX_WITHOUT_LANDLOCK)
#define ONLY_UID (SANDBOX_WITHOUT_SECCOMP | SANDBOX_WITHOUT_LANDLOCK)

static const struct {
	const char *name;
	enum sandbox_tier tier;
	unsigned without;
	const char *verb;
	int expected;
} alone[] = {
	{"landlock alone", SANDBOX_TIER_FLAT, ONLY_LANDLOCK, "read_file", EACCES},
	{"landlock alone", SANDBOX_TIER_FLAT, ONLY_LANDLOCK, "write_file", EACCES},
	{"landlock alone", SANDBOX_TIER_FLAT, ONLY_LANDLOCK, "truncate_file", EACCES},
	{"landlock alone", SANDBOX_TIER_FLAT, ONLY_LANDLOCK, "run_program", EACCES},
	{"landlock alone", SANDBOX_TIER_FLAT, ONLY_LANDLOCK, "read_environment", EACCES},
	{"landlock alone", SANDBOX_TIER_FLAT, ONLY_LANDLOCK, "trace", EPERM},
	{"landlock alone", SANDBOX_TIER_FLAT, ONLY_LANDLOCK, "copy_memory", EPERM},
	{"landlock alone", SANDBOX_TIER_FLAT, ONLY_LANDLOCK, "send_signal", EPERM},
	{"landlock alone", SANDBOX_TIER_FLAT, ONLY_LANDLOCK, "unix_abstract", EPERM},
	{"landlock alone", SANDBOX_TIER_FLAT, ONLY_LANDLOCK, "tcp", EACCES},
	{"landlock alone", SANDBOX_TIER_FLAT, ONLY_LANDLOCK, "limit_process", WORKS},
	{"seccomp alone", SANDBOX_TIER_FLAT, ONLY_SECCOMP, "tcp", EAFNOSUPPORT},
	{"seccomp alone", SANDBOX_TIER_FLAT, ONLY_SECCOMP, "unix_path", EAFNOSUPPORT},
	{"seccomp alone", SANDBOX_TIER_FLAT, ONLY_SECCOMP, "trace", EPERM},
	{"seccomp alone", SANDBOX_TIER_FLAT, ONLY_SECCOMP, "limit_process", EPERM},
	{"seccomp alone", SANDBOX_TIER_FLAT, ONLY_SECCOMP, "lease", EPERM},
	{"seccomp alone", SANDBOX_TIER_FLAT, ONLY_SECCOMP, "write_file", WORKS},
	{"own uid alone", SANDBOX_TIER_UID, ONLY_UID, "send_signal", EPERM},
	{"own uid alone", SANDBOX_TIER_UID, ONLY_UID, "read_environment", EACCES},
	{"own uid alone", SANDBOX_TIER_UID, ONLY_UID, "trace", EPERM},
	{"own uid alone", SANDBOX_TIER_UID, ONLY_UID, "change_mode", EPERM},
	{"own uid alone", SANDBOX_TIER_UID, ONLY_UID, "limit_process", EPERM},
	{"own uid alone", SANDBOX_TIER_UID, ONLY_UID, "write_file", WORKS},
	{"namespaces alone", SANDBOX_TIER_USERNS, ONLY_NAMESPACES, "write_file", ENOENT},
	{"namespaces alone", SANDBOX_TIER_USERNS, ONLY_NAMESPACES, "send_signal", ESRCH},
	{"namespaces alone", SANDBOX_TIER_USERNS, ONLY_NAMESPACES, "trace", ESRCH},
	{"namespaces alone", SANDBOX_TIER_USERNS, ONLY_NAMESPACES, "tcp", ENETUNREACH},
	{"namespaces alone", SANDBOX_TIER_USERNS, ONLY_NAMESPACES, "unix_abstract", ECONNREFUSED},
	{"namespaces alone", SANDBOX_TIER_USERNS, ONLY_NAMESPACES, "unix_path", ENOENT},
	{"namespaces alone", SANDBOX_TIER_ROOT, ONLY_NAMESPACES, "write_file", ENOENT},
	{"namespaces alone", SANDBOX_TIER_ROOT, ONLY_NAMESPACES, "send_signal", ESRCH},
	{"namespaces alone", SANDBOX_TIER_ROOT, ONLY_NAMESPACES, "lease", WORKS},
	{"without mounts", SANDBOX_TIER_ROOT, SANDBOX_WITHOUT_MOUNTS, "write_file", EACCES},
	{"without mounts", SANDBOX_TIER_ROOT, SANDBOX_WITHOUT_MOUNTS, "read_file", EACCES},
};

#define ALONE (sizeof(alone) / sizeof(alone[0]))

static int expected_in(size_t row, enum sandbox_tier tier)
{
	if (tier == SANDBOX_TIER_FLAT)
		return rows[row].flat;
	if (tier == SANDBOX_TIER_UID)
		return rows[row].uid;
	return tier == SANDBOX_TIER_USERNS ? rows[row].userns : rows[row].root;
}

static void refill(const struct world *world)
{
	char path[128];
	static const char *const files[] = {"file", "victim"};

	for (size_t i = 0; i < 2; i++) {
		fixture_put(world->directory, files[i], "somebody's");
		(void)snprintf(path, sizeof(path), "%s/%s", world->directory, files[i]);
		assert_int_equal(chmod(path, 0666), 0);
	}
}

/* A wait status as the tables write it. */
static int answer_of(int status)
{
	return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void make_arguments(
	const struct attempt *attempt, const char *probe, char numbers[2][16], const char *argv[6])
{
	(void)snprintf(numbers[0], 16, "%d", attempt->world->outsider);
	(void)snprintf(numbers[1], 16, "%u", attempt->world->port);
	argv[0] = probe;
	argv[1] = attempt->verb;
	argv[2] = attempt->world->directory;
	argv[3] = numbers[0];
	argv[4] = numbers[1];
	argv[5] = NULL;
}

/* The verb, unconfined: in a place of our own, with a descriptor nobody should inherit. */
static int try_unconfined(struct fixture *fixture, const struct attempt *attempt)
{
	char numbers[2][16];
	const char *argv[6];
	int status;
	pid_t child;

	make_arguments(attempt, attempt->world->probe, numbers, argv);
	child = fork();
	if (child == 0) {
		if (chdir(fixture->scratch) == 0 && dup2(0, 77) == 77)
			(void)execv(argv[0], (char *const *)(uintptr_t)argv);
		_exit(253);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return answer_of(status);
}

static void copy_probe(struct fixture *fixture, const struct world *world)
{
	AUTO_BUF program = {.bytes_max = 16u << 20};
	char path[256];
	struct err err = {0};

	if (io_read_file(&program, world->probe, &err) < 0)
		fail_msg("%s", err.text);
	(void)snprintf(path, sizeof(path), "%s/probe", fixture->tree);
	assert_int_equal(io_replace_file(path, program.data, program.length, 0755, &err), 0);
}

static void an_attempt_fails_as_it_should(void **state)
{
	struct fixture *fixture = *state;
	const struct attempt *attempt = fixture->subject;
	char numbers[2][16];
	const char *argv[6];
	struct sandbox_command command = fixture_command(argv);
	int answer;

	if (fixture->place[0] == '\0')
		skip();
	refill(attempt->world);
	answer = try_unconfined(fixture, attempt);
	/* The machine itself refuses it, so that nothing can be learnt here. */
	if (answer != WORKS) {
		print_message("# unconfined, %s ends with %d\n", attempt->verb, answer);
		skip();
	}
	refill(attempt->world);
	copy_probe(fixture, attempt->world);
	fixture->machine.without = attempt->without;
	fixture_open(state, SANDBOX_BUILD);
	make_arguments(attempt, "./probe", numbers, argv);
	assert_int_equal(
		answer_of(fixture_run_command(fixture, &command, NULL)), attempt->expected);
}

static int listen_at(const struct sockaddr *address, size_t length, int type)
{
	int fd = socket(address->sa_family, type | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, address, (socklen_t)length) < 0)
		return -1;
	return type == SOCK_STREAM && listen(fd, 100) < 0 ? -1 : fd;
}

static int listen_local(const char *path, int type, size_t skipped)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd;

	(void)snprintf(at.sun_path + skipped, sizeof(at.sun_path) - skipped, "%s", path);
	fd = listen_at((const struct sockaddr *)&at,
		offsetof(struct sockaddr_un, sun_path) + skipped + strlen(path), type);
	if (skipped == 0 && chmod(path, 0777) < 0)
		return -1;
	return fd;
}

static int make_listeners(struct world *world)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof(at);
	char path[128];

	world->listeners[0] = listen_at((const struct sockaddr *)&at, sizeof(at), SOCK_STREAM);
	if (world->listeners[0] < 0 ||
		getsockname(world->listeners[0], (struct sockaddr *)&at, &length) < 0)
		return -1;
	world->port = ntohs(at.sin_port);
	(void)snprintf(path, sizeof(path), "%s/socket", world->directory);
	world->listeners[1] = listen_local(path, SOCK_STREAM, 0);
	(void)snprintf(path, sizeof(path), "%s/datagrams", world->directory);
	world->listeners[2] = listen_local(path, SOCK_DGRAM, 0);
	(void)snprintf(path, sizeof(path), "duel-test-%d", world->port);
	world->listeners[3] = listen_local(path, SOCK_STREAM, 1);
	return world->listeners[1] < 0 || world->listeners[2] < 0 || world->listeners[3] < 0 ? -1
											     : 0;
}

/* The probe is built beside the test. */
static int find_probe(struct world *world)
{
	ssize_t length = readlink("/proc/self/exe", world->probe, sizeof(world->probe) - 7);

	if (length <= 0)
		return -1;
	world->probe[length] = '\0';
	(void)snprintf(strrchr(world->probe, '/'), 7, "/probe");
	return 0;
}

static int make_world(struct world *world)
{
	AUTO_BUF program = {.bytes_max = 16u << 20};
	char path[128];
	struct err err;

	(void)snprintf(world->directory, sizeof(world->directory), "/tmp/duel-world.XXXXXX");
	if (find_probe(world) < 0 || !mkdtemp(world->directory) ||
		chmod(world->directory, 0777) < 0)
		return -1;
	(void)snprintf(path, sizeof(path), "%s/program", world->directory);
	if (io_read_file(&program, world->probe, &err) < 0 ||
		io_replace_file(path, program.data, program.length, 0755, &err) < 0)
		return -1;
	/* The copy is used from here on: the build folder may be closed to an ordinary user. */
	(void)snprintf(world->probe, sizeof(world->probe), "%s", path);
	world->outsider = fork();
	if (world->outsider == 0) {
		(void)execl(path, path, "wait_to_be_killed", (char *)NULL);
		_exit(1);
	}
	return world->outsider < 0 ? -1 : make_listeners(world);
}

static void end_world(const struct world *world)
{
	struct err err;
	char path[64];

	(void)kill(world->outsider, SIGKILL);
	(void)waitpid(world->outsider, NULL, 0);
	for (size_t i = 0; i < 4; i++)
		(void)close(world->listeners[i]);
	(void)snprintf(path, sizeof(path), "/dev/shm/duel-test-%d", world->port);
	(void)unlink(path);
	if (io_remove_tree(world->directory, &err) < 0)
		print_error("%s\n", err.text);
}

static void add_case(struct CMUnitTest *test, struct attempt *attempt, const char *layers)
{
	char *name = malloc(128);

	(void)snprintf(
		name, 128, "%s, %s: %s", sandbox_tier_name(attempt->tier), layers, attempt->verb);
	*test = (struct CMUnitTest){
		name, an_attempt_fails_as_it_should, fixture_begin, fixture_end, attempt};
}

/* All the cases of two tiers. */
static int run_tiers(enum sandbox_tier first, enum sandbox_tier second)
{
	static struct attempt attempts[2 * ROWS + ALONE];
	static struct CMUnitTest tests[2 * ROWS + ALONE];
	static struct world world;
	size_t count = 0;
	int failed;

	if (make_world(&world) < 0) {
		print_error("not ok - the world outside could not be made\n");
		return 1;
	}
	for (size_t i = 0; i < 2 * ROWS; i++) {
		enum sandbox_tier tier = i < ROWS ? first : second;

		attempts[count] = (struct attempt){
			tier, rows[i % ROWS].verb, expected_in(i % ROWS, tier), 0, &world};
		add_case(&tests[count], &attempts[count], "all layers");
		count++;
	}
	for (size_t i = 0; i < ALONE; i++) {
		if (alone[i].tier != first && alone[i].tier != second)
			continue;
		attempts[count] = (struct attempt){
			alone[i].tier, alone[i].verb, alone[i].expected, alone[i].without, &world};
		add_case(&tests[count], &attempts[count], alone[i].name);
		count++;
	}
	failed = _cmocka_run_group_tests("attempts", tests, count, NULL, NULL);
	for (size_t i = 0; i < count; i++)
		free((char *)(uintptr_t)tests[i].name);
	end_world(&world);
	return failed;
}

static int run_for_user(void)
{
	return run_tiers(SANDBOX_TIER_FLAT, SANDBOX_TIER_USERNS);
}

int main(void)
{
	int failed = fixture_as_user(run_for_user);

	return geteuid() == 0 ? failed + run_tiers(SANDBOX_TIER_UID, SANDBOX_TIER_ROOT) : failed;
}
