#include "runner/worker.h"

#include "sandbox/base/io.h"
#include "sandbox/base/text.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMANDS_AS 3 /* the worker's descriptors */
#define REPLIES_AS 4
#define NO_ID SIZE_MAX
#define EXIT_WAIT_NS UINT64_C(1000000000) /* a closed pipe usually means that it is ending */
#define OVERHEAD_NS_MAX 20000             /* believed of a clock reading */
#define PROTOCOL_TRIES 5
#define SAMPLE_BOOKS_NS 3000 /* calls around a sample and its two numbers in the reply */

void worker_release(struct worker *worker)
{
	if (!worker->launch)
		return;
	channel_release(&worker->channel);
	sandbox_forget(&worker->process);
	worker_list_release(&worker->list);
	attr_close(&worker->schedstat_fd);
	*worker = (struct worker){.schedstat_fd = -1};
}

const char *worker_tail(struct worker *worker)
{
	return worker->launch ? channel_tail(&worker->channel) : "";
}

/* Put who it was in front: side, program and, where one is meant, the benchmark. */
static int wrap(const struct worker *worker, size_t id, struct err *err)
{
	if (id < worker->list.count)
		(void)err_wrap(err, "benchmark \"%s\"", worker->list.items[id].name);
	return err_wrap(err, "%s: %s", worker->launch->side, worker->launch->label);
}

/* How the process ended, or that it did not. */
static int explain_closed(struct worker *worker, const char *asked, struct err *err)
{
	struct sandbox_exit ended;
	struct err ignored;
	char how[80];

	if (sandbox_wait(worker->launch->cell, &worker->process, io_now_ns() + EXIT_WAIT_NS, &ended,
		    &ignored) < 0)
		return err_set(
			err, ERR_BENCH, "closed its reply pipe instead of answering \"%s\"", asked);
	sandbox_describe_exit(ended.wait_status, how, sizeof(how));
	return err_set(err, ERR_BENCH, "ended instead of answering \"%s\": %s", asked, how);
}

/* The wait for the answer to `asked` brought no line: the worker is lost. */
static int lose(struct worker *worker, enum channel_event event, const char *asked,
	uint64_t patience_ns, struct err *err)
{
	worker->is_alive = false;
	switch (event) {
	case CHANNEL_SILENT:
		return err_set(err, ERR_BENCH,
			"did not answer \"%s\" within %.3g s: it hangs, or takes far too long",
			asked, (double)patience_ns / 1e9);
	case CHANNEL_TOO_LONG:
		return err_set(err, ERR_BENCH,
			"does not speak the worker protocol: answered \"%s\" with a line of more "
			"than "
			"%d bytes",
			asked, WORKER_LINE_BYTES_MAX);
	case CHANNEL_FLOOD:
		return err_set(err, ERR_BENCH,
			"printed more than %u bytes on its standard output and error: a worker "
			"must "
			"be quiet",
			CHANNEL_NOISE_BYTES_MAX);
	case CHANNEL_CLOSED:
	case CHANNEL_LINE:
	default:
		return explain_closed(worker, asked, err);
	}
}

/* Wait for one line; an "error" reply becomes our error and leaves the worker alive. */
static int await(struct worker *worker, const char *asked, uint64_t patience_ns, struct err *err)
{
	enum channel_event event = channel_wait_line(&worker->channel, io_now_ns() + patience_ns);
	const char *said;
	char text[WORKER_TEXT_BYTES_MAX / 2];

	if (event != CHANNEL_LINE)
		return lose(worker, event, asked, patience_ns, err);
	said = worker_lines_error(worker->channel.line, worker->channel.line_length);
	if (!said)
		return 0;
	(void)text_copy(text, sizeof(text), said);
	text_make_printable(text);
	return err_set(err, ERR_BENCH, "\"%s\" failed: %s", asked, text);
}

