/*
 * The supervisor's side of the wire: a request to a cell's keeper and its reply, with a deadline,
 * so that a keeper that hangs cannot hang the supervisor.
 */
#ifndef SANDBOX_REQUEST_H
#define SANDBOX_REQUEST_H

#include "sandbox/sandbox.h"
#include "sandbox/wire.h"

/*
 * Send the packet, wait for the reply, hand out the error it carries. A descriptor sent along goes
 * to *fd (NULL = none is expected). After a failure of the wire itself the cell takes no further
 * request. Errors: the keeper's own; ERR_CONFINE it does not answer; ERR_OS it is gone.
 */
int request_make(struct sandbox_cell *cell, const struct wire_packet *packet,
	struct wire_reply *reply, int *fd, struct err *err) ATTR_MUST_USE;

/* The same in two steps, for a caller with something to do in between. */
int request_send(
	struct sandbox_cell *cell, const struct wire_packet *packet, struct err *err) ATTR_MUST_USE;
int request_receive(struct sandbox_cell *cell, struct wire_reply *reply, int *fd,
	struct err *err) ATTR_MUST_USE;

/* A request without strings or descriptors. */
int request_plain(struct sandbox_cell *cell, enum wire_verb verb, uint32_t id,
	struct wire_reply *reply, struct err *err) ATTR_MUST_USE;

#endif
