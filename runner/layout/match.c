#include "runner/layout/match.h"

#include "runner/layout/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define COMPARED_BYTES 65536
#define OPEN_FLAGS (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

/* Folder by folder, following no link; -1 = there is no such regular file. */
static int open_below(const char *tree, const char *path)
{
	AUTO_FD folder = open(tree, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat status;
	AUTO_FD file = -1;
	const char *slash;

	for (; folder >= 0 && (slash = strchr(path, '/')); path = slash + 1) {
		AUTO_STR part = strndup(path, (size_t)(slash - path));
		int next;

		if (slash == path)
			continue;
		next = part && strcmp(part, "..") != 0
			       ? openat(folder, part, O_DIRECTORY | OPEN_FLAGS)
			       : -1;
		attr_close(&folder);
		folder = next;
	}
	if (folder < 0)
		return -1;
	file = openat(folder, path, OPEN_FLAGS);
	if (file < 0 || fstat(file, &status) < 0 || !S_ISREG(status.st_mode))
		return -1;
	return steal_fd(&file);
}

/* Unreadable is different: both files only ever matter if they are the same. */
static bool same_bytes(int left, int right)
{
	AUTO_STR bytes = malloc((size_t)2 * COMPARED_BYTES);
	struct stat status[2];
	off_t offset = 0;

	if (!bytes || fstat(left, &status[0]) < 0 || fstat(right, &status[1]) < 0 ||
		status[0].st_size != status[1].st_size)
		return false;
	while (offset < status[0].st_size) {
		ssize_t n = pread(left, bytes, COMPARED_BYTES, offset);

		if (n <= 0 || pread(right, bytes + COMPARED_BYTES, (size_t)n, offset) != n ||
			memcmp(bytes, bytes + COMPARED_BYTES, (size_t)n) != 0)
			return false;
		offset += n;
	}
	return true;
}

static bool same_image(const struct elf_file *original, int fd)
{
	struct elf_file other;
	struct err ignored;
	bool same = false;

	if (elf_file_open(&other, fd, &ignored) < 0)
		return false;
	if (elf_file_same_image(original, &other, &same, &ignored) < 0)
		same = false;
	elf_file_release(&other);
	return same;
}

/* From the newest: a file that was linked again is what its last link made. */
static const struct links_record *find(
	const struct elf_file *original, const struct links *links, int store_fd, bool by_image)
{
	for (size_t i = links->count; i-- > 0;) {
		AUTO_FD fd = openat(store_fd, links->items[i].stored, OPEN_FLAGS);

		if (fd >= 0 && (by_image ? same_image(original, fd) : same_bytes(original->fd, fd)))
			return &links->items[i];
	}
	return NULL;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void refuse_unmatched(struct layout_target *target, const struct links *links)
{
	for (size_t i = 0; i < links->count; i++)
		if (strcmp(last_part(links->items[i].output), last_part(target->path)) == 0) {
			target_refuse(target, "output rewritten after link");
			return;
		}
	if (links->refused)
		target_refuse(target, "no link recorded (%zu damaged records)", links->refused);
	else
		target_refuse(target, "no link recorded");
}

int match_target(struct layout_target *target, const char *tree, const struct links *links,
	int store_fd, struct err *err)
{
	struct elf_file original;
	struct err cause;

	target->original_fd = open_below(tree, target->path);
	if (target->original_fd < 0) {
		target_refuse(target, "no regular file in the tree");
		return 0;
	}
	if (elf_file_open(&original, target->original_fd, &cause) < 0)
		return target_absorb(target, "no link recorded", &cause, err);
	target->header = original.header;
	target->record = find(&original, links, store_fd, false);
	if (!target->record)
		target->record = find(&original, links, store_fd, true);
	if (!target->record)
		refuse_unmatched(target, links);
	elf_file_release(&original);
	return 0;
}