/* Send a command and wait for one line. `asked` is its verb, for messages. */
static int ask(struct worker *worker, const char *command, const char *asked, uint64_t patience_ns,
	struct err *err)
{
	if (!worker->is_alive)
		return err_set(err, ERR_BENCH, "is gone");
	if (channel_has_more(&worker->channel)) {
		worker->is_alive = false;
		return err_set(err, ERR_BENCH,
			"does not speak the worker protocol: wrote something before it was asked "
			"\"%s\"",
			asked);
	}
	if (!channel_send(&worker->channel, command))
		return lose(worker, CHANNEL_CLOSED, asked, patience_ns, err);
	return await(worker, asked, patience_ns, err);
}

/* A reply that could not be understood: what follows it cannot be trusted either. */
static int checked(struct worker *worker, int parsed)
{
	if (parsed < 0)
		worker->is_alive = false;
	return parsed;
}

/* The strings of one start; they live until sandbox_start() returns. */
struct start_strings {
	const char *argv[LAUNCH_ARGV_LENGTH];
	char in[16], out[16], heap[32], padding[LAUNCH_PADDING_BYTES];
	const char *env[5];
};

static void make_env(struct start_strings *strings, const struct launch_offsets *offsets)
{
	(void)snprintf(strings->in, sizeof(strings->in), "DUEL_IN=%d", COMMANDS_AS);
	(void)snprintf(strings->out, sizeof(strings->out), "DUEL_OUT=%d", REPLIES_AS);
	(void)snprintf(strings->heap, sizeof(strings->heap), "DUEL_HEAP=%u", offsets->heap_bytes);
	launch_make_padding(offsets, strings->padding);
	strings->env[0] = strings->in;
	strings->env[1] = strings->out;
	strings->env[2] = strings->padding;
	strings->env[3] = offsets->heap_bytes > 0 ? strings->heap : NULL;
	strings->env[4] = NULL;
}

static int execute(struct worker *worker, const struct channel_child *child,
	const struct launch_offsets *offsets, int cpu, struct err *err)
{
	const struct launch *launch = worker->launch;
	struct start_strings strings;
	struct sandbox_command command = {
		.argv = strings.argv,
		.env = strings.env,
		.stdin_fd = -1,
		.stdout_fd = child->noise_fd,
		.stderr_fd = child->noise_fd,
		.fds = {{child->commands_fd, COMMANDS_AS}, {child->replies_fd, REPLIES_AS}},
		.fds_count = 2,
		.cpu = cpu,
		.stack_bytes = offsets->stack_bytes,
		.same_addresses = offsets->same_addresses,
	};

	if (launch_make_argv(launch, strings.argv, err) < 0)
		return -1;
	make_env(&strings, offsets);
	if (sandbox_start(launch->cell, &command, &worker->process, err) < 0)
		return -1;
	worker->channel.pidfd = worker->process.pidfd;
	worker->is_alive = true;
	return 0;
}

int worker_start(struct worker *worker, const struct launch *launch,
	const struct launch_offsets *offsets, int cpu, struct err *err)
{
	struct channel_child child;
	int started;

	*worker = (struct worker){.launch = launch, .schedstat_fd = -1, .process = {.pidfd = -1}};
	if (channel_open(&worker->channel, &child, true, err) < 0)
		return wrap(worker, NO_ID, err);
	worker->channel.stop = launch->stop;
	started = execute(worker, &child, offsets, cpu, err);
	channel_child_close(&child);
	if (started < 0 || await(worker, "hello", launch->patience.hello_ns, err) < 0)
		return wrap(worker, NO_ID, err);
	if (checked(worker, worker_lines_hello(worker->channel.line, worker->channel.line_length,
				    &worker->hello, err)) < 0)
		return wrap(worker, NO_ID, err);
	return 0;
}

