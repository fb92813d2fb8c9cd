/* Commands in a cell: the parent's side of starting, watching and ending them. */
#include "sandbox/sandbox.h"

#include "sandbox/base/io.h"
#include "sandbox/environment.h"
#include "sandbox/procfs.h"
#include "sandbox/request.h"
#include "sandbox/spawn.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

/* Directory, arguments and environment, one after the other, each with its terminator. */
static int pack_strings(const struct sandbox_cell *cell, const struct sandbox_command *command,
	struct buf *strings, struct wire_request *request, struct err *err)
{
	const char *directory = command->cwd == NULL ? cell->tree : command->cwd;

	if (buf_append(strings, directory, strlen(directory) + 1, err) < 0)
		return -1;
	for (; command->argv[request->argc] != NULL; request->argc++) {
		const char *argument = command->argv[request->argc];

		if (buf_append(strings, argument, strlen(argument) + 1, err) < 0)
			return -1;
	}
	if (environment_build(cell, command->env, strings, &request->envc, err) < 0)
		return -1;
	request->strings_bytes = (uint32_t)strings->length;
	return 0;
}

static int place(
	struct wire_packet *packet, struct wire_request *request, int fd, int as, struct err *err)
{
	if (fd < 0)
		return 0;
	if (as < 0 || as >= DESCRIPTORS_OWN_FIRST)
		return err_set(err, ERR_BUG, "descriptor %d cannot be placed at %d", fd, as);
	packet->fds[packet->fds_count++] = fd;
	request->places_as[request->places_count++] = as;
	return 0;
}

static int place_all(const struct sandbox_command *command, struct wire_packet *packet,
	struct wire_request *request, struct err *err)
{
	if (place(packet, request, command->stdin_fd, 0, err) < 0 ||
		place(packet, request, command->stdout_fd, 1, err) < 0 ||
		place(packet, request, command->stderr_fd, 2, err) < 0)
		return -1;
	if (command->fds_count > SANDBOX_FDS_MAX)
		return err_set(err, ERR_BUG, "more than %d descriptors", SANDBOX_FDS_MAX);
	for (unsigned i = 0; i < command->fds_count; i++)
		if (place(packet, request, command->fds[i].fd, command->fds[i].as, err) < 0)
			return -1;
	return 0;
}

/* The pid in our own namespace, as the kernel tells of a pidfd (pidfd_open(2)); -1 = ended. */
static int read_pid(int pidfd, pid_t *pid, struct err *err)
{
	char path[64];
	int64_t number;

	(void)snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", pidfd);
	if (!procfs_number(path, "Pid:", &number))
		return err_set(err, ERR_OS, "the kernel does not tell the pid of a pidfd");
	*pid = (pid_t)number;
	return 0;
}

int spawn_send(struct sandbox_cell *cell, const struct sandbox_command *command, int listener_fd,
	struct err *err)
{
	struct wire_request request = {.verb = WIRE_START, .id = cell->last_id + 1};
	struct wire_packet packet = {.head = &request, .head_bytes = sizeof(request)};
	AUTO_BUF strings = {0};

	buf_init(&strings, WIRE_STRINGS_MAX);
	if (command->argv[0] == NULL || command->argv[0][0] == '\0')
		return err_set(err, ERR_BENCH, "an empty command cannot be executed");
	if (pack_strings(cell, command, &strings, &request, err) < 0)
		return err_wrap(err, "arguments and environment of '%s'", command->argv[0]);
	if (place_all(command, &packet, &request, err) < 0)
		return -1;
	if (listener_fd >= 0) {
		request.explain = 1;
		packet.fds[packet.fds_count++] = listener_fd;
	}
	packet.tail = strings.data;
	packet.tail_bytes = strings.length;
	request.cpu = command->cpu;
	request.stack_bytes = command->stack_bytes;
	request.cpu_seconds = command->cpu_seconds;
	request.same_addresses = command->same_addresses ? 1 : 0;
	return request_send(cell, &packet, err);
}

