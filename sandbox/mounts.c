#include "sandbox/mounts.h"

#include "sandbox/base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * The new root is made on /tmp: the tmpfs there hides the machine's /tmp in this namespace only.
 * Every source is therefore taken (as a detached copy of its mount) before that happens.
 */
#define ROOT "/tmp"

/* Linux 5.2's mount calls; the numbers are the same on x86-64 and arm64, the C library of
 * Debian 11 has no names for them. */
#define SYS_OPEN_TREE 428
#define SYS_MOVE_MOUNT 429
#define SYS_MOUNT_SETATTR 442
#define FLAG_OPEN_TREE_CLONE 1u
#define FLAG_MOVE_MOUNT_EMPTY_PATH 4u
#define FLAG_RECURSIVE 0x8000u

#define ATTRIBUTE_READ_ONLY 1u
#define ATTRIBUTE_NO_SETUID 2u
#define ATTRIBUTE_NO_DEVICES 4u

struct attributes {
	uint64_t set;
	uint64_t clear;
	uint64_t propagation;
	uint64_t userns_fd;
};

#define BINDS_MAX 48

/* A mount taken from the machine, to be put at `at` below the new root. */
struct bind {
	int fd; /* owned */
	bool is_directory;
	char at[PATH_MAX];
};

struct binds {
	unsigned count;
	struct bind bind[BINDS_MAX];
};

static void binds_release(struct binds *binds)
{
	for (unsigned i = 0; i < binds->count; i++)
		(void)close(binds->bind[i].fd);
	binds->count = 0;
}

/* Take a detached copy of what is mounted at `source`, with these attributes. */
static int take(struct binds *binds, const char *source, const char *at, unsigned attributes,
	struct err *err)
{
	/* The caller's directories hold no mounts we would want; the system's may. */
	unsigned recursive = (attributes & ATTRIBUTE_READ_ONLY) != 0 ? FLAG_RECURSIVE : 0;
	struct attributes wanted = {.set = attributes};
	AUTO_FD fd = -1;
	struct stat status;
	struct bind *bind;

	if (binds->count == BINDS_MAX)
		return err_set(err, ERR_CONFINE, "mounts: more than %d directories", BINDS_MAX);
	fd = (int)syscall(SYS_OPEN_TREE, AT_FDCWD, source,
		FLAG_OPEN_TREE_CLONE | (unsigned)O_CLOEXEC | (unsigned)AT_SYMLINK_NOFOLLOW |
			recursive);
	if (fd < 0)
		return err_errno(err, ERR_CONFINE, "mounts: %s", source);
	if (fstat(fd, &status) < 0)
		return err_errno(err, ERR_CONFINE, "mounts: %s", source);
	if (S_ISLNK(status.st_mode))
		return err_set(err, ERR_CONFINE, "mounts: %s is a symbolic link", source);
	if (syscall(SYS_MOUNT_SETATTR, fd, "", (unsigned)AT_EMPTY_PATH | recursive, &wanted,
		    sizeof(wanted)) < 0)
		return err_errno(err, ERR_CONFINE, "mounts: attributes of %s", source);
	bind = &binds->bind[binds->count++];
	bind->fd = steal_fd(&fd);
	bind->is_directory = S_ISDIR(status.st_mode);
	(void)snprintf(bind->at, sizeof(bind->at), "%s%s", ROOT, at);
	return 0;
}

