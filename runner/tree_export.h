/*
 * A version's files -> an empty directory: what its build gets to see.
 *
 * A commit is written straight from the object database: no `.git`, no hooks, no filters, no line
 * ending conversion, no index. A working tree is copied: tracked files as they are now, and
 * untracked ones that are not ignored. Decided for the user, and said in notes where it matters:
 *
 * - A symbolic link that leaves the tree is left out: inside confinement it would lead nowhere, and
 *   most projects that have one (in a document, a test) build without it.
 * - A Git LFS pointer is replaced by the file it stands for where the clone has it. Where it has
 *   not, the pointer itself is written, as git does without LFS: often only tests need the file.
 * - A submodule's files come from wherever this clone has the commit. Where it has not, that is an
 *   error: a project without its library is another project.
 * - An untracked object, program or library in a working tree is left out: it is from an earlier
 *   build by hand, and among files of one age `make` would take it for up to date.
 * - A tree git itself would not check out (an entry named ".git", "..", "a/b") is an error.
 *
 * Memory is bounded by the largest file and by the number of directories.
 */
#ifndef RUNNER_TREE_EXPORT_H
#define RUNNER_TREE_EXPORT_H

#include "runner/versions.h"
#include "sandbox/base/attr.h"
#include "sandbox/base/buf.h"
#include "sandbox/base/err.h"

#include <stddef.h>
#include <stdint.h>

/* A few kilobytes of objects can name more files than any disk holds. */
#define TREE_EXPORT_FILES_MAX 1000000
#define TREE_EXPORT_DIRECTORIES_MAX 100000
#define TREE_EXPORT_BYTES_MAX ((uint64_t)32 << 30)

/* What was written, and what was not. Paths are printable. */
struct tree_export {
	size_t files, links, submodules;
	uint64_t bytes;
	size_t links_left_out;
	char link_left_out[VERSIONS_TEXT_BYTES]; /* the first of them */
	size_t pointers;                         /* LFS pointers whose file is not in this clone */
	char pointer[VERSIONS_TEXT_BYTES];       /* the first of them */
	size_t built_left_out;           /* of a working tree: untracked objects, programs */
	char built[VERSIONS_TEXT_BYTES]; /* the first of them */
};

/*
 * Write `version` into the empty directory `root`. Every file gets the modification time
 * modified_s: give both trees the same, so that no build sees a difference and `make` finds no file
 * older than what it was made from.
 *
 * Errors: ERR_VERSION with cause and cure; ERR_LIMIT; ERR_OS. What was written stays.
 */
int tree_export(struct tree_export *out, const struct versions *versions,
	const struct version *version, int root, int64_t modified_s, struct err *err) ATTR_MUST_USE;

/* What a user should know, one line (ended by '\n') each, each behind "side: ". */
int tree_export_notes(const struct tree_export *exported, const char *side, struct buf *notes,
	struct err *err) ATTR_MUST_USE;

#endif
