#include "sandbox/explain_paths.h"

#include "sandbox/base/text.h"
#include "sandbox/landlock.h"
#include "sandbox/profiles.h"
#include "sandbox/seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NONE (-1)

enum access { READS, WRITES, BY_FLAGS };

/* Where a call's arguments hold what. */
static const struct {
	const char *name;
	int directory; /* NONE: relative to the working directory */
	int path;
	int flags;
	enum access access;
} watched[] = {
	{"open", NONE, 0, 1, BY_FLAGS},
	{"openat", 0, 1, 2, BY_FLAGS},
	{"openat2", 0, 1, NONE, READS},
	{"execve", NONE, 0, NONE, READS},
	{"execveat", 0, 1, NONE, READS},
	{"creat", NONE, 0, NONE, WRITES},
	{"truncate", NONE, 0, NONE, WRITES},
	{"mkdir", NONE, 0, NONE, WRITES},
	{"mkdirat", 0, 1, NONE, WRITES},
	{"rmdir", NONE, 0, NONE, WRITES},
	{"unlink", NONE, 0, NONE, WRITES},
	{"unlinkat", 0, 1, NONE, WRITES},
	{"rename", NONE, 1, NONE, WRITES},
	{"renameat", 2, 3, NONE, WRITES},
	{"renameat2", 2, 3, NONE, WRITES},
	{"link", NONE, 1, NONE, WRITES},
	{"linkat", 2, 3, NONE, WRITES},
	{"symlink", NONE, 1, NONE, WRITES},
	{"symlinkat", 1, 2, NONE, WRITES},
	{"mknod", NONE, 0, NONE, WRITES},
	{"mknodat", 0, 1, NONE, WRITES},
};

void explain_paths_watched(int numbers[EXPLAIN_PATHS_WATCHED_MAX])
{
	unsigned count = 0;

	for (size_t i = 0; i < ARRAY_LENGTH(watched); i++) {
		int number = seccomp_number_of(watched[i].name);

		if (number >= 0)
			numbers[count++] = number;
	}
	numbers[count] = -1;
}

void explain_paths_normalize(char *path)
{
	char *out = path;

	for (const char *next = path; *next != '\0';) {
		size_t length;

		next += strspn(next, "/");
		length = strcspn(next, "/");
		if (length == 2 && strncmp(next, "..", 2) == 0) {
			while (out > path && *--out != '/')
				continue;
		} else if (length > 0 && !(length == 1 && *next == '.')) {
			*out++ = '/';
			memmove(out, next, length);
			out += length;
		}
		next += length;
	}
	if (out == path)
		*out++ = '/';
	*out = '\0';
}

/* A string of the thread's memory. */
static bool read_string(pid_t thread, uint64_t address, char *text, size_t text_bytes)
{
	char path[64];
	AUTO_FD memory = -1;
	ssize_t got;

	(void)snprintf(path, sizeof(path), "/proc/%d/mem", thread);
	memory = open(path, O_RDONLY | O_CLOEXEC);
	if (memory < 0 || address > INT64_MAX)
		return false;
	/* The string may end just before a page that is not there. */
	got = pread(memory, text, text_bytes - 1, (off_t)address);
	if (got <= 0) {
		size_t to_page_end = 4096 - (size_t)(address % 4096);

		got = pread(memory, text, to_page_end < text_bytes ? to_page_end : text_bytes - 1,
			(off_t)address);
	}
	if (got <= 0)
		return false;
	text[got] = '\0';
	return strlen(text) < (size_t)got;
}

static bool read_link(pid_t thread, const char *name, char *target, size_t target_bytes)
{
	char path[64];
	ssize_t length;

	(void)snprintf(path, sizeof(path), "/proc/%d/%s", thread, name);
	length = readlink(path, target, target_bytes - 1);
	if (length <= 0)
		return false;
	target[length] = '\0';
	return true;
}

