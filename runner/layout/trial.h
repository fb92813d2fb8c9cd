/*
 * The links that show whether a target can be varied, each split in start and finish so that
 * prepare.c can have several under way.
 *
 * Starts set *started; a start that sets it false had nothing to do. Both return errors of the host
 * only: what is wrong with one link becomes the target's reason.
 */
#ifndef RUNNER_LAYOUT_TRIAL_H
#define RUNNER_LAYOUT_TRIAL_H

#include "runner/layout/target.h"

/* One thing under way: a link, or one run of `ar` on one archive. */
struct trial {
	struct layout_target *target;
	size_t archive;  /* index */
	size_t instance; /* of several members of one name, from 1; 0 = the names that occur once */
	bool started;
	unsigned process;
};

/* Repeat the link: without pads, the tree's files as inputs, traced. */
int trial_repeat_start(struct trial *trial, struct err *err) ATTR_MUST_USE;
int trial_repeat_finish(struct trial *trial, struct err *err) ATTR_MUST_USE;

/* The same with the copies made at the time of the link, where the first had another result. */
int trial_again_start(struct trial *trial, struct err *err) ATTR_MUST_USE;
int trial_again_finish(struct trial *trial, struct err *err) ATTR_MUST_USE;

/* List the members of one archive. */
int trial_list_start(struct trial *trial, struct err *err) ATTR_MUST_USE;
int trial_list_finish(struct trial *trial, struct err *err) ATTR_MUST_USE;

/* Extract its members, those of one instance at a time. */
int trial_extract_start(struct trial *trial, struct err *err) ATTR_MUST_USE;
int trial_extract_finish(struct trial *trial, struct err *err) ATTR_MUST_USE;

/* Link with pads and compare. */
int trial_pads_start(struct trial *trial, struct err *err) ATTR_MUST_USE;
int trial_pads_finish(struct trial *trial, struct err *err) ATTR_MUST_USE;

/* The same without naming any member alone, where the first failed. */
int trial_plain_start(struct trial *trial, struct err *err) ATTR_MUST_USE;
int trial_plain_finish(struct trial *trial, struct err *err) ATTR_MUST_USE;

#endif
