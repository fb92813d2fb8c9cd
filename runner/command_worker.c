#include "runner/command_worker.h"

#include "sandbox/base/io.h"
#include "sandbox/base/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define EXIT_WAIT_NS UINT64_C(1000000000) /* for the status of a process that has ended */

static int wrap(const struct command_worker *worker, struct err *err)
{
	return err_wrap(err, "%s: benchmark \"%s\"", worker->launch->side, worker->launch->name);
}

/* The text as a file that nobody can change: a command may keep its descriptor as long as it likes.
 */
static int make_stdin(struct command_worker *worker, struct err *err)
{
	const char *text = worker->launch->stdin_text;

	if (!text)
		return 0;
	worker->stdin_fd = memfd_create("duel-stdin", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (worker->stdin_fd < 0)
		return err_errno(err, ERR_OS, "standard input");
	if (io_write_all(worker->stdin_fd, text, strlen(text), err) < 0)
		return err_wrap(err, "standard input");
	if (fcntl(worker->stdin_fd, F_ADD_SEALS,
		    F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
		return err_errno(err, ERR_OS, "standard input");
	return 0;
}

int command_worker_start(struct command_worker *worker, const struct launch *launch,
	const struct launch_offsets *offsets, int cpu, struct err *err)
{
	struct worker_benchmark *benchmark;

	*worker = (struct command_worker){
		.launch = launch,
		.offsets = *offsets,
		.cpu = cpu,
		.child = {-1, -1, -1},
		.stdin_fd = -1,
	};
	if (channel_open(&worker->channel, &worker->child, false, err) < 0 ||
		make_stdin(worker, err) < 0)
		return wrap(worker, err);
	worker->channel.stop = launch->stop;
	benchmark = worker_list_add(&worker->list, err);
	if (!benchmark)
		return wrap(worker, err);
	(void)text_copy(benchmark->name, sizeof(benchmark->name), launch->name);
	worker->is_alive = true;
	return 0;
}

/* Start the command once; the caller waits. */
static int execute(struct command_worker *worker, struct sandbox_process *process, struct err *err)
{
	char padding[LAUNCH_PADDING_BYTES];
	const char *env[] = {padding, NULL};
	const char *argv[LAUNCH_ARGV_LENGTH];
	struct sandbox_command command = {
		.argv = argv,
		.env = env,
		.stdin_fd = worker->stdin_fd,
		.stdout_fd = -1,
		.stderr_fd = worker->child.noise_fd,
		.cpu = worker->cpu,
		.stack_bytes = worker->offsets.stack_bytes,
		.same_addresses = worker->offsets.same_addresses,
	};

	if (launch_make_argv(worker->launch, argv, err) < 0)
		return -1;
	launch_make_padding(&worker->offsets, padding);
	/* The offset belongs to the open file, which the last command has read to its end. */
	if (worker->stdin_fd >= 0 && lseek(worker->stdin_fd, 0, SEEK_SET) < 0)
		return err_errno(err, ERR_OS, "standard input");
	return sandbox_start(worker->launch->cell, &command, process, err);
}

static int await(struct command_worker *worker, struct sandbox_process *process,
	struct sandbox_exit *ended, struct err *err)
{
	uint64_t patience_ns = worker->launch->patience.burst_ns;
	enum channel_event event;
	char how[80];

	worker->channel.pidfd = process->pidfd;
	event = channel_wait_end(&worker->channel, io_now_ns() + patience_ns);
	worker->channel.pidfd = -1;
	/* One that is still running is the caller's to end; until then no other is started. */
	worker->is_alive = event == CHANNEL_CLOSED;
	if (event == CHANNEL_FLOOD)
		return err_set(err, ERR_BENCH,
			"printed more than %u bytes on its standard error: a command must be quiet",
			CHANNEL_NOISE_BYTES_MAX);
	if (event != CHANNEL_CLOSED)
		return err_set(err, ERR_BENCH,
			"did not end within %.3g s: it hangs, or takes far too long",
			(double)patience_ns / 1e9);
	if (sandbox_wait(worker->launch->cell, process, io_now_ns() + EXIT_WAIT_NS, ended, err) < 0)
		return -1;
	if (ended->wait_status == 0)
		return 0;
	sandbox_describe_exit(ended->wait_status, how, sizeof(how));
	return err_set(err, ERR_BENCH, "the command failed: %s", how);
}

static uint64_t nanoseconds(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_usec * 1000u;
}

/* One process from start to end, added to the sample. */
static int run_once(struct command_worker *worker, struct worker_sample *sample, struct err *err)
{
	struct sandbox_process process = {.pidfd = -1};
	uint64_t start_ns = io_now_ns();
	struct sandbox_exit ended = {.wait_status = 0};
	int result = execute(worker, &process, err);

	if (result == 0)
		result = await(worker, &process, &ended, err);
	sandbox_forget(&process);
	if (result != 0)
		return -1;
	sample->wall_ns += io_now_ns() - start_ns;
	sample->cpu_ns += nanoseconds(&ended.usage.ru_utime) + nanoseconds(&ended.usage.ru_stime);
	worker->involuntary += (uint64_t)ended.usage.ru_nivcsw;
	return 0;
}

int command_worker_run(struct command_worker *worker, uint64_t iterations, size_t samples,
	struct burst *burst, struct err *err)
{
	uint64_t start_ns = io_now_ns();

	*burst = (struct burst){.count = samples};
	for (size_t i = 0; i < samples; i++) {
		for (uint64_t k = 0; k < iterations; k++) {
			if (run_once(worker, &burst->samples[i], err) < 0)
				return wrap(worker, err);
		}
		burst->inside_cpu_ns += burst->samples[i].cpu_ns;
		burst->inside_wall_ns += burst->samples[i].wall_ns;
	}
	burst->outside_cpu_ns = burst->inside_cpu_ns;
	burst->elapsed_ns = io_now_ns() - start_ns;
	return 0;
}

const char *command_worker_tail(struct command_worker *worker)
{
	return worker->launch ? channel_tail(&worker->channel) : "";
}

void command_worker_release(struct command_worker *worker)
{
	if (!worker->launch)
		return;
	channel_release(&worker->channel);
	channel_child_close(&worker->child);
	worker_list_release(&worker->list);
	attr_close(&worker->stdin_fd);
	*worker = (struct command_worker){.stdin_fd = -1};
}
