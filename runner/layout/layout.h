/*
 * Random layouts of the same machine code: every process of a version runs a link of its own.
 *
 * Stands between build and visit. During the build duel-ld (layout_install(), layout_environment())
 * records every link. Afterwards layout_prepare() finds the link that made each benchmarked file,
 * repeats it, and takes it only where the repetition loads the same image byte for byte; then it
 * tries one link with pads between all objects and demands the same functions, of the same sizes,
 * at other addresses. From then on layout_link_start() makes a new layout whenever one is wanted:
 * no compiler runs again, the machine code stays.
 *
 * All programs (linker, ar) run through the caller's struct layout_host inside the version's own
 * confinement, since what they are told comes from an unreviewed build. Nothing here follows a link
 * or trusts a name the build chose. Where a file cannot be varied that is a reason, not an error.
 */
#ifndef RUNNER_LAYOUT_LAYOUT_H
#define RUNNER_LAYOUT_LAYOUT_H

#include "sandbox/base/attr.h"
#include "sandbox/base/buf.h"
#include "sandbox/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAYOUT_TARGETS_MAX 64   /* files of one version that are varied together */
#define LAYOUT_REASON_BYTES 400 /* printable, one line */
#define LAYOUT_AT_ONCE 4        /* programs running at a time while preparing */
#define LAYOUT_OUTPUT_BYTES_MAX ((size_t)16 << 20)

/* One program to run in the version's confinement. Strings are borrowed for the call. */
struct layout_command {
	const char *const *argv; /* argv[0] is searched in PATH; NULL-terminated */
	const char *const *env;  /* added to the built environment, a later one of a name counts */
	const char *cwd;         /* as seen inside */
};

/*
 * What the caller provides. Inside, the same paths must lead to tree and scratch as during the
 * build; the tree may be read-only now, scratch must be writable.
 */
struct layout_host {
	void *payload; /* handed to the calls */

	/*
	 * Start a program, its standard output and error going to where wait() reads them. Errors:
	 * ERR_BENCH it could not be executed, a reason; all others end the preparation.
	 */
	int (*start)(void *payload, const struct layout_command *command, unsigned *process,
		struct err *err);

	/*
	 * Wait for a started one: its output appended to `output`, as much as its maximum allows
	 * and the rest thrown away, and the status of waitpid(2). Called exactly once for each
	 * started one, in any order. Errors: ERR_LIMIT it took too long and has been ended, a
	 * reason; all others as for start().
	 */
	int (*wait)(void *payload, unsigned process, struct buf *output, int *wait_status,
		struct err *err);

	const char *tree_outside, *tree_inside; /* absolute; borrowed as long as the side lives */
	const char *scratch_outside, *scratch_inside;
};

/* --- during the build --------------------------------------------------------------------------
 */

/*
 * Put the link recorder and an empty record directory into a version's scratch directory.
 * `recorder` is the program duel-ld; it gets the name of each linker this machine has.
 * Errors: ERR_OS.
 */
int layout_install(
	const char *scratch_outside, const char *recorder, struct err *err) ATTR_MUST_USE;

/*
 * Where duel-ld is: beside the running program, or in ../libexec/duel/ of its folder.
 * Owns: *path is the caller's. Errors: ERR_OS, it is in neither.
 */
int layout_find_recorder(char **path, struct err *err) ATTR_MUST_USE;

#define LAYOUT_ENVIRONMENT 3

/*
 * "NAME=value" for the build: COMPILER_PATH (gcc, clang), PATH (builds that call ld), DUEL_LINKS.
 * `path` is the PATH the build would have had. Owns: the strings are the caller's, to be freed.
 */
int layout_environment(char *variables[LAYOUT_ENVIRONMENT], const char *scratch_inside,
	const char *path, struct err *err) ATTR_MUST_USE;

/* --- after the build ---------------------------------------------------------------------------
 */

struct layout_target;
struct links;
struct links;

/* One version. */
struct layout_side {
	const struct layout_host *host; /* borrowed */
	uint64_t seed;
	struct layout_target *targets; /* owned array */
	size_t count;
	struct links *links;              /* owned; what the build recorded */
	char reason[LAYOUT_REASON_BYTES]; /* why it is not varied; "" = it is */
};

/*
 * Say what is to be varied: the files of the tree that a worker maps as code (its program and the
 * tree's shared libraries), as paths relative to the tree that no link is part of. `seed` decides
 * all layouts of this side; with the same one the other side's equal objects lie alike. No process
 * of the version may run. Errors: ERR_OS. Then nothing is owned.
 */
int layout_open(struct layout_side *side, const struct layout_host *host,
	const char *const *targets, size_t count, uint64_t seed, struct err *err) ATTR_MUST_USE;

/*
 * Find, repeat and try the links of all sides, several at a time: about two links a target.
 * Afterwards each side is varied or has a reason. Errors: ERR_OS, ERR_CONFINE and whatever else the
 * host's calls report; the sides are still the caller's to release.
 */
int layout_prepare(struct layout_side *const *sides, size_t count, struct err *err) ATTR_MUST_USE;

/* Accepts a zeroed one. Files in scratch stay. */
void layout_release(struct layout_side *side);

bool layout_is_varied(const struct layout_side *side); /* after layout_prepare() */

/* "duel/bench: no link recorded": what follows "layout not varied: ". "" where it is varied. */
const char *layout_reason(const struct layout_side *side);

/* One layout of all targets, being made or made. */
struct layout_set {
	unsigned number;
	unsigned processes[LAYOUT_TARGETS_MAX];
	unsigned started;            /* of these */
	int fds[LAYOUT_TARGETS_MAX]; /* owned; the new files, in the order of the targets */
	unsigned made;               /* of these */
};

/*
 * Start to link layout `number`. The same number gives the same layout; four consecutive ones (from
 * a multiple of four) put each object once at each 16-byte phase, 64 consecutive ones differ.
 * Several numbers may be under way at once. Errors: as the host's; nothing is under way then.
 */
int layout_link_start(struct layout_side *side, unsigned number, struct layout_set *set,
	struct err *err) ATTR_MUST_USE;

/*
 * Wait for the links and check them: the same functions and sizes, another layout. The files have
 * no name any more. Errors: ERR_BUILD a link failed or is not the same code: this layout cannot be
 * used; others as the host's. In both cases nothing is under way or owned.
 */
int layout_link_finish(
	struct layout_side *side, struct layout_set *set, struct err *err) ATTR_MUST_USE;

/* Close the files. Accepts a zeroed one. */
void layout_set_release(struct layout_set *set);

#endif