int spawn_receive(struct sandbox_cell *cell, struct sandbox_process *process, struct err *err)
{
	struct wire_reply reply;

	process->pidfd = -1;
	if (request_receive(cell, &reply, &process->pidfd, err) < 0)
		return -1;
	process->id = ++cell->last_id;
	if (read_pid(process->pidfd, &process->pid, err) == 0)
		return 0;
	sandbox_forget(process);
	return -1;
}

int sandbox_start(struct sandbox_cell *cell, const struct sandbox_command *command,
	struct sandbox_process *process, struct err *err)
{
	if (spawn_send(cell, command, -1, err) < 0)
		return -1;
	return spawn_receive(cell, process, err);
}

/* A pidfd is readable once the process has ended, all its threads included. */
static int await_end(const struct sandbox_process *process, uint64_t deadline_ns, struct err *err)
{
	for (;;) {
		struct pollfd ended = {.fd = process->pidfd, .events = POLLIN};
		uint64_t now_ns = io_now_ns();
		uint64_t left_ms = deadline_ns <= now_ns ? 0 : (deadline_ns - now_ns) / 1000000 + 1;
		int polled = poll(&ended, 1, left_ms > INT_MAX ? INT_MAX : (int)left_ms);

		if (polled > 0)
			return 0;
		if (polled < 0 && errno != EINTR)
			return err_errno(err, ERR_OS, "wait for process %d", process->pid);
		if (polled == 0 && io_now_ns() >= deadline_ns)
			return err_set(err, ERR_LIMIT,
				"process %d has not ended before its deadline", process->pid);
	}
}

int sandbox_wait(struct sandbox_cell *cell, struct sandbox_process *process, uint64_t deadline_ns,
	struct sandbox_exit *out, struct err *err)
{
	struct wire_reply reply;

	if (await_end(process, deadline_ns, err) < 0)
		return -1;
	if (request_plain(cell, WIRE_REAP, process->id, &reply, err) < 0)
		return -1;
	out->wait_status = reply.wait_status;
	out->usage = reply.usage;
	return 0;
}

void sandbox_forget(struct sandbox_process *process)
{
	if (process->id != 0)
		attr_close(&process->pidfd);
	process->id = 0;
	process->pidfd = -1;
}

int sandbox_cpu_ns(const struct sandbox_process *process, uint64_t *ns, struct err *err)
{
	struct timespec spent;
	clockid_t clock;

	if (process->pid <= 0 || clock_getcpuclockid(process->pid, &clock) != 0 ||
		clock_gettime(clock, &spent) < 0)
		return err_set(err, ERR_BENCH, "process %d has ended", process->pid);
	*ns = (uint64_t)spent.tv_sec * 1000000000u + (uint64_t)spent.tv_nsec;
	return 0;
}

int sandbox_population(struct sandbox_cell *cell, unsigned *count, struct err *err)
{
	struct wire_reply reply;

	if (request_plain(cell, WIRE_COUNT, 0, &reply, err) < 0)
		return -1;
	*count = reply.count;
	return 0;
}

int sandbox_kill_all(struct sandbox_cell *cell, struct err *err)
{
	struct wire_reply reply;

	return request_plain(cell, WIRE_KILL, 0, &reply, err);
}

void sandbox_describe_exit(int wait_status, char *text, size_t text_bytes)
{
	if (WIFSIGNALED(wait_status)) {
		const char *name = sigabbrev_np(WTERMSIG(wait_status));

		if (name != NULL)
			(void)snprintf(text, text_bytes, "killed by SIG%s", name);
		else
			(void)snprintf(
				text, text_bytes, "killed by signal %d", WTERMSIG(wait_status));
		return;
	}
	(void)snprintf(text, text_bytes, "exit status %d", WEXITSTATUS(wait_status));
}
