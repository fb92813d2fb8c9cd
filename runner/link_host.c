#include "runner/link_host.h"

#include "sandbox/base/io.h"

#include <stdlib.h>
#include <sys/mman.h>

#define STOP_SEEN_NS UINT64_C(100000000)

static int start(
	void *payload, const struct layout_command *command, unsigned *process, struct err *err)
{
	struct link_host *host = payload;
	struct link_host_process *free_place = NULL;
	AUTO_FD output = -1;

	for (unsigned i = 0; i < LINK_HOST_PROCESSES_MAX && !free_place; i++) {
		if (host->processes[i].output_fd < 0) {
			free_place = &host->processes[i];
			*process = i;
		}
	}
	if (!free_place)
		return err_set(
			err, ERR_BUG, "more than %d links under way", LINK_HOST_PROCESSES_MAX);
	output = memfd_create("link", MFD_CLOEXEC);
	if (output < 0)
		return err_errno(err, ERR_OS, "output of a link");
	if (sandbox_start(host->cell,
		    &(struct sandbox_command){
			    .argv = command->argv,
			    .env = command->env,
			    .cwd = command->cwd,
			    .stdin_fd = -1,
			    .stdout_fd = output,
			    .stderr_fd = output,
			    .cpu = -1,
		    },
		    &free_place->process, err) < 0)
		return -1;
	free_place->output_fd = steal_fd(&output);
	return 0;
}

/* As much of the output as fits. */
static int take_output(int fd, struct buf *output, struct err *err)
{
	char block[16384];
	off_t at = 0;

	for (;;) {
		ssize_t got = pread(fd, block, sizeof(block), at);
		size_t room = output->bytes_max - output->length;

		if (got < 0)
			return err_errno(err, ERR_OS, "output of a link");
		if (got == 0 || room == 0)
			return 0;
		if (buf_append(output, block, (size_t)got < room ? (size_t)got : room, err) < 0)
			return -1;
		at += got;
	}
}

static bool is_stopped(const struct link_host *host)
{
	return host->stop && *host->stop;
}

/* A signal that comes just before the wait does not end it: so in short turns. */
static int await(const struct link_host *host, struct sandbox_process *process,
	struct sandbox_exit *ended, struct err *err)
{
	uint64_t deadline_ns = io_now_ns() + LINK_HOST_SECONDS_MAX * UINT64_C(1000000000);
	struct err waiting;

	for (;;) {
		uint64_t now_ns = io_now_ns();
		uint64_t turn_ns = now_ns + STOP_SEEN_NS;

		if (is_stopped(host))
			return err_set(err, ERR_USAGE, "interrupted while linking");
		if (now_ns >= deadline_ns)
			return err_set(
				err, ERR_LIMIT, "not ended after %d s", LINK_HOST_SECONDS_MAX);
		/* A turn that ends is no error: those who called look at theirs. */
		if (sandbox_wait(host->cell, process, turn_ns < deadline_ns ? turn_ns : deadline_ns,
			    ended, &waiting) == 0)
			return 0;
		if (waiting.kind != ERR_LIMIT) {
			*err = waiting;
			return -1;
		}
	}
}

static int wait_for(
	void *payload, unsigned process, struct buf *output, int *wait_status, struct err *err)
{
	struct link_host *host = payload;
	struct link_host_process *place = &host->processes[process];
	struct sandbox_exit ended = {0};
	int result = await(host, &place->process, &ended, err);

	if (result == 0)
		result = take_output(place->output_fd, output, err);
	else if ((err->kind == ERR_LIMIT || is_stopped(host)) &&
		 sandbox_kill_all(host->cell, err) < 0)
		err->kind = ERR_CONFINE;
	*wait_status = ended.wait_status;
	sandbox_forget(&place->process);
	(void)close(steal_fd(&place->output_fd));
	return result;
}

int link_host_init(struct link_host *host, struct sandbox_cell *cell, const char *tree,
	const char *scratch, const volatile sig_atomic_t *stop, struct err *err)
{
	*host = (struct link_host){.cell = cell, .stop = stop};
	host->processes = calloc(LINK_HOST_PROCESSES_MAX, sizeof(*host->processes));
	if (!host->processes)
		return err_errno(err, ERR_OS, "links");
	for (unsigned i = 0; i < LINK_HOST_PROCESSES_MAX; i++)
		host->processes[i].output_fd = -1;
	host->calls = (struct layout_host){
		.payload = host,
		.start = start,
		.wait = wait_for,
		.tree_outside = tree,
		.tree_inside = cell->tree,
		.scratch_outside = scratch,
		.scratch_inside = cell->scratch,
	};
	return 0;
}

void link_host_release(struct link_host *host)
{
	for (unsigned i = 0; host->processes && i < LINK_HOST_PROCESSES_MAX; i++) {
		if (host->processes[i].output_fd < 0)
			continue;
		sandbox_forget(&host->processes[i].process);
		(void)close(host->processes[i].output_fd);
	}
	free(host->processes);
	*host = (struct link_host){0};
}
