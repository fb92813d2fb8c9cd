/* Making and ending a cell: the parent's side of the keeper. */
#include "sandbox/sandbox.h"

#include "sandbox/base/io.h"
#include "sandbox/base/text.h"
#include "sandbox/cgroup.h"
#include "sandbox/identity.h"
#include "sandbox/keeper.h"
#include "sandbox/mounts.h"
#include "sandbox/namespaces.h"
#include "sandbox/profiles.h"
#include "sandbox/reap.h"
#include "sandbox/request.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* No request takes long but a kill, which gives itself less than this. */
#define PATIENCE_NS UINT64_C(10000000000)

/* How long a killed keeper may take to be gone with everything in it. */
#define END_NS UINT64_C(10000000000)

static bool is_private_view(const struct sandbox_machine *machine)
{
	return namespaces_flags(machine->tier) != 0 &&
	       (machine->without & SANDBOX_WITHOUT_MOUNTS) == 0;
}

/* An absolute directory, not a link, written the one way a path can be compared. */
static int check_directory(const char *path, struct err *err)
{
	struct stat status;

	if (path[0] != '/' || strlen(path) >= sizeof(((struct sandbox_cell *)NULL)->tree))
		return err_set(err, ERR_CONFINE, "'%s' is not an absolute path", path);
	if (lstat(path, &status) < 0)
		return err_errno(err, ERR_CONFINE, "%s", path);
	if (!S_ISDIR(status.st_mode))
		return err_set(err, ERR_CONFINE, "%s is not a directory", path);
	return 0;
}

/* Does `path` hold the directory of the trees? Then it would show one side the other's. */
static bool holds_the_trees(const char *path, const char *tree)
{
	size_t length = strlen(path);
	const char *last = strrchr(tree, '/');

	while (length > 1 && path[length - 1] == '/')
		length--;
	if (length == 1)
		return true;
	return strncmp(path, tree, length) == 0 && (tree[length] == '/' || tree[length] == '\0') &&
	       tree + length <= last;
}

static int check_room(
	const struct sandbox_machine *machine, const struct sandbox_room *room, struct err *err)
{
	if (check_directory(room->tree, err) < 0)
		return err_wrap(err, "tree");
	if (room->scratch != NULL && check_directory(room->scratch, err) < 0)
		return err_wrap(err, "scratch");
	for (unsigned i = 0; i < SANDBOX_READABLE_MAX && room->readable[i] != NULL; i++) {
		if (check_directory(room->readable[i], err) < 0)
			return err_wrap(err, "readable directory");
		if (holds_the_trees(room->readable[i], room->tree))
			return err_set(err, ERR_CONFINE,
				"readable directory %s holds the trees: one version would see the "
				"other",
				room->readable[i]);
	}
	if (room->loopback && namespaces_flags(machine->tier) == 0)
		return err_set(err, ERR_CONFINE,
			"a private loopback needs a network namespace, which the tier '%s' does "
			"not have",
			sandbox_tier_name(machine->tier));
	if (!identity_is_own(machine) || is_private_view(machine))
		return 0;
	if (room->scratch != NULL &&
		identity_check_reachable(identity_uid(machine, room->side), room->scratch, err) < 0)
		return -1;
	return identity_check_reachable(identity_uid(machine, room->side), room->tree, err);
}

static int name_paths(struct sandbox_cell *cell, const struct sandbox_room *room, struct err *err)
{
	bool inside = is_private_view(&cell->machine);
	const char *scratch = room->scratch == NULL ? "" : room->scratch;
	char *next = cell->readable;

	(void)text_copy(cell->tree, sizeof(cell->tree), inside ? MOUNTS_TREE : room->tree);
	(void)text_copy(cell->scratch, sizeof(cell->scratch), inside ? MOUNTS_SCRATCH : scratch);
	for (unsigned i = 0; i < SANDBOX_READABLE_MAX && room->readable[i] != NULL; i++) {
		/* One byte stays for the end of the list. */
		size_t left = sizeof(cell->readable) - 1 - (size_t)(next - cell->readable);

		if (!text_copy(next, left, room->readable[i]))
			return err_set(err, ERR_LIMIT,
				"the paths of the readable directories are longer than %zu bytes",
				sizeof(cell->readable));
		next += strlen(next) + 1;
	}
	return 0;
}

/* In the clone: what keeper_run() needs lies in the caller's frames, which it has a copy of. */
static void be_the_keeper(const struct sandbox_cell *cell, const struct sandbox_room *room,
	int socket, int cgroup_fd, const uid_t ids[2]) ATTR_NORETURN;

static void be_the_keeper(const struct sandbox_cell *cell, const struct sandbox_room *room,
	int socket, int cgroup_fd, const uid_t ids[2])
{
	const char *readable[SANDBOX_READABLE_MAX + 1];
	struct keeper_plan plan = {
		.cell = cell,
		.room = room,
		.readable = readable,
		.socket = socket,
		.cgroup_fd = cgroup_fd,
		.caller = ids[0],
		.caller_group = ids[1],
	};

	memcpy(readable, room->readable, sizeof(room->readable));
	readable[SANDBOX_READABLE_MAX] = NULL;
	keeper_run(&plan);
}

