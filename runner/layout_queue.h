/*
 * The next layout of both sides, linked some at a time between visits.
 *
 * layout/ -> one set of files a side for each visit, never used before. A link that turns out
 * unusable is passed over and another layout drawn; several in a row end it.
 */
#ifndef RUNNER_LAYOUT_QUEUE_H
#define RUNNER_LAYOUT_QUEUE_H

#include "runner/layout/layout.h"

#include <stdbool.h>

#define LAYOUT_QUEUE_BATCH 8u /* linked at a time, at most */
#define LAYOUT_QUEUE_LEAST 2u
#define LAYOUT_QUEUE_FAILURES_MAX 3u /* unusable layouts in a row */

/* Zeroed but for the sides: nothing linked so far. */
struct layout_queue {
	struct layout_side *sides[2]; /* borrowed */
	struct layout_set sets[2][LAYOUT_QUEUE_BATCH];
	bool usable[LAYOUT_QUEUE_BATCH];
	unsigned linked, used; /* of the sets */
	unsigned next_number;
	unsigned made; /* in all, also those that could not be used */
	unsigned failed, failed_in_row;
	struct err failure; /* of the last one that failed */
};

/*
 * The next layout: sets[i] of side i are the caller's, to be released. Where none is left, links as
 * many as are `wanted` from now on, within the limits above: nothing may be measured meanwhile.
 * Errors: ERR_BUILD LAYOUT_QUEUE_FAILURES_MAX in a row were unusable, says why the last one was;
 * others as the host's. Nothing is handed out then.
 */
int layout_queue_take(struct layout_queue *queue, unsigned wanted, struct layout_set sets[2],
	struct err *err) ATTR_MUST_USE;

/* Close what was linked and not taken. Accepts a zeroed one. */
void layout_queue_release(struct layout_queue *queue);

#endif
