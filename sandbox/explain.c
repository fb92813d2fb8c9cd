/*
 * The command runs under a filter that asks; we answer what the policy answers, and note it. So
 * the command behaves as it always does, a little slower, and each refusal has a name.
 */
#include "sandbox/sandbox.h"

#include "sandbox/base/buf.h"
#include "sandbox/base/io.h"
#include "sandbox/explain_paths.h"
#include "sandbox/request.h"
#include "sandbox/seccomp.h"
#include "sandbox/seccomp_eval.h"
#include "sandbox/spawn.h"
#include "sandbox/syscalls.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#define LINE_BYTES 512

struct explain {
	struct sandbox_cell *cell;
	struct sandbox_process process;
	struct buf *lines; /* borrowed */
	bool full;         /* no further line fits */
	bool started;
	int listener; /* owned */
};

/* Add a line, once. */
static void note(struct explain *explain, const char *line)
{
	size_t length = strlen(line);
	const char *text = buf_text(explain->lines);
	struct err full;

	for (const char *found = strstr(text, line); found != NULL; found = strstr(found + 1, line))
		if ((found == text || found[-1] == '\n') && found[length] == '\n')
			return;
	if (!explain->full && buf_printf(explain->lines, &full, "%s\n", line) < 0)
		explain->full = true;
}

static void note_refusal(
	struct explain *explain, const struct seccomp_eval_call *call, uint32_t action)
{
	AUTO_STR name = seccomp_name_of(call->number);
	const struct syscalls_group *group = name == NULL ? NULL : syscalls_find(name);
	int number = (int)(action & SECCOMP_RET_DATA);
	const char *code = strerrorname_np(number);
	char arguments[96] = "";
	char answer[64] = "kills the process";
	char line[LINE_BYTES];

	if (group != NULL && group->action == SYSCALLS_BY_ARGUMENT)
		(void)snprintf(arguments, sizeof(arguments),
			"(0x%" PRIx64 ", 0x%" PRIx64 ", 0x%" PRIx64 ")", call->arguments[0],
			call->arguments[1], call->arguments[2]);
	if ((action & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO)
		(void)snprintf(answer, sizeof(answer), "%s%s",
			number == 0 ? "does nothing" : "refused with ",
			number == 0    ? ""
			: code == NULL ? "an error"
				       : code);
	(void)snprintf(line, sizeof(line), "%s%s%.*d: %s (%s: %s)",
		name == NULL ? "system call " : name, arguments, name == NULL ? 1 : 0,
		name == NULL ? call->number : 0, answer, group == NULL ? "unlisted" : group->name,
		group == NULL ? "in no group of the policy" : group->reason);
	note(explain, line);
}

/* What the policy answers to this call, noted. */
static void decide(struct explain *explain, const struct seccomp_notif *asked,
	struct seccomp_notif_resp *answer)
{
	const struct sandbox_program *filters = explain->cell->machine.filters;
	const struct sandbox_program *calls = &filters[explain->cell->loopback
							       ? SANDBOX_FILTER_CALLS_LOOPBACK
							       : SANDBOX_FILTER_CALLS];
	struct seccomp_eval_call call = {
		.number = asked->data.nr, .architecture = asked->data.arch};
	uint32_t action;
	char line[LINE_BYTES];

