/*
 * What the supervisor and a keeper say to each other: one packet a request, one a reply, over a
 * SOCK_SEQPACKET pair. The keeper never speaks unasked, so neither side needs a queue.
 */
#ifndef SANDBOX_WIRE_H
#define SANDBOX_WIRE_H

#include "sandbox/descriptors.h"
#include "sandbox/sandbox.h"

#include <stdint.h>
#include <sys/resource.h>

enum wire_verb {
	WIRE_START, /* strings follow; the reply carries the pidfd */
	WIRE_REAP,  /* the exit of command `id`, once its pidfd says it has ended */
	WIRE_COUNT, /* processes in the cell */
	WIRE_KILL,  /* end all of them, verified */
	WIRE_CLOSE  /* the same, then the keeper ends */
};

struct wire_request {
	uint32_t verb;
	uint32_t id;
	/* WIRE_START: the packet goes on with argc + envc + 1 strings, each with its terminator:
	 * the directory to start in, the arguments, the environment. */
	uint32_t argc;
	uint32_t envc;
	uint32_t strings_bytes;
	int32_t cpu; /* -1 = any */
	uint64_t stack_bytes;
	uint64_t cpu_seconds;
	uint32_t same_addresses;
	uint32_t explain; /* the last descriptor is the socket to send the listener through */
	uint32_t places_count;
	int32_t places_as[DESCRIPTORS_PLACED_MAX]; /* number of each descriptor sent along */
};

struct wire_reply {
	uint32_t failed; /* then err says why */
	uint32_t count;
	int32_t wait_status;
	struct rusage usage;
	struct err err;
};

#define WIRE_STRINGS_MAX (SANDBOX_ARGS_BYTES_MAX + 4096 + 4096)
#define WIRE_PACKET_MAX (sizeof(struct wire_request) + WIRE_STRINGS_MAX)
#define WIRE_FDS_MAX (DESCRIPTORS_PLACED_MAX + 1)

/* A packet: the bytes of `head`, then of `tail`. Descriptors are sent as copies. */
struct wire_packet {
	const void *head;
	size_t head_bytes;
	const void *tail; /* NULL = none */
	size_t tail_bytes;
	int fds[WIRE_FDS_MAX];
	unsigned fds_count;
};

/* Errors: ERR_OS; a peer that is gone is one, not a signal. */
int wire_send(int fd, const struct wire_packet *packet, struct err *err) ATTR_MUST_USE;

struct wire_received {
	size_t bytes; /* 0 = the peer has closed */
	int fds[WIRE_FDS_MAX];
	unsigned fds_count; /* owned: wire_release() */
};

/*
 * Wait for one packet of at most `room` bytes until deadline_ns.
 * Errors: ERR_LIMIT at the deadline; ERR_OS; ERR_BUG where it did not fit.
 */
int wire_receive(int fd, void *bytes, size_t room, uint64_t deadline_ns,
	struct wire_received *received, struct err *err) ATTR_MUST_USE;

/* Close what was received and not taken (taken ones are -1). */
void wire_release(struct wire_received *received);

#endif
