#include "runner/mappings.h"

#include "sandbox/base/io.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define SHOWN_BYTES 200 /* of a path in a message: two must fit */

void mappings_release(struct mappings *mappings)
{
	for (size_t i = 0; i < mappings->count; i++)
		free(mappings->items[i].path);
	free(mappings->items);
	*mappings = (struct mappings){NULL, 0};
}

void mappings_tree_release(struct mappings_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		free(tree->paths[i]);
	free(tree->paths);
	free(tree->root);
	*tree = (struct mappings_tree){NULL, NULL, 0};
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The ".so" that ends a library's name or stands before its version; NULL where there is none. */
static const char *so_suffix(const char *name)
{
	const char *at = name;

	while ((at = strstr(at, ".so"))) {
		if (at > name && (at[3] == '\0' || at[3] == '.'))
			return at;
		at += 3;
	}
	return NULL;
}

/* Where the compared part of a library's path begins: at the name, or at the name of its folder. */
static const char *stem(const char *path)
{
	const char *name = base_name(path);
	const char *start;

	if (strncmp(name, "lib", 3) == 0 || name == path)
		return name;
	start = name - 1;
	while (start > path && start[-1] != '/')
		start--;
	return start;
}

static bool is_same_library(const char *one, const char *other)
{
	const char *one_end = so_suffix(base_name(one));
	const char *other_end = so_suffix(base_name(other));
	const char *one_start = stem(one);
	const char *other_start = stem(other);

	if (!one_end || !other_end || one_end - one_start != other_end - other_start)
		return false;
	return strncmp(one_start, other_start, (size_t)(one_end - one_start)) == 0;
}

static int add_path(struct mappings_tree *tree, size_t *capacity, const char *path, struct err *err)
{
	char **grown;

	if (tree->count >= MAPPINGS_TREE_FILES_MAX)
		return err_set(err, ERR_LIMIT, "more than %d shared objects in the tree",
			MAPPINGS_TREE_FILES_MAX);
	if (tree->count == *capacity) {
		*capacity = *capacity ? *capacity * 2 : 16;
		grown = reallocarray(tree->paths, *capacity, sizeof(*grown));
		if (!grown)
			return err_errno(err, ERR_OS, "list the shared objects");
		tree->paths = grown;
	}
	tree->paths[tree->count] = strdup(path);
	if (!tree->paths[tree->count])
		return err_errno(err, ERR_OS, "list the shared objects");
	tree->count++;
	return 0;
}

int mappings_scan_tree(struct mappings_tree *tree, const char *root, struct err *err)
{
	char *roots[] = {NULL, NULL};
	size_t root_length = strlen(root);
	size_t capacity = 0;
	int result = 0;
	FTSENT *entry;
	FTS *walk;

	*tree = (struct mappings_tree){.root = strdup(root)};
	roots[0] = tree->root;
	walk = tree->root ? fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL) : NULL;
	if (!walk) {
		(void)err_errno(err, ERR_OS, "walk %s", root);
		mappings_tree_release(tree);
		return -1;
	}
	while (result == 0 && (entry = fts_read(walk))) {
		if (entry->fts_info == FTS_F && so_suffix(entry->fts_name))
			result = add_path(tree, &capacity, entry->fts_path + root_length + 1, err);
	}
	(void)fts_close(walk);
	if (result < 0)
		mappings_tree_release(tree);
	return result;
}

/* One line of /proc/PID/maps that maps a file as code. */
struct maps_line {
	unsigned major, minor;
	uint64_t inode;
	char *path;
};

/* Undo how the kernel writes a newline in a name (\012) and a file that was replaced. In place. */
static void clean_path(char *path)
{
	static const char deleted[] = " (deleted)";
	size_t length = strlen(path);
	size_t ending = sizeof(deleted) - 1;
	char *out = path;

	if (length > ending && strcmp(path + length - ending, deleted) == 0)
		path[length - ending] = '\0';
	for (const char *in = path; *in; in++) {
		if (strncmp(in, "\\012", 4) == 0) {
			*out++ = '\n';
			in += 3;
		} else {
			*out++ = *in;
		}
	}
	*out = '\0';
}

/* The next word of the line; blanks behind it are passed over, a missing one is empty. */
static char *take_field(char **rest)
{
	char *field = *rest;
	size_t length = strcspn(field, " ");

	*rest += length;
	while (**rest == ' ')
		*(*rest)++ = '\0';
	return field;
}

/* "MAJOR:MINOR", hexadecimal. */
static bool parse_device(const char *text, struct maps_line *out)
{
	char *end;

	out->major = (unsigned)strtoul(text, &end, 16);
	if (end == text || *end != ':')
		return false;
	text = end + 1;
	out->minor = (unsigned)strtoul(text, &end, 16);
	return end > text && *end == '\0';
}

/* "START-END PERMS OFFSET MAJOR:MINOR INODE    PATH" (proc(5)), cut up in place; false: not code,
 * or no file. */
static bool parse_line(char *line, struct maps_line *out)
{
	const char *permissions, *device, *inode;

	(void)take_field(&line);
	permissions = take_field(&line);
	(void)take_field(&line);
	device = take_field(&line);
	inode = take_field(&line);
	out->path = line;
	if (strlen(permissions) != 4 || permissions[2] != 'x' || out->path[0] != '/')
		return false;
	if (!parse_device(device, out) || !text_to_u64(inode, UINT64_MAX, &out->inode))
		return false;
	clean_path(out->path);
	return true;
}

