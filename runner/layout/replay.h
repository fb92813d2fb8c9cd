/*
 * A recorded link made again with pads: words and archive members -> a linker's response file.
 *
 * Pure. The order of objects stays, so that constructors and weak symbols are resolved as before. A
 * member that the link took from an archive is named before its archive, which stays behind it for
 * whatever the text of the trace could not tell; of --whole-archive all members are named and the
 * archive is not.
 */
#ifndef RUNNER_LAYOUT_REPLAY_H
#define RUNNER_LAYOUT_REPLAY_H

#include "runner/layout/archive.h"
#include "runner/layout/draw.h"
#include "runner/layout/words.h"
#include "sandbox/base/buf.h"

#define REPLAY_ITEMS_MAX 131072
#define REPLAY_TEXT_BYTES_MAX ((size_t)64 << 20) /* a response file */
#define REPLAY_SAME_NAMES_MAX 16                 /* members of one name in one archive */
#define REPLAY_WORK_MAX 100000000u /* comparisons to find an archive's members in a trace */

struct replay_item {
	char *text; /* owned */
	enum words_role role;
	bool is_first;  /* the coarse pad belongs in front */
	bool is_padded; /* a fine pad belongs in front */
};

struct replay {
	struct replay_item *items; /* owned array */
	size_t count;
	size_t slots; /* fine pads: items that are padded, and one behind everything */
};

/* What was found out about a link. Borrowed. */
struct replay_facts {
	const struct words *words;
	const struct archives *archives;
	const struct archive_names *trace;
	const char *cwd;
	const char *members; /* the folder of replay_member_folder(), as the link sees it */
};

/* Errors: ERR_LIMIT; ERR_OS. Then nothing is owned. */
int replay_make(
	struct replay *replay, const struct replay_facts *facts, struct err *err) ATTR_MUST_USE;
void replay_release(struct replay *replay); /* accepts a zeroed one */

/* Is the archive one whose members are named alone? Those need to be listed and extracted. */
bool replay_wants_members(
	const struct words *words, const struct archive *archive, const char *cwd);

/*
 * The folder in which members of archive `index` lie: `instance` 0 for the names that occur once,
 * from 1 for the first, second ... of several of one name.
 */
int replay_member_folder(
	struct buf *out, size_t index, size_t instance, struct err *err) ATTR_MUST_USE;

/* Is the work of finding the archive's members in the trace, which grows with the square, bounded?
 */
bool replay_is_small(const struct archive *archive, const struct archive_names *trace);

/* One word for a response file: every linker, and ar, reads `prefix` and `word` as they are. */
int replay_write_word(
	struct buf *out, const char *prefix, const char *word, struct err *err) ATTR_MUST_USE;

/* Where a link finds and puts its files, as it sees them. */
struct replay_places {
	const char *pads;
	const char *output;
	const char *resolution; /* the LTO plugin's scratch file */
};

/* What each of the `slots` pads is for, as draw.h wants to know it. */
void replay_keys(const struct replay *replay, uint64_t *keys);

/* The response file of a link with these pads; of none with `draw` NULL, then it is traced. */
int replay_text(struct buf *out, const struct replay *replay, const struct draw *draw,
	const struct replay_places *places, struct err *err) ATTR_MUST_USE;

#endif