/* Read lines until "end COUNT"; the first one has arrived. */
static int read_list(struct worker *worker, struct worker_list *list, struct err *err)
{
	const struct channel *channel = &worker->channel;
	uint64_t patience_ns = worker->launch->patience.hello_ns;
	uint64_t deadline_ns = io_now_ns() + patience_ns;

	while (!worker_lines_is_end(channel->line, channel->line_length)) {
		struct worker_benchmark *benchmark = worker_list_add(list, err);
		enum channel_event event;

		if (!benchmark || worker_lines_benchmark(channel->line, channel->line_length,
					  list->count - 1, benchmark, err) < 0)
			return -1;
		event = channel_wait_line(&worker->channel, deadline_ns);
		if (event != CHANNEL_LINE)
			return lose(worker, event, "list", patience_ns, err);
	}
	if (worker_lines_end(channel->line, channel->line_length, list->count, err) < 0)
		return -1;
	if (list->count == 0)
		return err_set(err, ERR_BENCH, "has no benchmark");
	return 0;
}

/* Does the process have threads beside its first? Not known counts as no. */
static bool has_threads(const struct worker *worker)
{
	AUTO_BUF text = {.bytes_max = 4096};
	char path[64];
	struct err ignored;
	const char *threads;

	(void)snprintf(path, sizeof(path), "/proc/%d/status", worker->process.pid);
	if (io_read_file(&text, path, &ignored) < 0)
		return false;
	threads = strstr(buf_text(&text), "\nThreads:\t");
	return threads && strtol(threads + strlen("\nThreads:\t"), NULL, 10) > 1;
}

/* A runtime's own threads (collector, compiler) are not in the clock of the thread that measures.
 */
static void choose_clock(struct worker *worker)
{
	char path[64];

	if (worker->hello.clock != WORKER_CLOCK_THREAD || !has_threads(worker))
		return;
	(void)snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", worker->process.pid,
		worker->process.pid);
	worker->schedstat_fd = open(path, O_RDONLY | O_CLOEXEC);
}

/* CPU time of what the worker's own clock covers, from outside. */
static int read_clock(const struct worker *worker, uint64_t *ns, struct err *err)
{
	char text[100];
	ssize_t got;

	if (worker->schedstat_fd < 0)
		return sandbox_cpu_ns(&worker->process, ns, err);
	got = pread(worker->schedstat_fd, text, sizeof(text) - 1, 0);
	if (got <= 0)
		return err_set(err, ERR_BENCH, "its CPU clock cannot be read: it is gone");
	text[got] = '\0';
	text[strcspn(text, " ")] = '\0';
	if (!text_to_u64(text, UINT64_MAX, ns))
		return err_set(err, ERR_BUG, "schedstat: \"%s\" is no number", text);
	return 0;
}

/* What one exchange costs: an unknown command, which every worker answers by an error. */
static int measure_protocol(struct worker *worker, struct err *err)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < PROTOCOL_TRIES; i++) {
		struct err expected = {0};
		uint64_t before, after;

		if (read_clock(worker, &before, err) < 0)
			return -1;
		if (ask(worker, "?\n", "?", worker->launch->patience.hello_ns, &expected) == 0) {
			worker->is_alive = false;
			return err_set(err, ERR_BENCH,
				"does not speak the worker protocol: answered the unknown command "
				"\"?\" without an error");
		}
		if (!worker->is_alive) {
			*err = expected;
			return -1;
		}
		if (read_clock(worker, &after, err) < 0)
			return -1;
		if (after - before < least)
			least = after - before;
	}
	worker->protocol_ns = least;
	return 0;
}

int worker_ask_list(struct worker *worker, const struct worker_list *expected, struct err *err)
{
	struct worker_list list = {NULL, 0, 0};
	int result = ask(worker, "list\n", "list", worker->launch->patience.hello_ns, err);

	if (result == 0)
		result = checked(worker, read_list(worker, &list, err));
	if (result == 0)
		result = expected ? worker_list_check_same(&list, expected, err)
				  : worker_list_check_unique(&list, err);
	if (result == 0) {
		choose_clock(worker);
		result = measure_protocol(worker, err);
	}
	if (result < 0) {
		worker_list_release(&list);
		return wrap(worker, NO_ID, err);
	}
	worker_list_release(&worker->list);
	worker->list = list;
	return 0;
}

