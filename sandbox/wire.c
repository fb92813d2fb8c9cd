#include "sandbox/wire.h"

#include "sandbox/base/io.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

union control {
	char bytes[CMSG_SPACE(sizeof(int) * WIRE_FDS_MAX)];
	struct cmsghdr aligned;
};

int wire_send(int fd, const struct wire_packet *packet, struct err *err)
{
	/* sendmsg(2) does not write through iov_base. */
	struct iovec parts[2] = {
		{(void *)(uintptr_t)packet->head, packet->head_bytes},
		{(void *)(uintptr_t)packet->tail, packet->tail_bytes},
	};
	struct msghdr message = {.msg_iov = parts, .msg_iovlen = packet->tail == NULL ? 1 : 2};
	union control control;

	if (packet->fds_count > 0) {
		size_t bytes = sizeof(int) * packet->fds_count;
		struct cmsghdr *header;

		memset(&control, 0, sizeof(control));
		message.msg_control = control.bytes;
		message.msg_controllen = CMSG_SPACE(bytes);
		header = CMSG_FIRSTHDR(&message);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(bytes);
		memcpy(CMSG_DATA(header), packet->fds, bytes);
	}
	while (sendmsg(fd, &message, MSG_NOSIGNAL) < 0)
		if (errno != EINTR)
			return err_errno(err, ERR_OS, "send to the peer of the cell");
	return 0;
}

static int wait_readable(int fd, uint64_t deadline_ns, struct err *err)
{
	for (;;) {
		struct pollfd ready = {.fd = fd, .events = POLLIN};
		int timeout_ms = -1;
		int polled;

		if (deadline_ns != UINT64_MAX) {
			uint64_t now_ns = io_now_ns();

			timeout_ms = deadline_ns <= now_ns
					     ? 0
					     : (int)((deadline_ns - now_ns) / 1000000u + 1);
		}
		polled = poll(&ready, 1, timeout_ms);
		if (polled > 0)
			return 0;
		if (polled == 0)
			return err_set(err, ERR_LIMIT, "no answer before the deadline");
		if (errno != EINTR)
			return err_errno(err, ERR_OS, "poll");
	}
}

static void take_fds(struct msghdr *message, struct wire_received *received)
{
	struct cmsghdr *header = CMSG_FIRSTHDR(message);

	if (header == NULL || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
		return;
	received->fds_count = (unsigned)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
	memcpy(received->fds, CMSG_DATA(header), sizeof(int) * received->fds_count);
}

int wire_receive(int fd, void *bytes, size_t room, uint64_t deadline_ns,
	struct wire_received *received, struct err *err)
{
	struct iovec part = {bytes, room};
	union control control;
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	ssize_t got;

	received->fds_count = 0;
	if (wait_readable(fd, deadline_ns, err) < 0)
		return -1;
	do
		got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	/* A peer that died with our packet unread shows as a reset, one that closed as an end. */
	if (got < 0 && errno == ECONNRESET)
		got = 0;
	if (got < 0)
		return err_errno(err, ERR_OS, "receive from the peer of the cell");
	take_fds(&message, received);
	if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
		wire_release(received);
		return err_set(err, ERR_BUG, "a packet of the cell did not fit");
	}
	received->bytes = (size_t)got;
	return 0;
}

void wire_release(struct wire_received *received)
{
	for (unsigned i = 0; i < received->fds_count; i++)
		attr_close(&received->fds[i]);
	received->fds_count = 0;
}
