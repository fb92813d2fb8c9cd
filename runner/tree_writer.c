#include "runner/tree_writer.h"

#include "runner/tree_pointer.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Remember the first of the things to be said, printable. */
static void remember(char *first, size_t *count, const struct tree_place *place)
{
	if ((*count)++ > 0)
		return;
	(void)snprintf(first, VERSIONS_TEXT_BYTES, "%s%s%s", place->path, *place->path ? "/" : "",
		place->name);
	text_make_printable(first);
}

static int count_file(struct tree_writer *writer, uint64_t bytes, struct err *err)
{
	writer->out->files++;
	writer->out->bytes += bytes;
	if (writer->out->files > TREE_EXPORT_FILES_MAX)
		return err_set(err, ERR_LIMIT, "more than %d files", TREE_EXPORT_FILES_MAX);
	if (writer->out->bytes > TREE_EXPORT_BYTES_MAX)
		return err_set(err, ERR_LIMIT, "more than %llu bytes of files",
			(unsigned long long)TREE_EXPORT_BYTES_MAX);
	return 0;
}

int tree_writer_copy(struct tree_writer *writer, const struct tree_place *place, int from,
	const struct tree_file *file, struct err *err)
{
	struct tree_file timed = *file;

	timed.modified = writer->modified;
	if (count_file(writer, file->length, err) < 0)
		return -1;
	return tree_copy(from, place->directory, place->name, &timed, err);
}

/* *from = the LFS object the pointer names, -1 where this clone has it not, or not whole. */
static int open_object(
	int *from, const struct tree_pointer *pointer, const char *lfs_objects, struct err *err)
{
	AUTO_FD root = -1;
	AUTO_FD directory = -1;
	struct stat status;
	const char *name;

	*from = -1;
	if (!*lfs_objects || access(lfs_objects, F_OK) < 0)
		return 0;
	if (tree_open(&root, lfs_objects, err) < 0 ||
		tree_enter_parent(&directory, &name, root, pointer->path, TREE_EXISTING, err) < 0)
		return -1;
	if (directory < 0)
		return 0;
	if (tree_open_file(from, directory, name, &status, err) < 0)
		return -1;
	if (*from >= 0 && (uint64_t)status.st_size != pointer->size) {
		(void)close(*from);
		*from = -1;
	}
	return 0;
}

int tree_writer_file(struct tree_writer *writer, const struct tree_place *place,
	const struct tree_file *file, const char *lfs_objects, struct err *err)
{
	struct tree_file timed = *file;
	struct tree_pointer pointer;

	timed.modified = writer->modified;
	if (tree_pointer_parse(&pointer, file->bytes, file->length)) {
		AUTO_FD from = -1;

		if (open_object(&from, &pointer, lfs_objects, err) < 0)
			return -1;
		timed.length = pointer.size;
		if (from >= 0)
			return tree_writer_copy(writer, place, from, &timed, err);
		timed.length = file->length;
		remember(writer->out->pointer, &writer->out->pointers, place);
	}
	if (count_file(writer, file->length, err) < 0)
		return -1;
	return tree_write(place->directory, place->name, &timed, err);
}

int tree_writer_link(struct tree_writer *writer, const struct tree_place *place, const char *target,
	struct err *err)
{
	if (!target || !tree_link_stays(tree_depth(place->path), target)) {
		remember(writer->out->link_left_out, &writer->out->links_left_out, place);
		return 0;
	}
	writer->out->links++;
	if (count_file(writer, 0, err) < 0)
		return -1;
	writer->out->files--;
	if (symlinkat(target, place->directory, place->name) < 0)
		return err_errno(err, ERR_OS, "create link %s", place->name);
	return 0;
}
