#include "runner/channel.h"

#include "runner/worker_lines.h"

#include "sandbox/base/io.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>

#define BLOCK_BYTES 16384

void channel_init(struct channel *channel)
{
	*channel = (struct channel){
		.commands_fd = -1, .replies_fd = -1, .noise_fd = -1, .pidfd = -1};
	buf_init(&channel->replies, WORKER_LINE_BYTES_MAX + BLOCK_BYTES);
	buf_init(&channel->tail, CHANNEL_TAIL_BYTES + BLOCK_BYTES);
}

void channel_release(struct channel *channel)
{
	attr_close(&channel->commands_fd);
	attr_close(&channel->replies_fd);
	attr_close(&channel->noise_fd);
	buf_release(&channel->replies);
	buf_release(&channel->tail);
	channel_init(channel);
}

void channel_child_close(struct channel_child *child)
{
	attr_close(&child->commands_fd);
	attr_close(&child->replies_fd);
	attr_close(&child->noise_fd);
	*child = (struct channel_child){-1, -1, -1};
}

/* One pipe; our end never blocks: the other end belongs to somebody who may never read or write. */
static int open_pipe(int *ours, int *theirs, bool we_write, struct err *err)
{
	int ends[2];

	if (io_pipe(ends, err) < 0)
		return -1;
	*ours = ends[we_write];
	*theirs = ends[!we_write];
	if (fcntl(*ours, F_SETFL, O_NONBLOCK) < 0)
		return err_errno(err, ERR_OS, "pipe");
	return 0;
}

int channel_open(
	struct channel *channel, struct channel_child *child, bool with_protocol, struct err *err)
{
	channel_init(channel);
	*child = (struct channel_child){-1, -1, -1};
	if (open_pipe(&channel->noise_fd, &child->noise_fd, false, err) == 0 &&
		(!with_protocol ||
			(open_pipe(&channel->commands_fd, &child->commands_fd, true, err) == 0 &&
				open_pipe(&channel->replies_fd, &child->replies_fd, false, err) ==
					0)))
		return 0;
	channel_release(channel);
	channel_child_close(child);
	return -1;
}

bool channel_send(struct channel *channel, const char *command)
{
	size_t length = strlen(command);
	ssize_t wrote;

	do
		wrote = write(channel->commands_fd, command, length);
	while (wrote < 0 && errno == EINTR);
	/* A command is shorter than PIPE_BUF: the pipe takes all of it or nothing. */
	return wrote == (ssize_t)length;
}

/* One read of the noise; false where there is none now or ever again. */
static bool read_noise(struct channel *channel)
{
	char block[BLOCK_BYTES];
	struct err ignored;
	ssize_t got = read(channel->noise_fd, block, sizeof(block));

	if (got < 0)
		return errno == EINTR;
	if (got == 0) {
		attr_close(&channel->noise_fd);
		channel->noise_fd = -1;
		return false;
	}
	channel->noise_bytes += (uint64_t)got;
	/* Out of memory costs a part of a message, not the measurement. */
	if (buf_append(&channel->tail, block, (size_t)got, &ignored) == 0)
		buf_keep_tail(&channel->tail, CHANNEL_TAIL_BYTES);
	return true;
}

static bool is_flooded(const struct channel *channel)
{
	return channel->noise_bytes > CHANNEL_NOISE_BYTES_MAX;
}

void channel_drain(struct channel *channel)
{
	bool is_more = true;

	while (is_more && channel->noise_fd >= 0 && !is_flooded(channel))
		is_more = read_noise(channel);
}

const char *channel_tail(struct channel *channel)
{
	channel_drain(channel);
	if (channel->tail.data)
		text_make_printable_lines(channel->tail.data);
	return buf_text(&channel->tail);
}

/* What poll(2) found ready. */
struct ready {
	bool replies, noise, end, timeout;
};

/* A signal that comes just before poll(2) does not end it. */
#define STOP_SEEN_MS 200

static bool is_stopped(const struct channel *channel)
{
	return channel->stop && *channel->stop;
}