static int start_keeper(
	struct sandbox_cell *cell, const struct sandbox_room *room, int cgroup_fd, struct err *err)
{
	/* Before the clone: inside, the user namespace has no name for them yet. */
	const uid_t ids[2] = {geteuid(), getegid()};
	int ends[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return err_errno(err, ERR_OS, "socketpair");
	cell->keeper_socket = ends[0];
	pid = namespaces_clone(namespaces_flags(cell->machine.tier), &cell->keeper_pidfd);
	if (pid == 0)
		be_the_keeper(cell, room, ends[1], cgroup_fd, ids);
	(void)close(ends[1]);
	if (pid < 0) {
		(void)err_errno(err, ERR_CONFINE, "namespaces");
		(void)close(steal_fd(&cell->keeper_socket));
		return -1;
	}
	cell->keeper_pid = pid;
	return 0;
}

/* Kill the keeper and wait for it. A pid namespace's first process is reaped only after all others
 * in it are gone (pid_namespaces(7)). */
static int end_keeper(struct sandbox_cell *cell, struct err *err)
{
	struct pollfd ended = {.fd = cell->keeper_pidfd, .events = POLLIN};
	uint64_t deadline_ns = io_now_ns() + END_NS;
	int polled;

	do
		polled = poll(&ended, 1, (int)(END_NS / 1000000));
	while (polled < 0 && errno == EINTR && io_now_ns() < deadline_ns);
	if (polled <= 0)
		return err_set(err, ERR_CONFINE, "the keeper of a cell cannot be killed");
	/* Its pidfd has said that it ended. Where we were started with SIGCHLD ignored, there is
	 * nothing to collect. */
	while (waitpid(cell->keeper_pid, NULL, 0) < 0 && errno == EINTR)
		continue;
	return 0;
}

static void kill_keeper(struct sandbox_cell *cell)
{
	(void)syscall(SYS_pidfd_send_signal, cell->keeper_pidfd, SIGKILL, NULL, 0u);
}

static void release(struct sandbox_cell *cell)
{
	attr_close(&cell->keeper_socket);
	attr_close(&cell->keeper_pidfd);
	cell->keeper_socket = cell->keeper_pidfd = -1;
}

static int make_cgroup(
	struct sandbox_cell *cell, const struct sandbox_room *room, int *procs_fd, struct err *err)
{
	const struct cgroup_limits limits = {
		.memory_bytes = room->memory_bytes,
		.processes_max = profiles_get(room->profile)->limits.processes_max,
	};

	*procs_fd = -1;
	if (!cell->machine.cgroup)
		return 0;
	return cgroup_make(cell->cgroup, sizeof(cell->cgroup), &limits, procs_fd, err);
}

int sandbox_open(struct sandbox_cell *cell, const struct sandbox_machine *machine,
	const struct sandbox_room *room, struct err *err)
{
	AUTO_FD cgroup_fd = -1;
	struct wire_reply reply;
	struct err ignored;

	memset(cell, 0, sizeof(*cell));
	cell->machine = *machine;
	cell->profile = room->profile;
	cell->side = room->side;
	cell->loopback = room->loopback;
	cell->patience_ns = PATIENCE_NS;
	cell->keeper_socket = cell->keeper_pidfd = -1;
	if (machine->tier == SANDBOX_TIER_REFUSE)
		return err_set(err, ERR_CONFINE, "this machine cannot confine: nothing is run");
	if (check_room(machine, room, err) < 0)
		return -1;
	if (name_paths(cell, room, err) < 0)
		return -1;
	/* Nobody of this uid reads our memory; orphans of a keeper that was killed come to us. */
	(void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	if (namespaces_flags(machine->tier) == 0 && prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return err_errno(err, ERR_CONFINE, "subreaper");
	if (make_cgroup(cell, room, &cgroup_fd, err) < 0)
		return -1;
	if (start_keeper(cell, room, cgroup_fd, err) < 0) {
		cgroup_remove(cell->cgroup);
		return -1;
	}
	/* The keeper's first word, unasked: it is ready, or why not. */
	if (request_receive(cell, &reply, NULL, err) == 0)
		return 0;
	kill_keeper(cell);
	(void)end_keeper(cell, &ignored);
	cgroup_remove(cell->cgroup);
	release(cell);
	return -1;
}

int sandbox_close(struct sandbox_cell *cell, struct err *err)
{
	bool namespaces = namespaces_flags(cell->machine.tier) != 0;
	struct wire_reply reply;
	int result = 0;

	/* With a namespace the keeper's death is everybody's. Without one it has to kill them. */
	if (!namespaces)
		result = request_plain(cell, WIRE_CLOSE, 0, &reply, err);
	if (namespaces || result < 0)
		kill_keeper(cell);
	if (end_keeper(cell, err) < 0)
		result = -1;
	else if (!namespaces && result < 0)
		result = reap_confined_orphans(err);
	cgroup_remove(cell->cgroup);
	release(cell);
	return result;
}
