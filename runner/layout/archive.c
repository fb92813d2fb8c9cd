#include "runner/layout/archive.h"

#include <string.h>

void archive_names_release(struct archive_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
	memset(names, 0, sizeof(*names));
}

void archive_release_all(struct archives *archives)
{
	for (size_t i = 0; i < archives->count; i++) {
		free(archives->items[i].path);
		archive_names_release(&archives->items[i].members);
		archive_names_release(&archives->items[i].loaded);
	}
	free(archives->items);
	memset(archives, 0, sizeof(*archives));
}

static int names_add(struct archive_names *names, const char *name, size_t length, struct err *err)
{
	if (names->count >= ARCHIVE_NAMES_MAX)
		return err_set(err, ERR_LIMIT, "more than %d names", ARCHIVE_NAMES_MAX);
	/* Grown by doubling: a power of two is full. */
	if ((names->count & (names->count - 1)) == 0) {
		size_t capacity = names->count ? 2 * names->count : 1;
		char **items = realloc(names->items, capacity * sizeof(*items));

		if (!items)
			return err_set(err, ERR_OS, "out of memory");
		names->items = items;
	}
	names->items[names->count] = strndup(name, length);
	if (!names->items[names->count])
		return err_set(err, ERR_OS, "out of memory");
	names->count++;
	return 0;
}

int archive_split(struct archive_names *names, const char *text, struct err *err)
{
	memset(names, 0, sizeof(*names));
	while (*text) {
		size_t length = strcspn(text, "\n");

		if (length && names_add(names, text, length, err) < 0) {
			archive_names_release(names);
			return -1;
		}
		text += length + (text[length] == '\n');
	}
	return 0;
}

/* --- a trace -----------------------------------------------------------------------------------
 */

struct line {
	const char *path; /* the archive's */
	size_t path_length;
	const char *member; /* NULL = the line names the archive alone */
	size_t member_length;
};

/* "(lib.a)member" of GNU ld, "lib.a(member)" of the others, "lib.a". */
static bool line_read(struct line *line, const char *text)
{
	size_t length = strlen(text);
	const char *bracket = strrchr(text, '(');

	*line = (struct line){.path = text, .path_length = length};
	if (bracket == text) {
		bracket = strchr(text, ')');
		if (!bracket || bracket == text + 1 || bracket[1] == '\0')
			return false;
		line->path = text + 1;
		line->path_length = (size_t)(bracket - text) - 1;
		line->member = bracket + 1;
		line->member_length = strlen(line->member);
		return true;
	}
	if (bracket && text[length - 1] == ')') {
		line->path_length = (size_t)(bracket - text);
		line->member = bracket + 1;
		line->member_length = length - line->path_length - 2;
		return line->member_length > 0;
	}
	return length > 2 && strcmp(text + length - 2, ".a") == 0;
}

/* NULL = out of memory, or too many. */
static struct archive *find_archive(struct archives *archives, const struct line *line)
{
	struct archive *archive;

	for (size_t i = 0; i < archives->count; i++) {
		archive = &archives->items[i];
		if (strlen(archive->path) == line->path_length &&
			strncmp(archive->path, line->path, line->path_length) == 0)
			return archive;
	}
	if (archives->count >= ARCHIVES_MAX)
		return NULL;
	archive = &archives->items[archives->count];
	archive->path = strndup(line->path, line->path_length);
	if (!archive->path)
		return NULL;
	archives->count++;
	return archive;
}

static int read_lines(struct archives *archives, const struct archive_names *trace, struct err *err)
{
	for (size_t i = 0; i < trace->count; i++) {
		struct archive *archive;
		struct line line;

		if (!line_read(&line, trace->items[i]))
			continue;
		archive = find_archive(archives, &line);
		if (!archive)
			return err_set(
				err, ERR_LIMIT, "a link of more than %d archives", ARCHIVES_MAX);
		if (line.member &&
			names_add(&archive->loaded, line.member, line.member_length, err) < 0)
			return -1;
	}
	return 0;
}

int archive_read_trace(
	struct archives *archives, const struct archive_names *trace, struct err *err)
{
	archives->count = 0;
	archives->items = calloc(ARCHIVES_MAX, sizeof(*archives->items));
	if (!archives->items)
		return err_set(err, ERR_OS, "out of memory");
	if (read_lines(archives, trace, err) == 0)
		return 0;
	archive_release_all(archives);
	return -1;
}

/* --- members -----------------------------------------------------------------------------------
 */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const char *without_dot(const char *path)
{
	while (path[0] == '.' && path[1] == '/')
		path += 2;
	return path;
}

/* lld writes a thin archive's members without their folders. */
static bool same_member(const struct archive *archive, const char *left, const char *right)
{
	return archive->is_thin ? strcmp(last_part(left), last_part(right)) == 0
				: strcmp(left, right) == 0;
}

void archive_taken(const struct archive *archive, const struct archive_names *trace, size_t index,
	size_t *taken, size_t *there)
{
	const char *name = archive->members.items[index];

	*taken = 0;
	*there = 0;
	for (size_t i = 0; i < archive->members.count; i++)
		*there += same_member(archive, archive->members.items[i], name);
	for (size_t i = 0; i < archive->loaded.count; i++)
		*taken += same_member(archive, archive->loaded.items[i], name);
	if (!archive->is_thin || *taken)
		return;
	*there = 1;
	for (size_t i = 0; i < trace->count && !*taken; i++)
		*taken = strcmp(without_dot(trace->items[i]), without_dot(name)) == 0;
}
