#include "runner/build.h"

#include "runner/layout/layout.h"
#include "sandbox/base/io.h"
#include "sandbox/base/text.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#define JOB_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
#define JOB_ENVIRONMENT (LAYOUT_ENVIRONMENT + 1)

/* A build under way: its cell, the command now running and the pipe its output comes through. */
struct job {
	struct build_side *side;
	struct sandbox_cell cell;
	struct sandbox_process process;
	char *env[JOB_ENVIRONMENT + 1]; /* owned strings, NULL-terminated */
	int output;                     /* -1 once it ended */
	uint64_t deadline_ns;
	bool in_setup;
	bool done;
};

const char *build_side_name(enum sandbox_side side)
{
	return side == SANDBOX_BASELINE ? "baseline" : "candidate";
}

/* What compilers, linkers and shells say where something is wrong. */
static bool is_telling(const char *line, size_t length)
{
	static const char *const words[] = {
		"error:", "rror ", "undefined reference", "not found", "No rule to make"};

	for (size_t i = 0; i < ARRAY_LENGTH(words); i++) {
		if (memmem(line, length, words[i], strlen(words[i])))
			return true;
	}
	return false;
}

void build_reason(char out[BUILD_REASON_BYTES], const char *log)
{
	bool telling = false;

	out[0] = '\0';
	while (*log && !telling) {
		size_t length = strcspn(log, "\n");

		telling = is_telling(log, length);
		if (length > 0)
			(void)snprintf(out, BUILD_REASON_BYTES, "%.*s", (int)length, log);
		log += length + (log[length] == '\n');
	}
	text_make_printable(out);
}

