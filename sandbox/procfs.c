#include "sandbox/procfs.h"

#include "sandbox/base/buf.h"
#include "sandbox/base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool parse(const char **text, int64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoll(*text, &end, 10);
	if (errno != 0 || end == *text)
		return false;
	*text = end;
	return true;
}

bool procfs_number(const char *path, const char *key, int64_t *number)
{
	AUTO_BUF contents = {0};
	struct err ignored;
	size_t length = strlen(key);

	buf_init(&contents, 65536);
	if (io_read_file(&contents, path, &ignored) < 0)
		return false;
	for (const char *line = buf_text(&contents); *line != '\0';) {
		if (strncmp(line, key, length) == 0) {
			line += length;
			return parse(&line, number);
		}
		line += strcspn(line, "\n");
		line += *line == '\n' ? 1 : 0;
	}
	return false;
}

bool procfs_numbers(const char *path, int64_t *numbers, size_t count)
{
	AUTO_BUF contents = {0};
	struct err ignored;
	const char *next;

	buf_init(&contents, 65536);
	if (io_read_file(&contents, path, &ignored) < 0)
		return false;
	next = buf_text(&contents);
	for (size_t i = 0; i < count; i++)
		if (!parse(&next, &numbers[i]))
			return false;
	return true;
}

/* Fields are counted from 1 as in proc(5); what is asked for here are numbers from the 4th on. */
static bool parse_fields(const char *text, struct procfs_stat *stat)
{
	enum { PARENT = 4, STARTED = 22, ARGUMENTS = 48, ENVIRONMENT = 50, LAST = 51 };
	uint64_t field[LAST + 1];

	for (size_t i = PARENT; i <= LAST; i++) {
		char *end;

		field[i] = strtoull(text, &end, 10);
		if (end == text)
			return false;
		text = end;
	}
	stat->parent = (pid_t)field[PARENT];
	stat->started = field[STARTED];
	memcpy(stat->arguments, &field[ARGUMENTS], sizeof(stat->arguments));
	memcpy(stat->environment, &field[ENVIRONMENT], sizeof(stat->environment));
	return true;
}

bool procfs_stat(pid_t pid, struct procfs_stat *stat)
{
	char path[64];
	char text[2048];
	AUTO_FD fd = -1;
	const char *rest;
	ssize_t got;

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = read(fd, text, sizeof(text) - 1);
	if (got <= 0)
		return false;
	text[got] = '\0';
	/* The name in parentheses may hold anything, also ")". */
	rest = strrchr(text, ')');
	if (rest == NULL || strlen(rest) < 4)
		return false;
	stat->pid = pid;
	stat->state = rest[2];
	return parse_fields(rest + 3, stat);
}
