#include "sandbox/request.h"

#include "sandbox/base/io.h"

static int receive(struct sandbox_cell *cell, struct wire_reply *reply, int *fd, struct err *err)
{
	struct wire_received received = {0};

	if (wire_receive(cell->keeper_socket, reply, sizeof(*reply),
		    io_now_ns() + cell->patience_ns, &received, err) < 0) {
		if (err->kind == ERR_LIMIT)
			err->kind = ERR_CONFINE;
		return err_wrap(err, "keeper of the cell");
	}
	if (received.bytes != sizeof(*reply)) {
		wire_release(&received);
		return err_set(err, ERR_OS, "keeper of the cell: it has ended");
	}
	if (fd != NULL && received.fds_count > 0)
		*fd = steal_fd(&received.fds[0]);
	wire_release(&received);
	return 0;
}

int request_receive(struct sandbox_cell *cell, struct wire_reply *reply, int *fd, struct err *err)
{
	/* A late reply to this request would be taken for the reply to the next. */
	if (receive(cell, reply, fd, err) < 0) {
		(void)close(steal_fd(&cell->keeper_socket));
		return -1;
	}
	if (reply->failed == 0)
		return 0;
	*err = reply->err;
	err_from_wire(err);
	return -1;
}

int request_send(struct sandbox_cell *cell, const struct wire_packet *packet, struct err *err)
{
	if (cell->keeper_socket < 0)
		return err_set(err, ERR_OS, "keeper of the cell: it does not answer any more");
	if (wire_send(cell->keeper_socket, packet, err) < 0)
		return err_wrap(err, "keeper of the cell");
	return 0;
}

int request_make(struct sandbox_cell *cell, const struct wire_packet *packet,
	struct wire_reply *reply, int *fd, struct err *err)
{
	if (request_send(cell, packet, err) < 0)
		return -1;
	return request_receive(cell, reply, fd, err);
}

int request_plain(struct sandbox_cell *cell, enum wire_verb verb, uint32_t id,
	struct wire_reply *reply, struct err *err)
{
	struct wire_request request = {.verb = (uint32_t)verb, .id = id};
	struct wire_packet packet = {.head = &request, .head_bytes = sizeof(request)};

	return request_make(cell, &packet, reply, NULL, err);
}
