#include "runner/tree_manifest.h"

#include "runner/tree.h"
#include "runner/tree_walk.h"
#include "sandbox/base/io.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define READ_BYTES 65536

struct tree_manifest_file {
	char *path;    /* owned */
	uint64_t hash; /* of its bytes */
	uint64_t size;
	ino_t inode;
	struct timespec modified, changed; /* st_mtim; st_ctim, which no build can set */
};

/*
 * Eight bytes at a time through a multiply and a rotation (the constants are odd and have no
 * pattern): the question is whether a build wrote something else, not whether somebody forges.
 */
static uint64_t hash_bytes(uint64_t hash, const unsigned char *bytes, size_t length)
{
	while (length > 0) {
		size_t step = length < sizeof(uint64_t) ? length : sizeof(uint64_t);
		uint64_t word = 0;

		memcpy(&word, bytes, step);
		hash = (hash ^ word) * 0x9fb21c651e98df25u;
		hash ^= hash >> 32;
		bytes += step;
		length -= step;
	}
	return hash;
}

/* Whole blocks but for the last, so that equal files hash alike however read(2) cuts them. */
static int read_block(int fd, unsigned char *block, size_t *length, struct err *err)
{
	size_t got = 1;

	*length = 0;
	while (got > 0 && *length < READ_BYTES) {
		if (io_read_some(fd, block + *length, READ_BYTES - *length, UINT64_MAX, &got, err) <
			0)
			return -1;
		*length += got;
	}
	return 0;
}

static int hash_file(uint64_t *out, int fd, unsigned char *block, struct err *err)
{
	uint64_t hash = 0;
	size_t length = READ_BYTES;

	while (length == READ_BYTES) {
		if (read_block(fd, block, &length, err) < 0)
			return -1;
		hash = hash_bytes(hash, block, length);
	}
	*out = hash;
	return 0;
}

static int grow(struct tree_manifest *manifest, struct err *err)
{
	size_t capacity = manifest->capacity ? 2 * manifest->capacity : 256;
	struct tree_manifest_file *grown;

	if (manifest->count < manifest->capacity)
		return 0;
	grown = realloc(manifest->files, capacity * sizeof(*grown));
	if (!grown)
		return err_errno(err, ERR_OS, "list files");
	manifest->files = grown;
	manifest->capacity = capacity;
	return 0;
}

static int record(struct tree_manifest *manifest, const struct tree_entry *entry,
	unsigned char *block, struct err *err)
{
	AUTO_FD fd = -1;
	struct tree_manifest_file *file;
	struct stat status;

	if (tree_open_file(&fd, entry->directory, entry->name, &status, err) < 0 ||
		grow(manifest, err) < 0)
		return -1;
	if (fd < 0)
		return 0;
	file = &manifest->files[manifest->count];
	*file = (struct tree_manifest_file){
		.size = (uint64_t)status.st_size,
		.inode = status.st_ino,
		.modified = status.st_mtim,
		.changed = status.st_ctim,
	};
	if (hash_file(&file->hash, fd, block, err) < 0)
		return -1;
	file->path = tree_join(entry->path, entry->name, err);
	if (!file->path)
		return -1;
	manifest->count++;
	return 0;
}

int tree_manifest_take(struct tree_manifest *out, int root, struct err *err)
{
	AUTO_TREE_WALK walk = {0};
	AUTO_STR block = malloc(READ_BYTES);
	struct tree_entry entry;

	*out = (struct tree_manifest){0};
	if (!block)
		return err_errno(err, ERR_OS, "list files");
	if (tree_walk_begin(&walk, root, "", err) < 0)
		return -1;
	for (;;) {
		if (tree_walk_next(&walk, &entry, err) < 0 ||
			(entry.name && S_ISREG(entry.status.st_mode) &&
				record(out, &entry, (unsigned char *)block, err) < 0)) {
			tree_manifest_release(out);
			return -1;
		}
		if (!entry.name)
			return 0;
	}
}

void tree_manifest_release(struct tree_manifest *manifest)
{
	for (size_t i = 0; i < manifest->count; i++)
		free(manifest->files[i].path);
	free(manifest->files);
	*manifest = (struct tree_manifest){0};
}

static bool is_same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static bool is_untouched(const struct tree_manifest_file *file, const struct stat *status)
{
	return status->st_ino == file->inode && (uint64_t)status->st_size == file->size &&
	       is_same_time(&status->st_mtim, &file->modified) &&
	       is_same_time(&status->st_ctim, &file->changed);
}

static void add_name(struct tree_rewritten *out, const char *path)
{
	char *name;

	if (out->names_count == TREE_MANIFEST_NAMES)
		return;
	name = out->names[out->names_count++];
	(void)text_copy(name, TREE_MANIFEST_NAME_BYTES, path);
	text_make_printable(name);
}

/* *same = the file has the bytes it had. */
static int compare_bytes(bool *same, const struct tree_manifest_file *file, int directory,
	const char *name, unsigned char *block, struct err *err)
{
	AUTO_FD fd = -1;
	struct stat status;
	uint64_t hash;

	*same = false;
	if (tree_open_file(&fd, directory, name, &status, err) < 0)
		return -1;
	if (fd < 0 || (uint64_t)status.st_size != file->size)
		return 0;
	if (hash_file(&hash, fd, block, err) < 0)
		return -1;
	*same = hash == file->hash;
	return 0;
}

static int compare_file(const struct tree_manifest_file *file, int root, unsigned char *block,
	struct tree_rewritten *out, struct err *err)
{
	AUTO_FD directory = -1;
	struct stat status;
	const char *name;
	bool same = true;

	if (tree_enter_parent(&directory, &name, root, file->path, TREE_EXISTING, err) < 0)
		return -1;
	if (directory < 0 || fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) < 0) {
		out->removed++;
		add_name(out, file->path);
		return 0;
	}
	/* One the build has locked away from us is not what it was. */
	if (!is_untouched(file, &status) &&
		compare_bytes(&same, file, directory, name, block, err) < 0 &&
		err->os_errno != EACCES)
		return err_wrap(err, "%s", file->path);
	if (!same) {
		out->changed++;
		add_name(out, file->path);
	}
	return 0;
}

int tree_manifest_compare(
	const struct tree_manifest *manifest, int root, struct tree_rewritten *out, struct err *err)
{
	AUTO_STR block = malloc(READ_BYTES);

	*out = (struct tree_rewritten){0};
	if (!block)
		return err_errno(err, ERR_OS, "compare files");
	for (size_t i = 0; i < manifest->count; i++) {
		if (compare_file(&manifest->files[i], root, (unsigned char *)block, out, err) < 0)
			return -1;
	}
	return 0;
}

int tree_rewritten_note(const struct tree_rewritten *rewritten, const char *side, struct buf *notes,
	struct err *err)
{
	size_t total = rewritten->changed + rewritten->removed;

	if (total == 0)
		return 0;
	if (buf_printf(notes, err, "%s: the build changed %zu and removed %zu tracked files (",
		    side, rewritten->changed, rewritten->removed) < 0)
		return -1;
	for (size_t i = 0; i < rewritten->names_count; i++) {
		if (buf_printf(notes, err, "%s%s", i ? ", " : "", rewritten->names[i]) < 0)
			return -1;
	}
	return buf_printf(notes, err, "%s): what was measured is not quite the commit\n",
		total > rewritten->names_count ? ", ..." : "");
}
