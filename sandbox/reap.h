/*
 * Finding and ending every process of a cell.
 *
 * With a pid namespace the kernel knows them all. Without one they are the descendants of the
 * keeper, which is their subreaper: an orphan becomes its child. Killing those one by one loses a
 * race against a process that forks, so all are stopped first, until a scan finds none running (a
 * stopped process cannot fork), and only then killed.
 */
#ifndef SANDBOX_REAP_H
#define SANDBOX_REAP_H

#include "sandbox/base/err.h"

#include <stdbool.h>
#include <sys/types.h>

/* How many descendants of `root` live, zombies not counted. Reads /proc. Errors: ERR_OS. */
int reap_count(pid_t root, unsigned *count, struct err *err) ATTR_MUST_USE;

struct reap {
	pid_t root;      /* whose descendants */
	bool namespace;  /* root is pid 1 of its namespace, and it is us */
	bool orphans;    /* only confined children of root, and theirs */
	unsigned rounds; /* so far */
	unsigned quiet;  /* scans in a row that found nothing running */
	bool stopped;    /* the stopping is over: kill */
};

/*
 * One round: signal every descendant, tell in *left how many still live. Call until that is 0,
 * collecting the dead in between. Errors: ERR_OS.
 */
int reap_round(struct reap *reap, unsigned *left, struct err *err) ATTR_MUST_USE;

/*
 * The second line, in the supervisor: end the confined processes whose keeper was killed and that
 * came to us as orphans. Keepers and other children of ours are spared. Errors: ERR_CONFINE.
 */
int reap_confined_orphans(struct err *err) ATTR_MUST_USE;

#endif