	for (size_t i = 0; i < ARRAY_LENGTH(call.arguments); i++)
		call.arguments[i] = asked->data.args[i];
	action = seccomp_eval_both(&filters[SANDBOX_FILTER_ARGUMENTS], calls, &call);
	answer->id = asked->id;
	if (action == SECCOMP_RET_ALLOW) {
		explain_paths_judge(explain->cell, (pid_t)asked->pid, &call, line, sizeof(line));
		if (line[0] != '\0')
			note(explain, line);
		answer->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
		return;
	}
	note_refusal(explain, &call, action);
	if ((action & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO) {
		answer->error = -(int)(action & SECCOMP_RET_DATA);
		return;
	}
	answer->error = -EPERM;
	(void)kill((pid_t)asked->pid, SIGKILL);
}

/* A process that dies while it asks, or while we think, is no error. */
static void answer_one(struct explain *explain)
{
	struct seccomp_notif asked;
	struct seccomp_notif_resp answer;

	memset(&asked, 0, sizeof(asked));
	memset(&answer, 0, sizeof(answer));
	if (ioctl(explain->listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) < 0)
		return;
	decide(explain, &asked, &answer);
	(void)ioctl(explain->listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

/* The listener arrives before the exec; a layer that fails before it answers through the keeper. */
static int receive_listener(
	struct explain *explain, int channel, uint64_t deadline_ns, struct err *err)
{
	struct pollfd ready[] = {
		{.fd = channel, .events = POLLIN},
		{.fd = explain->cell->keeper_socket, .events = POLLIN},
	};
	struct wire_received received = {0};
	char byte;
	int polled;

	do
		polled = poll(
			ready, ARRAY_LENGTH(ready), (int)(explain->cell->patience_ns / 1000000));
	while (polled < 0 && errno == EINTR);
	if (polled <= 0)
		return err_set(
			err, ERR_CONFINE, "keeper of the cell: no answer before the deadline");
	if ((ready[0].revents & POLLIN) == 0)
		return 0;
	if (wire_receive(channel, &byte, 1, deadline_ns, &received, err) < 0)
		return -1;
	if (received.fds_count == 1)
		explain->listener = steal_fd(&received.fds[0]);
	wire_release(&received);
	return 0;
}

static int serve(struct explain *explain, uint64_t deadline_ns, struct err *err)
{
	for (;;) {
		struct pollfd ready[] = {
			{.fd = explain->started ? explain->process.pidfd
						: explain->cell->keeper_socket,
				.events = POLLIN},
			{.fd = explain->listener, .events = POLLIN},
		};
		uint64_t now_ns = io_now_ns();

		if (now_ns >= deadline_ns)
			return err_set(
				err, ERR_LIMIT, "the command has not ended before its deadline");
		if (poll(ready, ARRAY_LENGTH(ready), 100) < 0 && errno != EINTR)
			return err_errno(err, ERR_OS, "poll");
		if ((ready[1].revents & POLLIN) != 0) {
			answer_one(explain);
			continue;
		}
		/* Nothing that could ask is left. */
		if ((ready[1].revents & POLLHUP) != 0) {
			(void)close(steal_fd(&explain->listener));
			continue;
		}
		if (ready[0].revents == 0)
			continue;
		if (explain->started)
			return 0;
		if (spawn_receive(explain->cell, &explain->process, err) < 0)
			return -1;
		explain->started = true;
	}
}

static int run(struct explain *explain, const struct sandbox_command *command, uint64_t deadline_ns,
	struct sandbox_exit *out, struct err *err)
{
	AUTO_FD ours = -1;
	AUTO_FD theirs = -1;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return err_errno(err, ERR_OS, "socketpair");
	ours = ends[0];
	theirs = ends[1];
	if (spawn_send(explain->cell, command, theirs, err) < 0)
		return -1;
	if (receive_listener(explain, ours, deadline_ns, err) < 0)
		return -1;
	if (serve(explain, deadline_ns, err) < 0)
		return -1;
	return sandbox_wait(explain->cell, &explain->process, deadline_ns, out, err);
}

int sandbox_explain(struct sandbox_cell *cell, const struct sandbox_command *command,
	uint64_t deadline_ns, struct buf *lines, struct sandbox_exit *out, struct err *err)
{
	struct explain explain = {.cell = cell, .lines = lines, .listener = -1};
	struct err ignored;
	int result = run(&explain, command, deadline_ns, out, err);

	/* Those that still ask get ENOSYS once nobody listens. */
	attr_close(&explain.listener);
	sandbox_forget(&explain.process);
	if (result < 0 && sandbox_kill_all(cell, &ignored) < 0)
		return -1;
	return result;
}
