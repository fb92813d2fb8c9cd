#include "runner/layout/links.h"

#include "runner/layout/record.h"
#include "sandbox/base/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define NAMES_READ_MAX 65536 /* directory entries looked at */

void links_record_release(struct links_record *record)
{
	free(record->bytes);
	free(record->args);
	memset(record, 0, sizeof(*record));
}

void links_release(struct links *links)
{
	for (size_t i = 0; i < links->count; i++)
		links_record_release(&links->items[i]);
	free(links->items);
	memset(links, 0, sizeof(*links));
}

bool links_is_stored_name(const char *name)
{
	size_t length = strlen(name);

	return length > 0 && length < LINKS_STORED_BYTES_MAX &&
	       strspn(name, "0123456789abcdef-") == length;
}

/* The field's value where it has this key. */
static const char *field_value(const char *field, const char *key)
{
	size_t length = strlen(key);

	return strncmp(field, key, length) == 0 ? field + length : NULL;
}

static int parse_arg(
	struct links_record *record, const char *text, const char *copy, struct err *err)
{
	struct links_arg *arg;

	if (record->args_count >= RECORD_ARGS_MAX)
		return err_set(err, ERR_BUILD, "a link record has too many arguments");
	/* Grown by doubling: a power of two is full. */
	if ((record->args_count & (record->args_count - 1)) == 0) {
		size_t capacity = record->args_count ? 2 * record->args_count : 1;
		struct links_arg *args = realloc(record->args, capacity * sizeof(*args));

		if (!args)
			return err_set(err, ERR_OS, "out of memory");
		record->args = args;
	}
	arg = &record->args[record->args_count++];
	arg->text = text;
	arg->copy = copy;
	arg->is_temporary = false;
	return 0;
}

static int parse_once(const char **where, const char *value, struct err *err)
{
	if (*where)
		return err_set(err, ERR_BUILD, "a link record says something twice");
	*where = value;
	return 0;
}

/* A copy waits in *copy for the argument it belongs to. */
static int parse_field(
	struct links_record *record, const char *field, const char **copy, struct err *err)
{
	const char *value;

	if ((value = field_value(field, "linker=")))
		return parse_once(&record->linker, value, err);
	if ((value = field_value(field, "cwd=")))
		return parse_once(&record->cwd, value, err);
	if ((value = field_value(field, "output=")))
		return parse_once(&record->output, value, err);
	if ((value = field_value(field, "stored=")))
		return parse_once(&record->stored, value, err);
	if ((value = field_value(field, "env="))) {
		if (record->env_count >= LINKS_ENV_MAX || !strchr(value, '=') || *value == '=')
			return err_set(err, ERR_BUILD, "a link record has a bad environment");
		record->env[record->env_count++] = value;
		return 0;
	}
	if (field_value(field, "copy=") || field_value(field, "temporary="))
		return parse_once(copy, field, err);
	value = field_value(field, "arg=");
	if (!value)
		return err_set(err, ERR_BUILD, "a link record has an unknown field");
	if (parse_arg(record, value, NULL, err) < 0)
		return -1;
	if (*copy) {
		struct links_arg *arg = &record->args[record->args_count - 1];

		arg->is_temporary = **copy == 't';
		arg->copy = strchr(*copy, '=') + 1;
		*copy = NULL;
		if (!links_is_stored_name(arg->copy))
			return err_set(err, ERR_BUILD, "a link record names no copy of the store");
	}
	return 0;
}

static int parse_fields(struct links_record *record, size_t length, struct err *err)
{
	const char *copy = NULL;
	const char *end = record->bytes + length;
	const char *field = record->bytes;

	if (length == 0 || end[-1] != '\0' || strcmp(field, RECORD_MAGIC) != 0)
		return err_set(err, ERR_BUILD, "a link record is damaged");
	for (field += strlen(field) + 1; field < end; field += strlen(field) + 1) {
		if (strlen(field) > LINKS_TEXT_BYTES_MAX)
			return err_set(err, ERR_BUILD, "a link record has too long a field");
		if (parse_field(record, field, &copy, err) < 0)
			return -1;
	}
	if (!record->linker || !record->cwd || !record->output || !record->stored ||
		record->linker[0] != '/' || record->cwd[0] != '/' || record->output[0] == '\0' ||
		!links_is_stored_name(record->stored) || record->args_count == 0 || copy)
		return err_set(err, ERR_BUILD, "a link record is incomplete");
	return 0;
}

