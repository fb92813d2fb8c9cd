#include "runner/identical.h"

#include "runner/tree.h"
#include "runner/tree_walk.h"
#include "sandbox/base/attr.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#define PATHS 3
#define BLOCK_BYTES ((size_t)4 << 20) /* between two looks at the stop flag */

/* Paths that differ between the sides and mean the same. */
struct alias {
	const char *baseline, *candidate;
	size_t length;
	size_t first; /* the first byte in which they differ */
};

struct comparison {
	struct alias aliases[PATHS];
	size_t aliases_count;
	int candidate;       /* root of its tree */
	uint64_t bytes_left; /* of IDENTICAL_BYTES_MAX */
	const volatile sig_atomic_t *stop;
};

static void add_alias(struct comparison *comparison, const char *baseline, const char *candidate)
{
	size_t length = strlen(baseline);
	size_t first = 0;

	if (strlen(candidate) != length || strcmp(baseline, candidate) == 0)
		return;
	while (baseline[first] == candidate[first])
		first++;
	comparison->aliases[comparison->aliases_count++] = (struct alias){
		baseline, candidate, length, first};
}

/* Where do both hold their own name of one path around their first difference, `at`? Its end; 0 =
 * nowhere. */
static size_t pass_alias(const struct comparison *comparison, const char *baseline,
	const char *candidate, size_t length, size_t at)
{
	for (size_t i = 0; i < comparison->aliases_count; i++) {
		const struct alias *alias = &comparison->aliases[i];
		size_t start = at - alias->first;

		if (at < alias->first || length - start < alias->length)
			continue;
		if (memcmp(baseline + start, alias->baseline, alias->length) == 0 &&
			memcmp(candidate + start, alias->candidate, alias->length) == 0)
			return start + alias->length;
	}
	return 0;
}

/* Once stopped nothing is the same any more. */
static bool is_same_bytes(const struct comparison *comparison, const char *baseline,
	const char *candidate, size_t length)
{
	size_t at = 0;

	/* Of an empty file there are no bytes. */
	if (!baseline || !candidate)
		return true;
	while (at < length) {
		size_t left = length - at;
		size_t step = left < BLOCK_BYTES ? left : BLOCK_BYTES;

		if (*comparison->stop)
			return false;
		if (memcmp(baseline + at, candidate + at, step) == 0) {
			at += step;
			continue;
		}
		while (baseline[at] == candidate[at])
			at++;
		at = pass_alias(comparison, baseline, candidate, length, at);
		if (at == 0)
			return false;
	}
	return true;
}

/* A whole file in memory, not copied: nobody is left to change it. NULL and 0 where it is empty. */
struct view {
	char *bytes;
	size_t length;
};

static void unmap(const struct view *view)
{
	if (view->bytes)
		(void)munmap(view->bytes, view->length);
}

/* *regular = false: it is no regular file. */
static int map(struct view *view, int directory, const char *name, bool *regular, struct err *err)
{
	AUTO_FD fd = -1;
	struct stat status;
	void *bytes;

	*view = (struct view){NULL, 0};
	if (tree_open_file(&fd, directory, name, &status, err) < 0)
		return -1;
	*regular = fd >= 0;
	if (fd < 0 || status.st_size == 0)
		return 0;
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return err_errno(err, ERR_OS, "read %s", name);
	*view = (struct view){bytes, (size_t)status.st_size};
	return 0;
}

static int compare_files(bool *same, const struct comparison *comparison, int baseline,
	int candidate, const char *name, struct err *err)
{
	ATTR_CLEANUP(unmap) struct view one = {NULL, 0};
	ATTR_CLEANUP(unmap) struct view other = {NULL, 0};
	bool regular[2];

	*same = false;
	if (map(&one, baseline, name, &regular[0], err) < 0 ||
		map(&other, candidate, name, &regular[1], err) < 0)
		return -1;
	*same = regular[0] && regular[1] && one.length == other.length &&
		is_same_bytes(comparison, one.bytes, other.bytes, one.length);
	return 0;
}

