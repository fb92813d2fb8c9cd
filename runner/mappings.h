/*
 * Which files a worker has mapped as code, and whether they are the ones it should run.
 *
 * Read from outside once its code is loaded. A baseline worker cannot read the candidate's tree, so
 * that the versions cannot mix; but a worker may load the system's copy of the very library that is
 * measured, or two copies of it: then both versions would measure the same, or something else.
 *
 * Two files are copies of one library where their names agree: up to ".so" for names that begin
 * with "lib", else together with the name of their folder ("json/parser.so").
 */
#ifndef RUNNER_MAPPINGS_H
#define RUNNER_MAPPINGS_H

#include "sandbox/base/attr.h"
#include "sandbox/base/buf.h"
#include "sandbox/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define MAPPINGS_MAX 1024 /* files mapped as code by one process */
#define MAPPINGS_TEXT_BYTES_MAX (8u << 20)
#define MAPPINGS_TREE_FILES_MAX 100000

struct mapping {
	char *path;      /* owned; as the worker sees it */
	bool in_tree;    /* then path is relative to the tree */
	uint64_t device; /* as st_dev */
	uint64_t inode;
};

/* Each file once, in the order of its first address. */
struct mappings {
	struct mapping *items; /* owned array */
	size_t count;
};

/* What a version's tree holds that could be a library: made once, used by every check. */
struct mappings_tree {
	char *root;   /* owned */
	char **paths; /* owned; relative, the shared objects of the tree */
	size_t count;
};

/* Accept zeroed ones. */
void mappings_release(struct mappings *mappings);
void mappings_tree_release(struct mappings_tree *tree);

/*
 * List the shared objects ("NAME.so", "NAME.so.1") below `root`, following no link.
 * Errors: ERR_OS; ERR_LIMIT more than MAPPINGS_TREE_FILES_MAX.
 */
int mappings_scan_tree(struct mappings_tree *tree, const char *root, struct err *err) ATTR_MUST_USE;

/*
 * Read /proc/PID/maps. `inside` is the tree's path as the process sees it.
 * Errors: ERR_BENCH the process is gone; ERR_LIMIT; ERR_OS.
 */
int mappings_read(
	struct mappings *mappings, pid_t pid, const char *inside, struct err *err) ATTR_MUST_USE;

/* The same from text, for tests and the fuzzer. */
int mappings_parse(struct mappings *mappings, const char *text, const char *inside,
	struct err *err) ATTR_MUST_USE;

/*
 * Is everything mapped what the tree holds, and once? Errors: ERR_BENCH, naming both files.
 */
int mappings_check(const struct mappings *mappings, const struct mappings_tree *tree,
	struct err *err) ATTR_MUST_USE;

/* Does any code come from the tree? (A script's does not: its layout cannot matter.) */
bool mappings_has_code_of_tree(const struct mappings *mappings);

#endif
