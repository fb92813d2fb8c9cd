/* The C library and the kernel: a large copy, and messages through a pipe. */
#include "../suite.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COPY_BYTES 65536

struct channel {
	int ends[2];
};

static void *make_copy(long value)
{
	char *bytes = suite_memory(2 * COPY_BYTES + (size_t)value);

	memset(bytes, 'c', COPY_BYTES);
	duel_bytes(COPY_BYTES);
	return bytes;
}

static void *open_pipe(long value)
{
	struct channel *channel = suite_memory(sizeof(*channel) + (size_t)value);

	if (pipe2(channel->ends, O_CLOEXEC) != 0)
		duel_error("no pipe");
	return channel;
}

static void close_pipe(void *state)
{
	struct channel *channel = state;

	close(channel->ends[0]);
	close(channel->ends[1]);
	free(channel);
}

SUITE("copy: 64 KiB", make_copy, free)
{
	char *bytes = state;

	memcpy(bytes + COPY_BYTES, bytes, COPY_BYTES);
	duel_keep(bytes);
}

SUITE("system: pipe", open_pipe, close_pipe)
{
	struct channel *channel = state;
	char message[64];
	int i;

	memset(message, 'm', sizeof(message));
	for (i = 0; i < 4; i++) {
		if (write(channel->ends[1], message, sizeof(message)) != sizeof(message) ||
			read(channel->ends[0], message, sizeof(message)) != sizeof(message))
			duel_error("the pipe lost a message");
	}
}
