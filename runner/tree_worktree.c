#include "runner/tree_worktree.h"

#include "runner/versions_git.h"
#include "sandbox/base/buf.h"
#include "sandbox/base/io.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#define POINTER_FILE_BYTES_MAX 1024
#define MAGIC_BYTES 8

/* Checked-out repositories still to be copied: "" is the clone itself. */
struct repositories {
	char **paths; /* owned */
	size_t count;
};

static int push(struct repositories *list, char *path, struct err *err)
{
	char **grown = realloc(list->paths, (list->count + 1) * sizeof(*grown));

	if (!grown) {
		free(path);
		return err_errno(err, ERR_OS, "list submodules");
	}
	list->paths = grown;
	list->paths[list->count++] = path;
	return 0;
}

/* What a compiler, linker or archiver makes: objects, programs, libraries. */
static bool is_built(int fd)
{
	static const char *const magics[] = {"\177ELF", "!<arch>\n", "!<thin>\n"};
	char magic[MAGIC_BYTES] = "";

	if (pread(fd, magic, sizeof(magic), 0) < 0)
		return false;
	for (size_t i = 0; i < ARRAY_LENGTH(magics); i++) {
		if (memcmp(magic, magics[i], strlen(magics[i])) == 0)
			return true;
	}
	return false;
}

/* Everything has one age, so that to `make` what was built by hand yesterday is up to date. */
static void leave_out_built(struct tree_writer *writer, const char *path)
{
	if (writer->out->built_left_out++ > 0)
		return;
	(void)text_copy(writer->out->built, sizeof(writer->out->built), path);
	text_make_printable(writer->out->built);
}

/* Small files may be LFS pointers that were never replaced: they are worth a look. */
static int copy_file(struct tree_writer *writer, const struct tree_place *place, int from,
	const struct stat *status, struct err *err)
{
	struct tree_file file = {
		.length = (size_t)status->st_size, .executable = status->st_mode & S_IXUSR};
	AUTO_BUF small;

	buf_init(&small, POINTER_FILE_BYTES_MAX);
	if (status->st_size == 0 || status->st_size > POINTER_FILE_BYTES_MAX)
		return tree_writer_copy(writer, place, from, &file, err);
	if (io_read_all(&small, from, err) < 0)
		return -1;
	file.bytes = buf_text(&small);
	file.length = small.length;
	return tree_writer_file(writer, place, &file, "", err);
}

static int copy_link(struct tree_writer *writer, const struct tree_place *place, int from,
	const char *name, struct err *err)
{
	AUTO_STR target = NULL;

	if (tree_read_link(&target, from, name, err) < 0)
		return -1;
	return tree_writer_link(writer, place, target, err);
}

/* Copy one path, seen from the working tree's top; what is gone or no file is no part of it. */
static int copy_path(
	struct tree_writer *writer, int top, const char *path, bool tracked, struct err *err)
{
	AUTO_FD from = -1;
	AUTO_FD to = -1;
	AUTO_FD fd = -1;
	AUTO_STR directory = NULL;
	struct tree_place place;
	struct stat status;
	const char *name;

	if (tree_enter_parent(&from, &name, top, path, TREE_EXISTING, err) < 0)
		return -1;
	if (from < 0 || fstatat(from, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode))
		return 0;
	if (S_ISREG(status.st_mode) && tree_open_file(&fd, from, name, &status, err) < 0)
		return -1;
	if (fd >= 0 && !tracked && is_built(fd)) {
		leave_out_built(writer, path);
		return 0;
	}
	if (tree_enter_parent(&to, &name, writer->root, path, TREE_CREATE, err) < 0)
		return -1;
	directory = strndup(path, name == path ? 0 : (size_t)(name - path - 1));
	if (!directory)
		return err_errno(err, ERR_OS, "%s", path);
	place = (struct tree_place){.directory = to, .path = directory, .name = name};
	if (S_ISLNK(status.st_mode))
		return copy_link(writer, &place, from, name, err);
	return fd < 0 ? 0 : copy_file(writer, &place, fd, &status, err);
}