int links_parse(struct links_record *record, const char *bytes, size_t length, struct err *err)
{
	memset(record, 0, sizeof(*record));
	if (length > RECORD_BYTES_MAX)
		return err_set(err, ERR_BUILD, "a link record is too long");
	record->bytes = malloc(length + 1);
	if (!record->bytes)
		return err_set(err, ERR_OS, "out of memory");
	if (length)
		memcpy(record->bytes, bytes, length);
	record->bytes[length] = '\0';
	if (parse_fields(record, length, err) == 0)
		return 0;
	links_record_release(record);
	return -1;
}

/* --- the directory -----------------------------------------------------------------------------
 */

struct names {
	char (*items)[NAME_MAX + 1];
	size_t count;
};

static void names_release(struct names *names)
{
	free(names->items);
}

static int names_compare(const void *left, const void *right)
{
	return strcmp(left, right);
}

static bool is_record_name(const char *name)
{
	size_t length = strlen(name);

	return length > strlen(RECORD_SUFFIX) && length <= NAME_MAX &&
	       strcmp(name + length - strlen(RECORD_SUFFIX), RECORD_SUFFIX) == 0;
}

static int names_read(struct names *names, int folder_fd, struct err *err)
{
	int fd = openat(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	size_t seen = 0;
	int result = 0;

	if (!folder) {
		attr_close(&fd);
		return err_errno(err, ERR_OS, "read the directory of link records");
	}
	while (result == 0 && seen++ < NAMES_READ_MAX && (entry = readdir(folder))) {
		if (!is_record_name(entry->d_name))
			continue;
		if ((names->count & (names->count - 1)) == 0) {
			size_t capacity = names->count ? 2 * names->count : 1;
			void *items = realloc(names->items, capacity * sizeof(*names->items));

			if (!items) {
				result = err_set(err, ERR_OS, "out of memory");
				continue;
			}
			names->items = items;
		}
		memcpy(names->items[names->count++], entry->d_name, strlen(entry->d_name) + 1);
	}
	(void)closedir(folder);
	return result;
}

/* 0 = read or refused; a record is refused for whatever is wrong with it alone. */
static int read_one(
	struct links *links, int folder_fd, const char *name, size_t *bytes_left, struct err *err)
{
	AUTO_FD fd = openat(
		folder_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	AUTO_BUF text = {.bytes_max = RECORD_BYTES_MAX};
	struct err refusal = {0};
	struct stat status;

	if (fd < 0 || fstat(fd, &status) < 0 || !S_ISREG(status.st_mode) ||
		io_read_all(&text, fd, &refusal) < 0 || text.length > *bytes_left) {
		links->refused++;
		return 0;
	}
	if (links_parse(&links->items[links->count], buf_text(&text), text.length, &refusal) < 0) {
		if (refusal.kind == ERR_OS)
			return err_set(err, ERR_OS, "%s", refusal.text);
		links->refused++;
		return 0;
	}
	*bytes_left -= text.length;
	links->count++;
	return 0;
}

int links_read(struct links *links, int folder_fd, struct err *err)
{
	ATTR_CLEANUP(names_release) struct names names = {0};
	size_t bytes_left = LINKS_BYTES_MAX;
	size_t first;

	memset(links, 0, sizeof(*links));
	if (names_read(&names, folder_fd, err) < 0)
		return -1;
	if (names.count == 0)
		return 0;
	qsort(names.items, names.count, sizeof(*names.items), names_compare);
	links->items = calloc(LINKS_MAX, sizeof(*links->items));
	if (!links->items)
		return err_set(err, ERR_OS, "out of memory");
	first = names.count > LINKS_MAX ? names.count - LINKS_MAX : 0;
	for (size_t i = first; i < names.count; i++)
		if (read_one(links, folder_fd, names.items[i], &bytes_left, err) < 0) {
			links_release(links);
			return -1;
		}
	return 0;
}
