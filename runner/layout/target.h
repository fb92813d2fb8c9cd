/*
 * One benchmarked file and its link: run it again, with or without pads.
 *
 * What prepare.c finds out about it step by step and layout.c then uses for every layout. Its
 * folder in scratch is held open, so that nobody who can write there changes what is meant; below
 * it each link has a folder of its own, removed when the link is finished.
 */
#ifndef RUNNER_LAYOUT_TARGET_H
#define RUNNER_LAYOUT_TARGET_H

#include "runner/layout/archive.h"
#include "runner/layout/draw.h"
#include "runner/layout/layout.h"
#include "runner/layout/links.h"
#include "runner/layout/replay.h"
#include "runner/layout/symbols.h"
#include "runner/layout/words.h"

#define TARGET_PADS "pads"

struct layout_target {
	const struct layout_host *host; /* borrowed */
	char *path;                     /* owned; relative to the tree */
	int original_fd;                /* owned; the file the build left */
	int folder_fd;                  /* owned */
	char *folder_inside;            /* owned; as the link sees it */

	const struct links_record *record; /* borrowed; NULL = none was found */
	struct words words;
	struct archive_names trace;
	struct archives archives;
	struct replay replay;

	Elf64_Ehdr header;      /* of the original */
	struct symbols symbols; /* of the repeated link */
	bool wants_plain;       /* the link failed with members named alone */
	char reason[LAYOUT_REASON_BYTES];
};

void target_release(struct layout_target *target); /* accepts a zeroed one with descriptors -1 */

/* Is its link known, and nothing against varying it so far? */
bool target_is_wanted(const struct layout_target *target);

/* Give up on varying it; of several reasons the first counts. The text is made printable. */
void target_refuse(struct layout_target *target, const char *format, ...) ATTR_PRINTF(2, 3);

/*
 * An error that is about this link alone becomes the target's reason: 0. Others remain errors: -1.
 */
int target_absorb(struct layout_target *target, const char *doing, const struct err *cause,
	struct err *err) ATTR_MUST_USE;

/*
 * Start a link in the new folder `name`: with pads, or with `draw` NULL without and traced.
 * Errors: as the host's.
 */
int target_link_start(const struct layout_target *target, const char *name, const struct draw *draw,
	unsigned *process, struct err *err) ATTR_MUST_USE;

/*
 * Wait for it; *fd is the file it made, which has no name any more. `output` is what it printed.
 * Errors: ERR_BUILD the link failed, with the end of what it said; ERR_LIMIT; others the host's.
 */
int target_link_finish(const struct layout_target *target, const char *name, unsigned process,
	struct buf *output, int *fd, struct err *err) ATTR_MUST_USE;

#endif
