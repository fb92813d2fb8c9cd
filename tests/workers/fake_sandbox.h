/*
 * sandbox.h for unit tests of its callers: plain fork and exec, no confinement, no privileges.
 *
 * Included once by a test; defines the functions the library would. Processes know their cell by an
 * environment variable; the test itself inherits what they leave behind, as a subreaper, so that it
 * can be counted and ended.
 */
#ifndef TESTS_WORKERS_FAKE_SANDBOX_H
#define TESTS_WORKERS_FAKE_SANDBOX_H

#include "sandbox/base/io.h"
#include "sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

static const char *fake_refusal; /* sandbox_start() fails with this text */
static int fake_kills;           /* how often sandbox_kill_all() was called */

static void fake_setup(void)
{
	(void)signal(SIGPIPE, SIG_IGN);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static void fake_child(const struct sandbox_cell *cell, const struct sandbox_command *command)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int high[SANDBOX_FDS_MAX];
	static char mark[64];
	struct rlimit limit;
	cpu_set_t set;

	(void)setsid();
	if (command->cpu >= 0) {
		CPU_ZERO(&set);
		CPU_SET((size_t)command->cpu, &set);
		(void)sched_setaffinity(0, sizeof(set), &set);
	}
	if (command->same_addresses)
		(void)personality(ADDR_NO_RANDOMIZE);
	if (command->stack_bytes > 0 && getrlimit(RLIMIT_STACK, &limit) == 0) {
		limit.rlim_cur = command->stack_bytes;
		(void)setrlimit(RLIMIT_STACK, &limit);
	}
	/* All out of the way of every number wanted, then each to its own. */
	for (unsigned i = 0; i < command->fds_count; i++)
		high[i] = fcntl(command->fds[i].fd, F_DUPFD_CLOEXEC, 100);
	(void)dup2(command->stdin_fd >= 0 ? command->stdin_fd : null, 0);
	(void)dup2(command->stdout_fd >= 0 ? command->stdout_fd : null, 1);
	(void)dup2(command->stderr_fd >= 0 ? command->stderr_fd : null, 2);
	for (unsigned i = 0; i < command->fds_count; i++)
		(void)dup2(high[i], command->fds[i].as);
	if (chdir(cell->tree) < 0)
		_exit(126);
	for (unsigned i = 0; command->env && command->env[i]; i++)
		(void)putenv((char *)(uintptr_t)command->env[i]);
	(void)snprintf(mark, sizeof(mark), "FAKE_CELL=%p", (const void *)cell);
	(void)putenv(mark);
	(void)execvp(command->argv[0], (char **)(uintptr_t)command->argv);
	_exit(127);
}

int sandbox_start(struct sandbox_cell *cell, const struct sandbox_command *command,
	struct sandbox_process *process, struct err *err)
{
	pid_t pid;

	if (fake_refusal)
		return err_set(err, ERR_CONFINE, "%s", fake_refusal);
	pid = fork();
	if (pid == 0)
		fake_child(cell, command);
	*process = (struct sandbox_process){
		.id = ++cell->last_id,
		.pid = pid,
		.pidfd = (int)syscall(SYS_pidfd_open, pid, 0),
	};
	return 0;
}

int sandbox_wait(struct sandbox_cell *cell, struct sandbox_process *process, uint64_t deadline_ns,
	struct sandbox_exit *out, struct err *err)
{
	struct pollfd end = {.fd = process->pidfd, .events = POLLIN};
	uint64_t now_ns = io_now_ns();

	(void)cell;
	if (poll(&end, 1, deadline_ns > now_ns ? (int)((deadline_ns - now_ns) / 1000000) + 1 : 0) <=
		0)
		return err_set(err, ERR_LIMIT, "still running");
	if (wait4(process->pid, &out->wait_status, 0, &out->usage) < 0)
		return err_errno(err, ERR_OS, "wait");
	return 0;
}

void sandbox_forget(struct sandbox_process *process)
{
	if (process->pidfd > 0)
		(void)close(process->pidfd);
	*process = (struct sandbox_process){.pidfd = -1};
}

int sandbox_cpu_ns(const struct sandbox_process *process, uint64_t *ns, struct err *err)
{
	struct timespec time;
	clockid_t clock;

	if (clock_getcpuclockid(process->pid, &clock) != 0 || clock_gettime(clock, &time) < 0)
		return err_set(err, ERR_BENCH, "its CPU clock cannot be read: it is gone");
	*ns = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
	return 0;
}

static bool fake_is_of(const struct sandbox_cell *cell, pid_t pid)
{
	AUTO_BUF environment = {.bytes_max = 1u << 20};
	char path[64], mark[64];
	struct err ignored;

	(void)snprintf(path, sizeof(path), "/proc/%d/environ", pid);
	(void)snprintf(mark, sizeof(mark), "FAKE_CELL=%p", (const void *)cell);
	if (io_read_file(&environment, path, &ignored) < 0)
		return false;
	return environment.length > 0 &&
	       memmem(environment.data, environment.length, mark, strlen(mark) + 1);
}

/* Our children in the cell that are not zombies, as far as `pids` has room. */
static unsigned fake_children(const struct sandbox_cell *cell, pid_t *pids, unsigned room)
{
	FILE *children = fopen("/proc/thread-self/children", "re");
	unsigned count = 0;
	int pid;

	while (children && count < room && fscanf(children, "%d", &pid) == 1) {
		siginfo_t info = {0};

		if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
			info.si_pid == 0 && fake_is_of(cell, pid))
			pids[count++] = pid;
	}
	if (children)
		(void)fclose(children);
	return count;
}

int sandbox_population(struct sandbox_cell *cell, unsigned *count, struct err *err)
{
	pid_t pids[64];

	(void)err;
	*count = fake_children(cell, pids, 64);
	return 0;
}

int sandbox_kill_all(struct sandbox_cell *cell, struct err *err)
{
	pid_t pids[64];
	unsigned count;

	(void)err;
	fake_kills++;
	while ((count = fake_children(cell, pids, 64)) > 0) {
		for (unsigned i = 0; i < count; i++) {
			(void)kill(pids[i], SIGKILL);
			(void)waitpid(pids[i], NULL, 0);
		}
	}
	return 0;
}

void sandbox_describe_exit(int wait_status, char *text, size_t text_bytes)
{
	if (WIFSIGNALED(wait_status))
		(void)snprintf(
			text, text_bytes, "killed by SIG%s", sigabbrev_np(WTERMSIG(wait_status)));
	else
		(void)snprintf(text, text_bytes, "exit status %d", WEXITSTATUS(wait_status));
}

#endif
