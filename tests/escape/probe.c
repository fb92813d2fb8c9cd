/*
 * One attempt on the world outside a cell: probe VERB DIRECTORY PID PORT
 *
 * Exits with the attempt's errno, 0 where it worked. Each verb works for an unconfined process of
 * the same user, so that a refusal proves the confinement and not the attempt. Static and libc
 * only: it runs wherever a cell can run anything.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

struct world {
	const char *directory; /* somebody else's, open to everybody */
	pid_t pid;             /* a process outside */
	in_port_t port;        /* listens on 127.0.0.1 */
};

/* A name in the directory; four at once. */
static const char *name(const struct world *world, const char *file)
{
	static char paths[4][4096];
	static unsigned next;
	char *path = paths[next++ % 4];

	(void)snprintf(path, sizeof(paths[0]), "%s/%s", world->directory, file);
	return path;
}

static int result(long returned)
{
	return returned < 0 ? errno : 0;
}

static int open_as(const char *path, int flags)
{
	return result(open(path, flags | O_CLOEXEC, 0666));
}

static int read_file(const struct world *world)
{
	return open_as(name(world, "file"), O_RDONLY);
}

static int write_file(const struct world *world)
{
	return open_as(name(world, "file"), O_WRONLY | O_APPEND);
}

static int truncate_file(const struct world *world)
{
	return result(truncate(name(world, "file"), 0));
}

static int create_file(const struct world *world)
{
	return open_as(name(world, "new"), O_WRONLY | O_CREAT);
}

static int change_mode(const struct world *world)
{
	return result(chmod(name(world, "file"), 0666));
}

static int link_file(const struct world *world)
{
	(void)unlink("stolen");
	return result(link(name(world, "file"), "stolen"));
}

static int rename_file(const struct world *world)
{
	return result(rename(name(world, "victim"), "stolen"));
}

static int remove_file(const struct world *world)
{
	return result(unlink(name(world, "victim")));
}

static int write_through_link(const struct world *world)
{
	(void)unlink("link");
	if (symlink(name(world, "file"), "link") < 0)
		return 255;
	return open_as("link", O_WRONLY);
}

static int run_program(const struct world *world)
{
	char *const argv[] = {
		(char *)(size_t)name(world, "program"), (char *)(size_t) "nothing", NULL};

	return result(execv(argv[0], argv));
}

static int read_environment(const struct world *world)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%d/environ", world->pid);
	return open_as(path, O_RDONLY);
}

static int read_memory(const struct world *world)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%d/mem", world->pid);
	return open_as(path, O_RDONLY);
}

static int read_command_line(const struct world *world)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%d/cmdline", world->pid);
	return open_as(path, O_RDONLY);
}

static int trace(const struct world *world)
{
	return result(ptrace(PTRACE_SEIZE, world->pid, NULL, NULL));
}

static int copy_memory(const struct world *world)
{
	char byte;
	struct iovec here = {&byte, 1};
	struct iovec there = {NULL, 1};
	ssize_t got = process_vm_readv(world->pid, &here, 1, &there, 1, 0);

	/* Nothing is mapped at 0: who may read learns that. */
	return got < 0 && errno == EFAULT ? 0 : result(got);
}

static int send_signal(const struct world *world)
{
	return result(kill(world->pid, 0));
}

static int send_by_pidfd(const struct world *world)
{
	int pidfd = (int)syscall(SYS_pidfd_open, world->pid, 0);

	return pidfd < 0 ? errno : result(syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0));
}

static int signal_everybody(const struct world *world)
{
	(void)world;
	return result(kill(-1, 0));
}

static int limit_process(const struct world *world)
{
	struct rlimit limit;

	if (prlimit(world->pid, RLIMIT_CORE, NULL, &limit) < 0)
		return errno;
	return result(prlimit(world->pid, RLIMIT_CORE, &limit, NULL));
}

static int move_process(const struct world *world)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return 255;
	return result(sched_setaffinity(world->pid, sizeof(set), &set));
}

static int slow_process(const struct world *world)
{
	return result(setpriority(PRIO_PROCESS, (id_t)world->pid, 19));
}

static int own_signal(const struct world *world)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return 255;
	return result(fcntl(ends[0], F_SETOWN, world->pid));
}

static int lease(const struct world *world)
{
	int fd;

	(void)world;
	(void)unlink("leased");
	fd = open("leased", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	return fd < 0 ? 255 : result(fcntl(fd, F_SETLEASE, F_WRLCK));
}

static int tcp(const struct world *world)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
		.sin_port = htons(world->port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	return fd < 0 ? errno : result(connect(fd, (const struct sockaddr *)&to, sizeof(to)));
}

static int udp(const struct world *world)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
		.sin_port = htons(world->port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	return fd < 0 ? errno
		      : result(sendto(fd, "x", 1, 0, (const struct sockaddr *)&to, sizeof(to)));
}

static int netlink(const struct world *world)
{
	(void)world;
	return result(socket(AF_NETLINK, SOCK_RAW, 0));
}

static int connect_local(int fd, const char *path, size_t skipped)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};

	(void)snprintf(to.sun_path + skipped, sizeof(to.sun_path) - skipped, "%s", path);
	return result(connect(fd, (const struct sockaddr *)&to,
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + skipped + strlen(path))));
}