static int copy_listed(struct tree_writer *writer, int top, const char *repository,
	git_status_list *list, struct err *err)
{
	for (size_t i = 0; i < git_status_list_entrycount(list); i++) {
		const git_status_entry *entry = git_status_byindex(list, i);
		const git_diff_delta *delta = entry->index_to_workdir ? entry->index_to_workdir
								      : entry->head_to_index;
		AUTO_STR path = NULL;
		size_t length;

		if (!delta || (entry->status & GIT_STATUS_WT_DELETED))
			continue;
		path = tree_join(repository, delta->new_file.path, err);
		if (!path)
			return -1;
		length = strlen(path);
		/* A slash at the end is an untracked repository. */
		if (length == 0 || path[length - 1] == '/')
			continue;
		if (copy_path(writer, top, path, !(entry->status & GIT_STATUS_WT_NEW), err) < 0)
			return err_wrap(err, "%s", path);
	}
	return 0;
}

static int copy_files(struct tree_writer *writer, int top, const char *path,
	git_repository *repository, struct err *err)
{
	git_status_options options;
	git_status_list *list = NULL;
	int result;

	(void)git_status_options_init(&options, GIT_STATUS_OPTIONS_VERSION);
	options.show = GIT_STATUS_SHOW_INDEX_AND_WORKDIR;
	options.flags = GIT_STATUS_OPT_INCLUDE_UNTRACKED | GIT_STATUS_OPT_RECURSE_UNTRACKED_DIRS |
			GIT_STATUS_OPT_INCLUDE_UNMODIFIED | GIT_STATUS_OPT_EXCLUDE_SUBMODULES;
	if (git_status_list_new(&list, repository, &options) < 0)
		return versions_git_error(err, "list the working tree's files");
	result = copy_listed(writer, top, path, list, err);
	git_status_list_free(list);
	return result;
}

static int push_submodules(struct repositories *list, const char *repository_path,
	git_repository *repository, struct tree_writer *writer, struct err *err)
{
	git_index *index = NULL;
	int result = 0;

	if (git_repository_index(&index, repository) < 0)
		return versions_git_error(err, "read the index");
	for (size_t i = 0; result == 0 && i < git_index_entrycount(index); i++) {
		const git_index_entry *entry = git_index_get_byindex(index, i);
		char *path;

		if (entry->mode != GIT_FILEMODE_COMMIT)
			continue;
		path = tree_join(repository_path, entry->path, err);
		result = path ? push(list, path, err) : -1;
		writer->out->submodules++;
	}
	git_index_free(index);
	return result;
}

static int copy_repository(struct tree_writer *writer, struct repositories *list, int top,
	const char *path, git_repository *repository, struct err *err)
{
	if (push_submodules(list, path, repository, writer, err) < 0)
		return -1;
	return copy_files(writer, top, path, repository, err);
}

static int copy_submodule(struct tree_writer *writer, struct repositories *list, int top,
	const char *workdir, const char *path, struct err *err)
{
	AUTO_STR full = tree_join(workdir, path, err);
	git_repository *repository = NULL;
	char shown[VERSIONS_TEXT_BYTES];
	int result;

	if (!full)
		return -1;
	if (git_repository_open(&repository, full) < 0) {
		(void)text_copy(shown, sizeof(shown), path);
		text_make_printable(shown);
		return err_set(err, ERR_VERSION,
			"submodule %s is not checked out: git submodule update --init --recursive",
			shown);
	}
	result = copy_repository(writer, list, top, path, repository, err);
	git_repository_free(repository);
	return result;
}

int tree_worktree_copy(struct tree_writer *writer, const struct versions *versions, struct err *err)
{
	const char *workdir = git_repository_workdir(versions->repository);
	struct repositories list = {0};
	AUTO_FD top = -1;
	int result;

	if (tree_open(&top, workdir, err) < 0)
		return -1;
	result = copy_repository(writer, &list, top, "", versions->repository, err);
	while (list.count > 0) {
		char *path = list.paths[--list.count];

		if (result == 0)
			result = copy_submodule(writer, &list, top, workdir, path, err);
		free(path);
	}
	free(list.paths);
	return result;
}