int worker_setup(struct worker *worker, size_t id, struct worker_ready *ready, struct err *err)
{
	char command[40];

	(void)snprintf(command, sizeof(command), "setup %zu\n", id);
	if (ask(worker, command, "setup", worker->launch->patience.setup_ns, err) < 0)
		return wrap(worker, id, err);
	if (checked(worker, worker_lines_ready(worker->channel.line, worker->channel.line_length,
				    id, ready, err)) < 0)
		return wrap(worker, id, err);
	return 0;
}

int worker_teardown(struct worker *worker, size_t id, struct err *err)
{
	char command[40];

	(void)snprintf(command, sizeof(command), "teardown %zu\n", id);
	if (ask(worker, command, "teardown", worker->launch->patience.setup_ns, err) < 0)
		return wrap(worker, id, err);
	if (checked(worker, worker_lines_done(worker->channel.line, worker->channel.line_length, id,
				    err)) < 0)
		return wrap(worker, id, err);
	return 0;
}

static void add_up(struct burst *burst)
{
	burst->inside_cpu_ns = 0;
	burst->inside_wall_ns = 0;
	for (size_t i = 0; i < burst->count; i++) {
		burst->inside_cpu_ns += burst->samples[i].cpu_ns;
		burst->inside_wall_ns += burst->samples[i].wall_ns;
	}
}

static int run(
	struct worker *worker, size_t id, const char *command, struct burst *burst, struct err *err)
{
	uint64_t before_ns, after_ns, start_ns;

	if (read_clock(worker, &before_ns, err) < 0)
		return checked(worker, -1);
	start_ns = io_now_ns();
	if (ask(worker, command, "run", worker->launch->patience.burst_ns, err) < 0)
		return -1;
	burst->elapsed_ns = io_now_ns() - start_ns;
	if (read_clock(worker, &after_ns, err) < 0)
		return checked(worker, -1);
	burst->outside_cpu_ns = after_ns - before_ns;
	if (worker_lines_samples(worker->channel.line, worker->channel.line_length, id,
		    burst->count, burst->samples, err) < 0)
		return checked(worker, -1);
	add_up(burst);
	return 0;
}

int worker_run(struct worker *worker, size_t id, uint64_t iterations, size_t samples,
	struct burst *burst, struct err *err)
{
	char command[80];

	(void)snprintf(
		command, sizeof(command), "run %zu %" PRIu64 " %zu\n", id, iterations, samples);
	burst->count = samples;
	if (run(worker, id, command, burst, err) < 0)
		return wrap(worker, id, err);
	return 0;
}

uint64_t worker_overhead_ns(const struct worker *worker)
{
	return worker->hello.overhead_ns < OVERHEAD_NS_MAX ? worker->hello.overhead_ns
							   : OVERHEAD_NS_MAX;
}

uint64_t worker_protocol_ns(const struct worker *worker, size_t samples)
{
	return worker->protocol_ns + samples * (worker_overhead_ns(worker) + SAMPLE_BOOKS_NS);
}

int worker_quit(struct worker *worker, struct sandbox_exit *exit, struct err *err)
{
	uint64_t patience_ns = worker->launch->patience.farewell_ns;
	enum channel_event event;
	char how[80];

	if (!worker->is_alive)
		return 0;
	worker->is_alive = false;
	/* Where the pipe is closed it has ended already: the wait tells how. */
	(void)!channel_send(&worker->channel, "quit\n");
	event = channel_wait_end(&worker->channel, io_now_ns() + patience_ns);
	if (event != CHANNEL_CLOSED) {
		(void)lose(worker, event, "quit", patience_ns, err);
		return wrap(worker, NO_ID, err);
	}
	if (sandbox_wait(worker->launch->cell, &worker->process, io_now_ns() + EXIT_WAIT_NS, exit,
		    err) < 0)
		return wrap(worker, NO_ID, err);
	if (exit->wait_status == 0)
		return 0;
	sandbox_describe_exit(exit->wait_status, how, sizeof(how));
	(void)err_set(err, ERR_BENCH, "was told to end and failed: %s", how);
	return wrap(worker, NO_ID, err);
}