static int add_mapping(struct mappings *mappings, const struct maps_line *line, const char *inside,
	struct err *err)
{
	size_t inside_length = strlen(inside);
	struct mapping *item;
	bool in_tree;

	for (size_t i = 0; i < mappings->count; i++) {
		item = &mappings->items[i];
		if (item->inode == line->inode && item->device == makedev(line->major, line->minor))
			return 0;
	}
	if (mappings->count >= MAPPINGS_MAX)
		return err_set(err, ERR_LIMIT, "maps more than %d files as code", MAPPINGS_MAX);
	in_tree = strncmp(line->path, inside, inside_length) == 0 &&
		  line->path[inside_length] == '/';
	item = &mappings->items[mappings->count];
	*item = (struct mapping){
		.path = strdup(line->path + (in_tree ? inside_length + 1 : 0)),
		.in_tree = in_tree,
		.device = makedev(line->major, line->minor),
		.inode = line->inode,
	};
	if (!item->path)
		return err_errno(err, ERR_OS, "list mapped files");
	mappings->count++;
	return 0;
}

int mappings_parse(struct mappings *mappings, const char *text, const char *inside, struct err *err)
{
	char line[PATH_MAX + 128];
	int result = 0;

	*mappings = (struct mappings){.items = calloc(MAPPINGS_MAX, sizeof(struct mapping))};
	if (!mappings->items)
		return err_errno(err, ERR_OS, "list mapped files");
	while (*text && result == 0) {
		size_t length = strcspn(text, "\n");
		struct maps_line parsed;

		if (length < sizeof(line)) {
			memcpy(line, text, length);
			line[length] = '\0';
			if (parse_line(line, &parsed))
				result = add_mapping(mappings, &parsed, inside, err);
		}
		text += length + (text[length] == '\n');
	}
	if (result < 0)
		mappings_release(mappings);
	return result;
}

int mappings_read(struct mappings *mappings, pid_t pid, const char *inside, struct err *err)
{
	AUTO_BUF text = {.bytes_max = MAPPINGS_TEXT_BYTES_MAX};
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	if (io_read_file(&text, path, err) < 0) {
		if (err->os_errno == ENOENT || err->os_errno == ESRCH)
			return err_set(err, ERR_BENCH, "ended while its mapped files were read");
		return -1;
	}
	return mappings_parse(mappings, buf_text(&text), inside, err);
}

static void show_path(char shown[SHOWN_BYTES], const char *path)
{
	(void)text_copy(shown, SHOWN_BYTES, path);
	text_make_printable(shown);
}

/* Is the mapped file the one the tree holds under that path now? */
static int check_identity(
	const struct mapping *item, const struct mappings_tree *tree, struct err *err)
{
	char path[PATH_MAX];
	char shown[SHOWN_BYTES];
	struct stat status;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", tree->root, item->path) >= sizeof(path) ||
		lstat(path, &status) < 0)
		status = (struct stat){0};
	/*
	 * The number of the inode alone: file systems that stack or share devices (overlayfs,
	 * btrfs) show another device in maps than in stat(2).
	 */
	if (status.st_ino == item->inode)
		return 0;
	show_path(shown, item->path);
	return err_set(err, ERR_BENCH,
		"runs a file named %s (inode %ju) that is not the one in its tree (inode %ju)",
		shown, (uintmax_t)item->inode, (uintmax_t)status.st_ino);
}

/* A system copy of something the tree built? */
static int check_foreign(
	const struct mapping *item, const struct mappings_tree *tree, struct err *err)
{
	char ours[SHOWN_BYTES], theirs[SHOWN_BYTES];

	for (size_t i = 0; i < tree->count; i++) {
		if (!is_same_library(item->path, tree->paths[i]))
			continue;
		show_path(theirs, item->path);
		show_path(ours, tree->paths[i]);
		return err_set(err, ERR_BENCH,
			"runs %s, which is not its version's: the tree holds %s (set the library "
			"path or link it statically)",
			theirs, ours);
	}
	return 0;
}

static int check_twice(const struct mappings *mappings, size_t last, struct err *err)
{
	const struct mapping *item = &mappings->items[last];
	char one[SHOWN_BYTES], other[SHOWN_BYTES];

	for (size_t i = 0; i < last; i++) {
		if (!(item->in_tree && mappings->items[i].in_tree) ||
			!is_same_library(item->path, mappings->items[i].path))
			continue;
		show_path(one, mappings->items[i].path);
		show_path(other, item->path);
		return err_set(err, ERR_BENCH,
			"has loaded one library twice: %s and %s are both mapped", one, other);
	}
	return 0;
}

int mappings_check(
	const struct mappings *mappings, const struct mappings_tree *tree, struct err *err)
{
	for (size_t i = 0; i < mappings->count; i++) {
		const struct mapping *item = &mappings->items[i];

		if (item->in_tree && check_identity(item, tree, err) < 0)
			return -1;
		/* Of two copies the second to load is the news: said before "not its version's". */
		if (check_twice(mappings, i, err) < 0)
			return -1;
		if (!item->in_tree && check_foreign(item, tree, err) < 0)
			return -1;
	}
	return 0;
}

bool mappings_has_code_of_tree(const struct mappings *mappings)
{
	for (size_t i = 0; i < mappings->count; i++) {
		if (mappings->items[i].in_tree)
			return true;
	}
	return false;
}