static int start_command(struct job *job, const char *shell_command, struct err *err)
{
	const char *argv[] = {"/bin/sh", "-c", shell_command, NULL};
	int ends[2];
	int result;

	if (io_pipe(ends, err) < 0)
		return -1;
	result = sandbox_start(&job->cell,
		&(struct sandbox_command){
			.argv = argv,
			.env = (const char *const *)job->env,
			.stdin_fd = -1,
			.stdout_fd = ends[1],
			.stderr_fd = ends[1],
			.cpu = -1,
		},
		&job->process, err);
	(void)close(ends[1]);
	if (result < 0) {
		(void)close(ends[0]);
		return err_wrap(
			err, "%s: start '%s'", build_side_name(job->side->side), shell_command);
	}
	/* Drained whenever poll says so; a read must never block the other side's build. */
	(void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
	job->output = ends[0];
	return 0;
}

/* Where duel.h lies and how links are recorded, as seen inside. */
static int make_environment(struct job *job, struct err *err)
{
	if (layout_environment(job->env, job->cell.scratch, JOB_PATH, err) < 0)
		return -1;
	if (asprintf(&job->env[LAYOUT_ENVIRONMENT], "DUEL_INCLUDE=%s/include", job->cell.scratch) <
		0) {
		job->env[LAYOUT_ENVIRONMENT] = NULL;
		return err_errno(err, ERR_OS, "environment of the build");
	}
	return 0;
}

static int open_job(struct job *job, struct build_side *side, const struct sandbox_machine *machine,
	struct err *err)
{
	const struct sandbox_room room = {
		.profile = SANDBOX_BUILD,
		.side = side->side,
		.tree = side->tree,
		.scratch = side->scratch,
	};

	*job = (struct job){
		.side = side,
		.output = -1,
		.done = true,
		.deadline_ns = io_now_ns() + (uint64_t)(side->seconds_max * 1e9),
	};
	if (sandbox_open(&job->cell, machine, &room, err) < 0) {
		job->cell = (struct sandbox_cell){0};
		return err_wrap(err, "%s: confine the build", build_side_name(side->side));
	}
	job->done = false;
	if (make_environment(job, err) < 0)
		return -1;
	job->in_setup = side->setup != NULL;
	side->built = false;
	side->failure[0] = '\0';
	return start_command(job, job->in_setup ? side->setup : side->command, err);
}

/* One read: keep the newest output. *more = there was some, and may be more. */
static int keep_output(struct job *job, bool *more, struct err *err)
{
	char block[8192];
	ssize_t got = read(job->output, block, sizeof(block));

	*more = got > 0;
	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	if (got <= 0) {
		(void)close(job->output);
		job->output = -1;
		return 0;
	}
	buf_keep_tail(&job->side->log, BUILD_LOG_BYTES);
	return buf_append(&job->side->log, block, (size_t)got, err);
}

/* A pipe holds 64 KiB; what a process left behind goes on to write is not waited for. */
static int keep_rest(struct job *job, struct err *err)
{
	bool more = true;

	for (unsigned reads = 0; more && job->output >= 0 && reads < 8; reads++) {
		if (keep_output(job, &more, err) < 0)
			return -1;
	}
	if (job->output >= 0)
		(void)close(steal_fd(&job->output));
	sandbox_forget(&job->process);
	return 0;
}

static void fail(struct job *job, const char *how)
{
	struct build_side *side = job->side;

	(void)snprintf(side->failure, sizeof(side->failure), "%s: '%.160s': %s",
		job->in_setup ? "setup" : "build", job->in_setup ? side->setup : side->command,
		how);
	job->done = true;
}

/* The command of this job ended: start the next, or note how the build went. */
static int next_command(struct job *job, const struct sandbox_exit *ended, struct err *err)
{
	struct build_side *side = job->side;

	if (keep_rest(job, err) < 0)
		return -1;
	if (!WIFEXITED(ended->wait_status) || WEXITSTATUS(ended->wait_status) != 0) {
		char how[64];

		sandbox_describe_exit(ended->wait_status, how, sizeof(how));
		fail(job, how);
		return 0;
	}
	if (job->in_setup) {
		job->in_setup = false;
		return start_command(job, side->command, err);
	}
	side->built = true;
	job->done = true;
	return 0;
}

/* Wait a little for output of any job. */
static int drain(struct job *jobs, size_t count, struct err *err)
{
	struct pollfd ready[2];
	bool more;

	for (size_t i = 0; i < count; i++)
		ready[i] = (struct pollfd){.fd = jobs[i].output, .events = POLLIN};
	if (poll(ready, (nfds_t)count, 20) < 0 && errno != EINTR)
		return err_errno(err, ERR_OS, "poll");
	for (size_t i = 0; i < count; i++) {
		if (jobs[i].output >= 0 && ready[i].revents &&
			keep_output(&jobs[i], &more, err) < 0)
			return -1;
	}
	return 0;
}

/* The time is over: everything of this job ends now, the other side's may need its own. */
static int end_late(struct job *job, struct err *err)
{
	char how[100];

	(void)snprintf(how, sizeof(how), "not ended after %g s: --build-limit gives it more",
		job->side->seconds_max);
	if (sandbox_kill_all(&job->cell, err) < 0 || keep_rest(job, err) < 0)
		return -1;
	fail(job, how);
	return 0;
}

/* Has the running command of this job ended? */
static int look(struct job *job, struct err *err)
{
	struct sandbox_exit ended;
	struct err waited = {0};

	if (sandbox_wait(&job->cell, &job->process, io_now_ns(), &ended, &waited) == 0)
		return next_command(job, &ended, err);
	if (waited.kind == ERR_LIMIT)
		return io_now_ns() < job->deadline_ns ? 0 : end_late(job, err);
	*err = waited;
	return -1;
}

static int run_jobs(
	struct job *jobs, size_t count, const volatile sig_atomic_t *stop, struct err *err)
{
	for (;;) {
		bool open = false;

		for (size_t i = 0; i < count; i++)
			open = open || !jobs[i].done;
		if (!open)
			return 0;
		if (*stop)
			return err_set(err, ERR_USAGE, "interrupted while building");
		if (drain(jobs, count, err) < 0)
			return -1;
		for (size_t i = 0; i < count; i++) {
			if (!jobs[i].done && look(&jobs[i], err) < 0)
				return -1;
		}
	}
}

/* Ends what is left of the build; an error of the run itself is the one to keep. */
static int close_job(struct job *job, bool keep_error, struct err *err)
{
	struct err closing = {0};

	if (job->output >= 0)
		(void)close(steal_fd(&job->output));
	sandbox_forget(&job->process);
	for (size_t i = 0; i < JOB_ENVIRONMENT; i++)
		free(job->env[i]);
	if (job->cell.keeper_pid <= 0 || sandbox_close(&job->cell, &closing) == 0)
		return 0;
	if (!keep_error) {
		*err = closing;
		(void)err_wrap(err, "%s: end the build", build_side_name(job->side->side));
	}
	return -1;
}

int build_both(struct build_side *sides, size_t count, const struct sandbox_machine *machine,
	const volatile sig_atomic_t *stop, struct err *err)
{
	struct job jobs[2];
	size_t opened = 0;
	int result = 0;

	assert(count <= ARRAY_LENGTH(jobs));
	while (result == 0 && opened < count) {
		result = open_job(&jobs[opened], &sides[opened], machine, err);
		opened++;
	}
	if (result == 0)
		result = run_jobs(jobs, count, stop, err);
	for (size_t i = 0; i < opened; i++) {
		if (close_job(&jobs[i], result < 0, err) < 0)
			result = -1;
	}
	return result;
}
