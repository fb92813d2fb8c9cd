#include "sandbox/cgroup.h"

#include "sandbox/base/buf.h"
#include "sandbox/base/io.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* A removed group stays busy until its last process is reaped. */
#define REMOVE_TRIES 200
#define REMOVE_PAUSE_NS 5000000

/* Where cgroup v2 is mounted: "ID PARENT MAJOR:MINOR ROOT MOUNTPOINT ... - cgroup2 ...". */
static bool find_mount(char *path, size_t path_bytes)
{
	AUTO_BUF mounts = {0};
	struct err ignored;

	buf_init(&mounts, 1u << 20);
	if (io_read_file(&mounts, "/proc/self/mountinfo", &ignored) < 0)
		return false;
	for (const char *line = buf_text(&mounts); *line != '\0';) {
		size_t length = strcspn(line, "\n");
		char point[PATH_MAX];
		const char *type = strstr(line, " - cgroup2 ");

		if (type != NULL && type < line + length &&
			sscanf(line, "%*d %*d %*s %*s %4095s", point) == 1)
			return text_copy(path, path_bytes, point);
		line += length;
		line += *line == '\n' ? 1 : 0;
	}
	return false;
}

/* The directory above our own group: "0::/a/b" gives MOUNT/a. */
static bool find_above_own(const char *mount, char *path, size_t path_bytes)
{
	AUTO_BUF groups = {0};
	struct err ignored;
	const char *own;
	size_t length;

	buf_init(&groups, 65536);
	if (io_read_file(&groups, "/proc/self/cgroup", &ignored) < 0)
		return false;
	own = strstr(buf_text(&groups), "0::/");
	if (own == NULL || strncmp(own, "0::/..", 6) == 0)
		return false;
	own += 3;
	length = strcspn(own, "\n");
	while (length > 0 && own[length - 1] != '/')
		length--;
	return (size_t)snprintf(path, path_bytes, "%s%.*s", mount, (int)length, own) < path_bytes;
}

static int write_file(const char *group, const char *name, uint64_t value, struct err *err)
{
	char path[PATH_MAX];
	char text[32];
	AUTO_FD fd = -1;

	(void)snprintf(path, sizeof(path), "%s/%s", group, name);
	(void)snprintf(text, sizeof(text), "%" PRIu64, value);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		return err_errno(err, ERR_CONFINE, "cgroup: %s", path);
	return 0;
}

static bool has_file(const char *group, const char *name)
{
	char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s", group, name);
	return access(path, W_OK) == 0;
}

/* A fresh group below `above` that has both controllers; false leaves nothing behind. */
static bool make_below(const char *above, char *path, size_t path_bytes)
{
	for (unsigned number = 0; number < 1000; number++) {
		int length = snprintf(
			path, path_bytes, "%s/duel-%d-%u", above, (int)getpid(), number);

		if (length < 0 || (size_t)length >= path_bytes)
			return false;
		if (mkdir(path, 0755) < 0 && errno == EEXIST)
			continue;
		if (has_file(path, "memory.max") && has_file(path, "pids.max") &&
			has_file(path, "cgroup.procs"))
			return true;
		(void)rmdir(path);
		return false;
	}
	return false;
}

static bool make_somewhere(char *path, size_t path_bytes)
{
	char mount[PATH_MAX];
	char above[PATH_MAX];

	if (!find_mount(mount, sizeof(mount)))
		return false;
	if (make_below(mount, path, path_bytes))
		return true;
	return find_above_own(mount, above, sizeof(above)) && make_below(above, path, path_bytes);
}

bool cgroup_is_granted(void)
{
	char path[PATH_MAX];

	if (!make_somewhere(path, sizeof(path)))
		return false;
	(void)rmdir(path);
	return true;
}

static int limit(const char *path, const struct cgroup_limits *limits, struct err *err)
{
	if (write_file(path, "pids.max", limits->processes_max, err) < 0)
		return -1;
	if (limits->memory_bytes == 0)
		return 0;
	if (write_file(path, "memory.max", limits->memory_bytes, err) < 0)
		return -1;
	/* A machine without swap accounting has no such file; then there is nothing to limit. */
	if (has_file(path, "memory.swap.max") && write_file(path, "memory.swap.max", 0, err) < 0)
		return -1;
	return write_file(path, "memory.oom.group", 1, err);
}

int cgroup_make(char *path, size_t path_bytes, const struct cgroup_limits *limits, int *procs_fd,
	struct err *err)
{
	char procs[PATH_MAX];

	if (!make_somewhere(path, path_bytes))
		return err_set(err, ERR_CONFINE, "cgroup: a group cannot be made any more");
	(void)snprintf(procs, sizeof(procs), "%s/cgroup.procs", path);
	*procs_fd = open(procs, O_WRONLY | O_CLOEXEC);
	if (*procs_fd < 0)
		(void)err_errno(err, ERR_CONFINE, "cgroup: %s", procs);
	if (*procs_fd >= 0 && limit(path, limits, err) == 0)
		return 0;
	attr_close(procs_fd);
	*procs_fd = -1;
	cgroup_remove(path);
	path[0] = '\0';
	return -1;
}

void cgroup_remove(const char *path)
{
	const struct timespec pause = {.tv_nsec = REMOVE_PAUSE_NS};
	struct err ignored;

	if (path[0] == '\0')
		return;
	if (has_file(path, "cgroup.kill"))
		(void)write_file(path, "cgroup.kill", 1, &ignored);
	for (unsigned i = 0; i < REMOVE_TRIES; i++) {
		if (rmdir(path) == 0 || errno != EBUSY)
			return;
		(void)nanosleep(&pause, NULL);
	}
}