/* How long to wait at a time; 0 where nothing is left. */
static int timeout_ms(const struct channel *channel, uint64_t deadline_ns)
{
	uint64_t now_ns = io_now_ns();
	uint64_t left_ms;

	if (deadline_ns <= now_ns || is_stopped(channel))
		return 0;
	left_ms = (deadline_ns - now_ns) / 1000000u + 1;
	if (channel->stop && left_ms > STOP_SEEN_MS)
		return STOP_SEEN_MS;
	return left_ms > INT_MAX ? INT_MAX : (int)left_ms;
}

static struct ready wait_ready(struct channel *channel, uint64_t deadline_ns, bool want_replies)
{
	struct pollfd fds[] = {
		{.fd = want_replies ? channel->replies_fd : -1, .events = POLLIN},
		{.fd = channel->noise_fd, .events = POLLIN},
		{.fd = channel->pidfd, .events = POLLIN},
	};
	int wait_ms, count;

	do {
		wait_ms = timeout_ms(channel, deadline_ns);
		count = poll(fds, ARRAY_LENGTH(fds), wait_ms);
	} while (wait_ms > 0 && (count == 0 || (count < 0 && errno == EINTR)));
	return (struct ready){
		.replies = fds[0].revents != 0,
		.noise = fds[1].revents != 0,
		.end = fds[2].revents != 0,
		.timeout = count <= 0,
	};
}

/* Point channel->line at the next whole line; false where it has not all arrived. */
static bool take_line(struct channel *channel)
{
	struct buf *replies = &channel->replies;
	char *start, *end;

	if (channel->consumed == replies->length)
		return false;
	start = replies->data + channel->consumed;
	end = memchr(start, '\n', replies->length - channel->consumed);
	if (!end)
		return false;
	*end = '\0';
	channel->line = start;
	channel->line_length = (size_t)(end - start);
	channel->consumed += channel->line_length + 1;
	return true;
}

/* Make room by dropping the lines already handed out. */
static void drop_consumed(struct channel *channel)
{
	buf_keep_tail(&channel->replies, channel->replies.length - channel->consumed);
	channel->consumed = 0;
}

static enum channel_event read_replies(struct channel *channel)
{
	char block[BLOCK_BYTES];
	struct err ignored;
	ssize_t got = read(channel->replies_fd, block, sizeof(block));

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return CHANNEL_LINE;
	if (got <= 0)
		return CHANNEL_CLOSED;
	if (buf_append(&channel->replies, block, (size_t)got, &ignored) < 0)
		return CHANNEL_TOO_LONG;
	return CHANNEL_LINE;
}

enum channel_event channel_wait_line(struct channel *channel, uint64_t deadline_ns)
{
	while (!take_line(channel)) {
		enum channel_event event = CHANNEL_LINE;
		struct ready ready;

		drop_consumed(channel);
		if (channel->replies.length >= WORKER_LINE_BYTES_MAX)
			return CHANNEL_TOO_LONG;
		ready = wait_ready(channel, deadline_ns, true);
		if (ready.noise && read_noise(channel) && is_flooded(channel))
			return CHANNEL_FLOOD;
		if (ready.replies)
			event = read_replies(channel);
		else if (ready.end)
			event = CHANNEL_CLOSED;
		else if (ready.timeout || io_now_ns() >= deadline_ns)
			event = CHANNEL_SILENT;
		if (event != CHANNEL_LINE)
			return event;
	}
	return channel->line_length < WORKER_LINE_BYTES_MAX ? CHANNEL_LINE : CHANNEL_TOO_LONG;
}

enum channel_event channel_wait_end(struct channel *channel, uint64_t deadline_ns)
{
	for (;;) {
		struct ready ready = wait_ready(channel, deadline_ns, false);

		if (ready.noise && read_noise(channel) && is_flooded(channel))
			return CHANNEL_FLOOD;
		if (ready.end)
			return CHANNEL_CLOSED;
		if (ready.timeout || io_now_ns() >= deadline_ns)
			return CHANNEL_SILENT;
	}
}

bool channel_has_more(struct channel *channel)
{
	if (channel->consumed == channel->replies.length) {
		drop_consumed(channel);
		(void)read_replies(channel);
	}
	return channel->consumed < channel->replies.length;
}
