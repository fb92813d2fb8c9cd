/*
 * The two versions a run compares: found in a git repository, read without checking anything out.
 *
 * Second stage of the flow: a directory and up to two refs -> struct version twice; tree_export.h
 * writes their files. The repository is only read. libgit2 is met in versions*.c, tree_export.c,
 * tree_stores.c and tree_worktree.c alone.
 *
 * What is compared. Refs are compared as given: any two commits. Without a candidate it is HEAD (or
 * the working tree, where asked for). Without a baseline it is the merge base of the candidate and
 * the first of origin/HEAD, origin/main, origin/master, main, master that exists; where the
 * candidate is itself part of that branch (a push to main) it is the candidate's first parent, or,
 * for a working tree, HEAD: its changes are what is asked about. version.ref says which it was.
 *
 * Every failure is one message with its cause and cure; kinds: ERR_VERSION (the repository has not
 * got what is needed), ERR_USAGE (the request contradicts itself), ERR_OS.
 */
#ifndef RUNNER_VERSIONS_H
#define RUNNER_VERSIONS_H

#include "sandbox/base/attr.h"
#include "sandbox/base/buf.h"
#include "sandbox/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VERSIONS_ID_BYTES 65 /* a hexadecimal object name of SHA-1 or SHA-256 and its end */
#define VERSIONS_TEXT_BYTES 300

struct git_repository;

struct versions {
	struct git_repository *repository; /* owned */
	bool shallow;                      /* history is cut off somewhere */
};

struct version {
	char commit[VERSIONS_ID_BYTES];    /* of a working tree: HEAD's */
	char ref[VERSIONS_TEXT_BYTES];     /* how it was asked for or found; printable */
	char subject[VERSIONS_TEXT_BYTES]; /* first line of the commit's message; printable */
	int64_t author_time_s;             /* seconds since 1970, UTC */
	int64_t commit_time_s;
	bool worktree; /* the files of the working tree, tracked or not, but no ignored ones */
};

struct versions_request {
	const char *baseline;  /* NULL = find it */
	const char *candidate; /* NULL = HEAD */
	bool worktree;         /* the candidate is the working tree; excludes `candidate` */
};

/*
 * Names of the two trees' directories, of equal length: a path's length moves the stack, and with
 * it what is measured.
 */
#define VERSIONS_BASELINE_DIRECTORY "baseline_"
#define VERSIONS_CANDIDATE_DIRECTORY "candidate"

/*
 * Find the repository `directory` belongs to, upwards, linked worktrees and bare ones too. It may
 * be owned by somebody else: who names it has answered for it, and nothing in it is executed.
 */
int versions_open(struct versions *out, const char *directory, struct err *err) ATTR_MUST_USE;
void versions_close(struct versions *versions); /* accepts a zeroed one */

/* One version by a ref: a branch, a tag, an (abbreviated) object name, HEAD~3. */
int versions_resolve(const struct versions *versions, const char *ref, struct version *out,
	struct err *err) ATTR_MUST_USE;

/* Both versions of a run, by the rules above. */
int versions_choose(const struct versions *versions, const struct versions_request *request,
	struct version *baseline, struct version *candidate, struct err *err) ATTR_MUST_USE;

/*
 * How many tracked files differ between HEAD, the index and the working tree. Where the candidate
 * is HEAD, those changes are not measured, and the caller says so. 0 in a bare repository.
 */
int versions_dirty(const struct versions *versions, size_t *files, struct err *err) ATTR_MUST_USE;

/*
 * A file of a version without its export. *found = false: it has none of that path. Errors:
 * ERR_VERSION where it is no regular file; ERR_LIMIT beyond the buffer's maximum.
 */
int versions_read(const struct versions *versions, const struct version *version, const char *path,
	struct buf *out, bool *found, struct err *err) ATTR_MUST_USE;

#define VERSIONS_CHANGES_MAX 1000000 /* beyond it nothing more is looked at */

struct versions_touch {
	size_t changed;                  /* paths that differ; a rename is two */
	size_t watched;                  /* of these, how many a pattern matches */
	char first[VERSIONS_TEXT_BYTES]; /* the first that is watched, printable; "" = none */
};

/*
 * Which paths differ, and does any of them match a text_matches_path() pattern? `patterns` ends
 * with NULL; none, or NULL, watches everything. A submodule's change is always watched: which of
 * its files it is about is not looked for. An empty diff has changed == 0.
 */
int versions_touch(const struct versions *versions, const struct version *baseline,
	const struct version *candidate, char *const *patterns, struct versions_touch *out,
	struct err *err) ATTR_MUST_USE;

#define AUTO_VERSIONS ATTR_CLEANUP(versions_close) struct versions

#endif
