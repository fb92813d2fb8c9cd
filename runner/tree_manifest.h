/*
 * What a tree held before its build, to say afterwards which of its files the build rewrote.
 *
 * A build that changes tracked files makes both versions other than their commits (a generated
 * header that is checked in, a version stamp): no error, but the report says so.
 */
#ifndef RUNNER_TREE_MANIFEST_H
#define RUNNER_TREE_MANIFEST_H

#include "sandbox/base/attr.h"
#include "sandbox/base/buf.h"
#include "sandbox/base/err.h"

#include <stddef.h>
#include <stdint.h>

#define TREE_MANIFEST_NAMES 5
#define TREE_MANIFEST_NAME_BYTES 200

struct tree_manifest {
	struct tree_manifest_file *files; /* owned; in the order of their directories */
	size_t count, capacity;
};

/*
 * Record every regular file below root. Take it after the export, the overlay and any change of
 * owner: then files nobody touches need not be read again. Errors: ERR_OS.
 */
int tree_manifest_take(struct tree_manifest *out, int root, struct err *err) ATTR_MUST_USE;
void tree_manifest_release(struct tree_manifest *manifest); /* accepts a zeroed one */

struct tree_rewritten {
	size_t changed; /* other bytes, or no regular file any more */
	size_t removed;
	char names[TREE_MANIFEST_NAMES][TREE_MANIFEST_NAME_BYTES]; /* the first, printable */
	size_t names_count;
};

/* Compare with what is there now; follows no link the build has made. Errors: ERR_OS. */
int tree_manifest_compare(const struct tree_manifest *manifest, int root,
	struct tree_rewritten *out, struct err *err) ATTR_MUST_USE;

/* One line (ended by '\n') behind "side: ", nothing where nothing was rewritten. */
int tree_rewritten_note(const struct tree_rewritten *rewritten, const char *side, struct buf *notes,
	struct err *err) ATTR_MUST_USE;

#define AUTO_TREE_MANIFEST ATTR_CLEANUP(tree_manifest_release) struct tree_manifest

#endif
