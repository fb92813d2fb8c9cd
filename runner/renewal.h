/*
 * New code at both sides' paths before each visit: a layout not used before, or copies.
 *
 * layout_queue, fresh -> files in place. Keeps account of the time both take.
 */
#ifndef RUNNER_RENEWAL_H
#define RUNNER_RENEWAL_H

#include "runner/layout_queue.h"
#include "runner/side.h"

/* Made by renewal_start(). */
struct renewal {
	struct side *sides; /* borrowed, two */
	bool varied;        /* else copies of the original */
	struct layout_queue layouts;
	double links_s, files_s; /* so far */
};

void renewal_start(struct renewal *renewal, struct side *sides, bool varied);

/*
 * Put new files in place; `wanted` as of layout_queue_take(). No process of either side may run.
 * Errors: ERR_BUILD no layout can be had any more, the old files are still there; ERR_CONFINE,
 * ERR_OS.
 */
int renewal_next(struct renewal *renewal, unsigned wanted, struct err *err) ATTR_MUST_USE;

/* Of a visit, for the layout it uses up: seconds on average, 0 where unknown. */
double renewal_link_s(const struct renewal *renewal);

void renewal_release(struct renewal *renewal);

#endif
