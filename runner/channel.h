/*
 * A running worker's pipes, seen from outside: commands in, replies out, noise kept apart.
 *
 * worker.c starts the program with these pipes; here nothing is understood, only bounded. A line
 * has a maximum, silence has a deadline, and what the program prints on its standard output and
 * error is drained whenever we wait, so that it can neither block the program nor fill our memory:
 * its newest CHANNEL_TAIL_BYTES are kept for messages.
 *
 * The caller ignores SIGPIPE.
 */
#ifndef RUNNER_CHANNEL_H
#define RUNNER_CHANNEL_H

#include "sandbox/base/attr.h"
#include "sandbox/base/buf.h"
#include "sandbox/base/err.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHANNEL_TAIL_BYTES 8000
#define CHANNEL_NOISE_BYTES_MAX (1u << 20) /* one process may print this much */

/* What ended the wait for a line. */
enum channel_event {
	CHANNEL_LINE,     /* channel.line */
	CHANNEL_SILENT,   /* the deadline passed, or all is to stop */
	CHANNEL_CLOSED,   /* the process ended or closed its end */
	CHANNEL_TOO_LONG, /* more than WORKER_LINE_BYTES_MAX without an LF */
	CHANNEL_FLOOD,    /* more than CHANNEL_NOISE_BYTES_MAX printed */
};

struct channel {
	int commands_fd;                   /* owned; we write; -1 = none */
	int replies_fd;                    /* owned; we read; -1 = none */
	int noise_fd;                      /* owned; standard output and error */
	int pidfd;                         /* borrowed: its end ends every wait */
	const volatile sig_atomic_t *stop; /* borrowed: once set, nobody waits; NULL = never */
	struct buf replies;                /* read, not yet consumed */
	size_t consumed;                   /* bytes of replies before the next line */
	const char *line; /* the last line, without LF; valid until the next wait */
	size_t line_length;
	struct buf tail;      /* of the noise */
	uint64_t noise_bytes; /* seen in all */
};

/* The worker's ends: given to the child, then closed. */
struct channel_child {
	int commands_fd, replies_fd, noise_fd; /* owned */
};

/* Make the pipes; `with_protocol` false = noise only. Errors: ERR_OS; then nothing is owned. */
int channel_open(struct channel *channel, struct channel_child *child, bool with_protocol,
	struct err *err) ATTR_MUST_USE;
void channel_child_close(struct channel_child *child);
/* Accepts one zeroed by channel_init() or half made. */
void channel_release(struct channel *channel);
void channel_init(struct channel *channel);

/* Write one command, LF included. False: the worker takes no more (it ended, or never reads). */
bool channel_send(struct channel *channel, const char *command) ATTR_MUST_USE;

/* Wait for one line until deadline_ns (io_now_ns()), draining the noise meanwhile. */
enum channel_event channel_wait_line(struct channel *channel, uint64_t deadline_ns) ATTR_MUST_USE;

/* Wait for the process's end: CHANNEL_CLOSED, CHANNEL_SILENT at the deadline or CHANNEL_FLOOD. */
enum channel_event channel_wait_end(struct channel *channel, uint64_t deadline_ns) ATTR_MUST_USE;

/* Take what noise there is, without waiting. */
void channel_drain(struct channel *channel);

/* The newest of the noise, printable; valid until the next call. Never NULL. */
const char *channel_tail(struct channel *channel);

/* Has the worker written anything that nobody asked for? */
bool channel_has_more(struct channel *channel);

#endif