static int make_mount_point(const struct bind *bind, struct err *err)
{
	char above[PATH_MAX];
	int fd;

	if (bind->is_directory)
		return io_make_dirs(bind->at, 0755, err);
	memcpy(above, bind->at, sizeof(above));
	*strrchr(above, '/') = '\0';
	if (io_make_dirs(above, 0755, err) < 0)
		return -1;
	fd = open(bind->at, O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (fd < 0)
		return err_errno(err, ERR_CONFINE, "mounts: %s", bind->at + strlen(ROOT));
	(void)close(fd);
	return 0;
}

static int put(const struct bind *bind, struct err *err)
{
	if (make_mount_point(bind, err) < 0)
		return -1;
	if (syscall(SYS_MOVE_MOUNT, bind->fd, "", AT_FDCWD, bind->at, FLAG_MOVE_MOUNT_EMPTY_PATH) <
		0)
		return err_errno(err, ERR_CONFINE, "mounts: put %s", bind->at + strlen(ROOT));
	return 0;
}

/* Is `path` inside one of the system's directories, and so visible already? */
static bool is_below(const char *path, const char *const *dirs)
{
	for (; *dirs != NULL; dirs++) {
		size_t length = strlen(*dirs);

		if (strncmp(path, *dirs, length) == 0 &&
			(path[length] == '/' || path[length] == '\0'))
			return true;
	}
	return false;
}

static int take_system(struct binds *binds, const struct mounts_view *view, struct err *err)
{
	const unsigned safe = ATTRIBUTE_READ_ONLY | ATTRIBUTE_NO_SETUID | ATTRIBUTE_NO_DEVICES;
	struct stat status;

	for (const char *const *dir = view->system; *dir != NULL; dir++) {
		/* /bin -> usr/bin is made again as a link: see put_links(). */
		if (lstat(*dir, &status) < 0 || !S_ISDIR(status.st_mode))
			continue;
		if (take(binds, *dir, *dir, safe, err) < 0)
			return -1;
	}
	/* Programs count processors and read cache sizes there. */
	if (stat("/sys/devices/system", &status) == 0 &&
		take(binds, "/sys/devices/system", "/sys/devices/system", safe, err) < 0)
		return -1;
	return 0;
}

static int take_readable(struct binds *binds, const struct mounts_view *view, struct err *err)
{
	const unsigned safe = ATTRIBUTE_READ_ONLY | ATTRIBUTE_NO_SETUID | ATTRIBUTE_NO_DEVICES;

	for (const char *const *path = view->readable; *path != NULL; path++)
		if (!is_below(*path, view->system) && take(binds, *path, *path, safe, err) < 0)
			return -1;
	return 0;
}

static int take_devices(struct binds *binds, struct err *err)
{
	static const char *const nodes[] = {
		"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};

	for (size_t i = 0; i < ARRAY_LENGTH(nodes); i++)
		if (take(binds, nodes[i], nodes[i], ATTRIBUTE_NO_SETUID, err) < 0)
			return -1;
	return 0;
}

static int take_tree(struct binds *binds, const struct mounts_view *view, struct err *err)
{
	const unsigned plain = ATTRIBUTE_NO_SETUID | ATTRIBUTE_NO_DEVICES;

	if (take(binds, view->tree, MOUNTS_TREE,
		    plain | (view->tree_writable ? 0 : ATTRIBUTE_READ_ONLY), err) < 0)
		return -1;
	if (view->scratch != NULL)
		return take(binds, view->scratch, MOUNTS_SCRATCH, plain, err);
	return 0;
}

static int put_tmpfs(
	const char *at, unsigned long flags, uint64_t bytes, unsigned mode, struct err *err)
{
	char path[PATH_MAX];
	char options[96];

	(void)snprintf(path, sizeof(path), "%s%s", ROOT, at);
	(void)snprintf(options, sizeof(options), "size=%" PRIu64 ",nr_inodes=%" PRIu64 ",mode=%o",
		bytes, bytes / 4096 + 1024, mode);
	if (io_make_dirs(path, 0755, err) < 0)
		return -1;
	if (mount("tmpfs", path, "tmpfs", MS_NOSUID | flags, options) < 0)
		return err_errno(err, ERR_CONFINE, "mounts: tmpfs at %s", at[0] == '\0' ? "/" : at);
	return 0;
}

/* The links of the system's root (/bin -> usr/bin), and those every /dev has. */
static int put_links(const char *const *system, struct err *err)
{
	static const char *const links[][2] = {
		{"/proc/self/fd", ROOT "/dev/fd"},
		{"/proc/self/fd/0", ROOT "/dev/stdin"},
		{"/proc/self/fd/1", ROOT "/dev/stdout"},
		{"/proc/self/fd/2", ROOT "/dev/stderr"},
	};
	char target[PATH_MAX];
	char at[PATH_MAX];

	for (size_t i = 0; i < ARRAY_LENGTH(links); i++)
		if (symlink(links[i][0], links[i][1]) < 0)
			return err_errno(err, ERR_CONFINE, "mounts: %s", links[i][1] + 4);
	for (; *system != NULL; system++) {
		ssize_t length = readlink(*system, target, sizeof(target) - 1);

		if (length < 0)
			continue;
		target[length] = '\0';
		(void)snprintf(at, sizeof(at), "%s%s", ROOT, *system);
		if (symlink(target, at) < 0)
			return err_errno(err, ERR_CONFINE, "mounts: %s", *system);
	}
	return 0;
}

static int put_private(const struct mounts_view *view, struct err *err)
{
	if (put_tmpfs("/dev", MS_NOEXEC, 65536, 0755, err) < 0 ||
		put_tmpfs("/dev/shm", MS_NODEV, view->tmp_bytes_max, 01777, err) < 0 ||
		put_tmpfs("/tmp", MS_NODEV, view->tmp_bytes_max, 01777, err) < 0 ||
		put_tmpfs("/var/tmp", MS_NODEV, view->tmp_bytes_max, 01777, err) < 0)
		return -1;
	if (view->scratch == NULL &&
		put_tmpfs(MOUNTS_SCRATCH, MS_NODEV, view->scratch_bytes_max, 01777, err) < 0)
		return -1;
	if (mkdir(ROOT "/proc", 0755) < 0)
		return err_errno(err, ERR_CONFINE, "mounts: /proc");
	if (mount("proc", ROOT "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0)
		return err_errno(err, ERR_CONFINE, "mounts: a /proc of our own");
	return 0;
}

/* pivot_root(2), "pivot_root(".", ".")": the old root ends up stacked on the new one. */
static int pivot(struct err *err)
{
	const unsigned long sealed = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV;

	if (mount(NULL, ROOT, NULL, sealed, NULL) < 0)
		return err_errno(err, ERR_CONFINE, "mounts: seal the root");
	if (chdir(ROOT) < 0 || syscall(SYS_pivot_root, ".", ".") < 0)
		return err_errno(err, ERR_CONFINE, "mounts: pivot_root");
	if (umount2(".", MNT_DETACH) < 0 || chdir("/") < 0)
		return err_errno(err, ERR_CONFINE, "mounts: leave the old root");
	return 0;
}

static int make_view(struct binds *binds, const struct mounts_view *view, struct err *err)
{
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return err_errno(err, ERR_CONFINE, "mounts: make the namespace private");
	if (take_system(binds, view, err) < 0 || take_devices(binds, err) < 0 ||
		take_tree(binds, view, err) < 0 || take_readable(binds, view, err) < 0)
		return -1;
	if (put_tmpfs("", MS_NODEV, 16u << 20, 0755, err) < 0 || put_private(view, err) < 0 ||
		put_links(view->system, err) < 0)
		return -1;
	for (unsigned i = 0; i < binds->count; i++)
		if (put(&binds->bind[i], err) < 0)
			return -1;
	return pivot(err);
}

int mounts_enter(const struct mounts_view *view, struct err *err)
{
	struct binds *binds = calloc(1, sizeof(*binds));
	int result;

	if (binds == NULL)
		return err_errno(err, ERR_OS, "mounts");
	result = make_view(binds, view, err);
	binds_release(binds);
	free(binds);
	return result;
}
