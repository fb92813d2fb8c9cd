/*
 * Which archive members a link took, so that each can be linked with a pad of its own.
 *
 * Between a traced link and replay. Reads the texts of `ld -t -t` (three ways of writing a member:
 * GNU ld's, gold's, lld's) and `ar tP`; archives themselves are only ever opened by `ar`, inside
 * the version's confinement.
 */
#ifndef RUNNER_LAYOUT_ARCHIVE_H
#define RUNNER_LAYOUT_ARCHIVE_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define ARCHIVE_NAMES_MAX 65536 /* lines of a trace, members of an archive */
#define ARCHIVES_MAX 256        /* archives of one link */

struct archive_names {
	char **items; /* owned array of owned strings */
	size_t count;
};

struct archive {
	char *path;                   /* owned; as the linker wrote it */
	struct archive_names loaded;  /* the members a trace names, in its order */
	struct archive_names members; /* all, as `ar tP` writes them; none before it was asked */
	size_t twins; /* as many members bear one name, at most; set by whoever lists them */
	bool is_thin; /* members are files of their own, named by their paths */
};

struct archives {
	struct archive *items; /* owned array */
	size_t count;
};

void archive_names_release(struct archive_names *names); /* these accept zeroed ones */
void archive_release_all(struct archives *archives);

/* Cut a text into its lines, empty ones left out. Errors: ERR_LIMIT; ERR_OS. */
int archive_split(struct archive_names *names, const char *text, struct err *err) ATTR_MUST_USE;

/* The archives that a trace mentions, each once. Errors: ERR_LIMIT; ERR_OS. */
int archive_read_trace(struct archives *archives, const struct archive_names *trace,
	struct err *err) ATTR_MUST_USE;

/*
 * Of the members that bear the name of members.items[index], how many did the link take, and how
 * many are there? Those of a thin archive may stand in the trace as plain files.
 */
void archive_taken(const struct archive *archive, const struct archive_names *trace, size_t index,
	size_t *taken, size_t *there);

#endif