/* The absolute path a call means, as the thread sees it. */
static bool find_path(
	pid_t thread, size_t which, const struct seccomp_eval_call *call, char path[PATH_MAX])
{
	char named[PATH_MAX];
	char base[PATH_MAX];
	char link[32] = "cwd";

	if (!read_string(thread, call->arguments[watched[which].path], named, sizeof(named)) ||
		named[0] == '\0')
		return false;
	if (watched[which].directory != NONE) {
		int directory = (int)call->arguments[watched[which].directory];

		if (directory != AT_FDCWD)
			(void)snprintf(link, sizeof(link), "fd/%d", directory);
	}
	if (named[0] == '/')
		base[0] = '\0';
	else if (!read_link(thread, link, base, sizeof(base)))
		return false;
	if ((size_t)snprintf(path, PATH_MAX, "%s/%s", base, named) >= PATH_MAX)
		return false;
	explain_paths_normalize(path);
	return true;
}

static bool is_below(const char *path, const char *directory)
{
	size_t length = strlen(directory);

	return length > 0 && strncmp(path, directory, length) == 0 &&
	       (path[length] == '/' || path[length] == '\0');
}

static bool is_below_one(const char *path, const char *const *directories)
{
	for (; *directories != NULL; directories++)
		if (is_below(path, *directories))
			return true;
	return false;
}

static bool has_private_view(const struct sandbox_cell *cell)
{
	return cell->machine.tier == SANDBOX_TIER_ROOT || cell->machine.tier == SANDBOX_TIER_USERNS;
}

static bool may_write(const struct sandbox_cell *cell, const char *path)
{
	static const char *const private_dirs[] = {"/tmp", "/var/tmp", "/dev/shm", NULL};
	static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
		"/dev/urandom", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd",
		"/proc/self/fd", NULL};

	if (is_below(path, cell->scratch) || is_below_one(path, devices))
		return true;
	if (profiles_get(cell->profile)->tree_writable && is_below(path, cell->tree))
		return true;
	return has_private_view(cell) && is_below_one(path, private_dirs);
}

static bool may_read(const struct sandbox_cell *cell, const char *path)
{
	static const char *const facts[] = {"/proc", "/sys/devices/system", NULL};
	const char *readable = cell->readable;

	for (; *readable != '\0'; readable += strlen(readable) + 1)
		if (is_below(path, readable))
			return true;
	return may_write(cell, path) || is_below(path, cell->tree) || is_below_one(path, facts) ||
	       is_below_one(path, landlock_system_dirs);
}

/* Is the path there for the thread, whatever its last component is? */
static bool is_visible(pid_t thread, const char *path)
{
	char inside[PATH_MAX + 64];
	struct stat status;

	(void)snprintf(inside, sizeof(inside), "/proc/%d/root%s", thread, path);
	return lstat(inside, &status) == 0;
}

static void judge_read(const struct sandbox_cell *cell, pid_t thread, const char *name,
	const char *path, char *text, size_t text_bytes)
{
	bool hidden = has_private_view(cell);
	struct stat status;

	/* A file nobody has is looked for all the time. In a view of one's own what is there may be
	 * read; elsewhere what may be read is a list. */
	if (lstat(path, &status) < 0 || (hidden ? is_visible(thread, path) : may_read(cell, path)))
		return;
	(void)snprintf(text, text_bytes,
		"%s %.300s: %s; to grant it, name its directory as readable", name, path,
		has_private_view(cell) ? "not there inside (mounts)"
				       : "may not be read (landlock)");
}

void explain_paths_judge(const struct sandbox_cell *cell, pid_t thread,
	const struct seccomp_eval_call *call, char *text, size_t text_bytes)
{
	char path[PATH_MAX];
	size_t which = 0;
	bool writes;

	text[0] = '\0';
	while (which < ARRAY_LENGTH(watched) &&
		seccomp_number_of(watched[which].name) != call->number)
		which++;
	if (which == ARRAY_LENGTH(watched) || !find_path(thread, which, call, path))
		return;
	writes = watched[which].access == WRITES ||
		 (watched[which].access == BY_FLAGS &&
			 (call->arguments[watched[which].flags] &
				 (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0);
	if (!writes)
		judge_read(cell, thread, watched[which].name, path, text, text_bytes);
	else if (!may_write(cell, path))
		(void)snprintf(text, text_bytes,
			"%s %.300s: may not be written (%s); writable are %s$HOME and $TMPDIR",
			watched[which].name, path,
			has_private_view(cell) ? "mounts, landlock" : "landlock",
			profiles_get(cell->profile)->tree_writable ? "the tree, " : "");
	text_make_printable(text);
}
