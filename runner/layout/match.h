/*
 * Which recorded link made a file of the tree?
 *
 * The one whose output had the same bytes; else, where the file was stripped or otherwise changed
 * in what is not loaded, the newest whose output loads the same image.
 */
#ifndef RUNNER_LAYOUT_MATCH_H
#define RUNNER_LAYOUT_MATCH_H

#include "runner/layout/links.h"
#include "runner/layout/target.h"

/*
 * Open the target below `tree` and find its link among `links`, whose copies lie in store_fd. Sets
 * the target's record and header, or its reason. Errors: ERR_OS.
 */
int match_target(struct layout_target *target, const char *tree, const struct links *links,
	int store_fd, struct err *err) ATTR_MUST_USE;

#endif