static int unix_path(const struct world *world)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	return fd < 0 ? errno : connect_local(fd, name(world, "socket"), 0);
}

static int unix_abstract(const struct world *world)
{
	char abstract[64];
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	(void)snprintf(abstract, sizeof(abstract), "duel-test-%d", world->port);
	return fd < 0 ? errno : connect_local(fd, abstract, 1);
}

static int unix_pair(const struct world *world)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) < 0)
		return errno;
	return connect_local(ends[0], name(world, "datagrams"), 0);
}

static int new_namespace(const struct world *world)
{
	(void)world;
	return result(unshare(CLONE_NEWUSER));
}

static int clone_namespace(const struct world *world)
{
	long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);

	(void)world;
	if (child == 0)
		_exit(0);
	return result(child);
}

static int clone_unchecked(const struct world *world)
{
	struct clone_args args = {.exit_signal = SIGCHLD};
	long child = syscall(SYS_clone3, &args, sizeof(args));

	(void)world;
	if (child == 0)
		_exit(0);
	return result(child);
}

static int uring(const struct world *world)
{
	char parameters[120] = {0};

	(void)world;
	return result(syscall(425, 1, parameters));
}

static int count_events(const struct world *world)
{
	struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(event),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.exclude_kernel = 1};

	(void)world;
	return result(syscall(SYS_perf_event_open, &event, 0, -1, -1, 0));
}

static int keyring(const struct world *world)
{
	(void)world;
	return result(syscall(SYS_keyctl, 0 /* the id of */, -3 /* the session's */, 1));
}

static int fault_handler(const struct world *world)
{
	(void)world;
	return result(syscall(SYS_userfaultfd, 1 /* user mode only */ | O_CLOEXEC));
}

static int load_module(const struct world *world)
{
	(void)world;
	(void)syscall(SYS_init_module, "", 0, ""); /* refused to everybody but the kernel's admin */
	return 0;
}

static int foreign_call(const struct world *world)
{
	(void)world;
	(void)syscall(0x40000000 | SYS_getpid);
	return 0;
}

static int inherited(const struct world *world)
{
	(void)world;
	return result(fcntl(77, F_GETFD));
}

static int shared_memory(const struct world *world)
{
	(void)world;
	return result(shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
}

static int shared_file(const struct world *world)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/dev/shm/duel-test-%d", world->port);
	return open_as(path, O_WRONLY | O_CREAT);
}

static int privileges(const struct world *world)
{
	(void)world;
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 ? 0 : EPERM;
}

static int wait_to_be_killed(const struct world *world)
{
	(void)world;
	while (pause() < 0)
		continue;
	return 0;
}

static int nothing(const struct world *world)
{
	(void)world;
	return 0;
}

#define VERB(function)              \
	{                           \
#function, function \
	}
static const struct {
	const char *name;
	int (*run)(const struct world *world);
} verbs[] = {VERB(read_file), VERB(write_file), VERB(truncate_file), VERB(create_file),
	VERB(change_mode), VERB(link_file), VERB(rename_file), VERB(remove_file),
	VERB(write_through_link), VERB(run_program), VERB(read_environment), VERB(read_memory),
	VERB(read_command_line), VERB(trace), VERB(copy_memory), VERB(send_signal),
	VERB(send_by_pidfd), VERB(signal_everybody), VERB(limit_process), VERB(move_process),
	VERB(slow_process), VERB(own_signal), VERB(lease), VERB(tcp), VERB(udp), VERB(netlink),
	VERB(unix_path), VERB(unix_abstract), VERB(unix_pair), VERB(new_namespace),
	VERB(clone_namespace), VERB(clone_unchecked), VERB(uring), VERB(count_events),
	VERB(keyring), VERB(fault_handler), VERB(load_module), VERB(foreign_call), VERB(inherited),
	VERB(shared_memory), VERB(shared_file), VERB(privileges), VERB(wait_to_be_killed),
	VERB(nothing)};

int main(int argc, char **argv)
{
	struct world world = {.directory = argc > 2 ? argv[2] : "",
		.pid = argc > 3 ? (pid_t)strtol(argv[3], NULL, 10) : 0,
		.port = argc > 4 ? (in_port_t)strtol(argv[4], NULL, 10) : 0};

	for (size_t i = 0; argc > 1 && i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (strcmp(argv[1], verbs[i].name) == 0)
			return verbs[i].run(&world);
	(void)fprintf(stderr, "usage: probe VERB DIRECTORY PID PORT\n");
	return 254;
}