static int compare_links(bool *same, const struct comparison *comparison, int baseline,
	int candidate, const char *name, struct err *err)
{
	AUTO_STR one = NULL;
	AUTO_STR other = NULL;

	*same = false;
	if (tree_read_link(&one, baseline, name, err) < 0 ||
		tree_read_link(&other, candidate, name, err) < 0)
		return -1;
	*same = one && other && strlen(one) == strlen(other) &&
		is_same_bytes(comparison, one, other, strlen(one));
	return 0;
}

static int compare_entry(
	bool *same, struct comparison *comparison, const struct tree_entry *entry, struct err *err)
{
	AUTO_FD candidate = -1;
	struct stat status;

	*same = false;
	if (tree_enter(&candidate, comparison->candidate, entry->path, TREE_EXISTING, err) < 0)
		return -1;
	if (candidate < 0 || fstatat(candidate, entry->name, &status, AT_SYMLINK_NOFOLLOW) < 0 ||
		status.st_mode != entry->status.st_mode)
		return 0;
	if (S_ISREG(status.st_mode)) {
		uint64_t bytes = (uint64_t)status.st_size;

		if (status.st_size != entry->status.st_size || bytes > comparison->bytes_left)
			return 0;
		comparison->bytes_left -= bytes;
		return compare_files(
			same, comparison, entry->directory, candidate, entry->name, err);
	}
	if (S_ISLNK(status.st_mode))
		return compare_links(
			same, comparison, entry->directory, candidate, entry->name, err);
	*same = S_ISDIR(status.st_mode);
	return 0;
}

static int interrupted(struct err *err)
{
	return err_set(err, ERR_USAGE, "interrupted while comparing both versions");
}

/* Everything below `root`, shown to the comparison or only counted. */
static int walk_tree(bool *same, size_t *entries, int root, struct comparison *comparison,
	bool is_counted_only, struct err *err)
{
	AUTO_TREE_WALK walk = {0};
	struct tree_entry entry;

	*same = true;
	*entries = 0;
	if (tree_walk_begin(&walk, root, "", err) < 0)
		return -1;
	while (*same) {
		if (tree_walk_next(&walk, &entry, err) < 0)
			return -1;
		if (!entry.name)
			return 0;
		++*entries;
		if (*comparison->stop)
			return interrupted(err);
		if (!is_counted_only && compare_entry(same, comparison, &entry, err) < 0)
			return err_wrap(err, "%s", entry.path);
	}
	return 0;
}

static int compare_trees(
	bool *same, struct comparison *comparison, int baseline, int candidate, struct err *err)
{
	size_t entries[2];
	bool counted;

	comparison->candidate = candidate;
	if (walk_tree(same, &entries[0], baseline, comparison, false, err) < 0)
		return -1;
	if (!*same)
		return 0;
	/* All the baseline has the candidate has too: equal numbers mean that it has no more. */
	if (walk_tree(&counted, &entries[1], candidate, comparison, true, err) < 0)
		return -1;
	*same = entries[0] == entries[1];
	return 0;
}

int identical_trees(bool *same, const struct workspace_side *sides,
	const volatile sig_atomic_t *stop, struct err *err)
{
	const struct workspace_side *baseline = &sides[SANDBOX_BASELINE];
	const struct workspace_side *candidate = &sides[SANDBOX_CANDIDATE];
	struct comparison comparison = {.bytes_left = IDENTICAL_BYTES_MAX, .stop = stop};
	AUTO_FD one = -1;
	AUTO_FD other = -1;

	add_alias(&comparison, baseline->tree, candidate->tree);
	add_alias(&comparison, baseline->scratch, candidate->scratch);
	add_alias(&comparison, baseline->run, candidate->run);
	if (tree_open(&one, baseline->tree, err) < 0 || tree_open(&other, candidate->tree, err) < 0)
		return -1;
	if (compare_trees(same, &comparison, one, other, err) == 0)
		return *stop ? interrupted(err) : 0;
	*same = false;
	/* What a build has locked away from us it may still show to its benchmarks. */
	return err->os_errno == EACCES ? 0 : err_wrap(err, "compare both trees");
}
