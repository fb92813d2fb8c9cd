#include "runner/layout/target.h"

#include "runner/layout/folder.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define RESPONSE_FILE "words"
#define RESOLUTION_FILE "resolution"
#define SAID_BYTES 200 /* of a failed link's output */

void target_release(struct layout_target *target)
{
	attr_close(&target->original_fd);
	attr_close(&target->folder_fd);
	free(target->path);
	free(target->folder_inside);
	words_release(&target->words);
	archive_names_release(&target->trace);
	archive_release_all(&target->archives);
	replay_release(&target->replay);
	symbols_release(&target->symbols);
	memset(target, 0, sizeof(*target));
	target->original_fd = -1;
	target->folder_fd = -1;
}

bool target_is_wanted(const struct layout_target *target)
{
	return target->record && target->reason[0] == '\0';
}

void target_refuse(struct layout_target *target, const char *format, ...)
{
	va_list args;

	if (target->reason[0] != '\0')
		return;
	va_start(args, format);
	(void)vsnprintf(target->reason, sizeof(target->reason), format, args);
	va_end(args);
	text_make_printable(target->reason);
}

int target_absorb(
	struct layout_target *target, const char *doing, const struct err *cause, struct err *err)
{
	if (cause->kind == ERR_BUILD || cause->kind == ERR_BENCH || cause->kind == ERR_LIMIT) {
		target_refuse(target, "%s: %s", doing, cause->text);
		return 0;
	}
	*err = *cause;
	return err_wrap(err, "%s: %s", target->path, doing);
}

/* The output keeps its name, which a library without a soname carries inside. */
static const char *output_name(const struct layout_target *target)
{
	const char *slash = strrchr(target->record->output, '/');
	const char *name = slash ? slash + 1 : target->record->output;

	return strcmp(name, "") == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
			       strlen(name) > NAME_MAX
		       ? "a.out"
		       : name;
}

static int write_words(const struct layout_target *target, const char *folder, int folder_fd,
	const struct draw *draw, struct err *err)
{
	AUTO_BUF pads = {.bytes_max = PATH_MAX};
	AUTO_BUF output = {.bytes_max = 2 * (size_t)PATH_MAX};
	AUTO_BUF resolution = {.bytes_max = 2 * (size_t)PATH_MAX};
	AUTO_BUF words = {.bytes_max = REPLAY_TEXT_BYTES_MAX};
	struct replay_places places;

	if (buf_printf(&pads, err, "%s/%s", target->folder_inside, TARGET_PADS) < 0 ||
		buf_printf(&output, err, "%s/%s", folder, output_name(target)) < 0 ||
		buf_printf(&resolution, err, "%s/%s", folder, RESOLUTION_FILE) < 0)
		return -1;
	places = (struct replay_places){.pads = buf_text(&pads),
		.output = buf_text(&output),
		.resolution = buf_text(&resolution)};
	if (replay_text(&words, &target->replay, draw, &places, err) < 0)
		return -1;
	return folder_put_file(folder_fd, RESPONSE_FILE, words.data, words.length, err);
}

static int start_linker(
	const struct layout_target *target, const char *folder, unsigned *process, struct err *err)
{
	const struct links_record *record = target->record;
	const char *env[LINKS_ENV_MAX + 2];
	AUTO_BUF words = {.bytes_max = PATH_MAX};
	AUTO_BUF temporary = {.bytes_max = PATH_MAX};
	const char *argv[] = {record->linker, NULL, NULL};
	struct layout_command command = {.argv = argv, .env = env, .cwd = record->cwd};

	if (buf_printf(&words, err, "@%s/%s", folder, RESPONSE_FILE) < 0 ||
		buf_printf(&temporary, err, "TMPDIR=%s", folder) < 0)
		return -1;
	argv[1] = buf_text(&words);
	memcpy(env, record->env, record->env_count * sizeof(*env));
	env[record->env_count] = buf_text(&temporary);
	env[record->env_count + 1] = NULL;
	return target->host->start(target->host->payload, &command, process, err);
}

/* What a link leaves beside its output (a plugin's files) stays until scratch is removed. */
static void remove_folder(const struct layout_target *target, const char *name, int folder_fd)
{
	(void)unlinkat(folder_fd, RESPONSE_FILE, 0);
	(void)unlinkat(folder_fd, RESOLUTION_FILE, 0);
	(void)unlinkat(folder_fd, output_name(target), 0);
	(void)unlinkat(target->folder_fd, name, AT_REMOVEDIR);
}

int target_link_start(const struct layout_target *target, const char *name, const struct draw *draw,
	unsigned *process, struct err *err)
{
	AUTO_BUF folder = {.bytes_max = PATH_MAX};
	AUTO_FD folder_fd = -1;

	if (buf_printf(&folder, err, "%s/%s", target->folder_inside, name) < 0 ||
		folder_make(target->folder_fd, name, &folder_fd, err) < 0)
		return -1;
	if (write_words(target, buf_text(&folder), folder_fd, draw, err) == 0 &&
		start_linker(target, buf_text(&folder), process, err) == 0)
		return 0;
	remove_folder(target, name, folder_fd);
	return -1;
}

/* The last thing it said, of several lines the last one. */
static int fail(const struct buf *output, int wait_status, struct err *err)
{
	char said[SAID_BYTES];
	const char *text = buf_text(output);
	size_t end = output->length, start;

	while (end && strchr(" \n\r\t", text[end - 1]))
		end--;
	for (start = end; start && text[start - 1] != '\n'; start--)
		if (end - start >= sizeof(said) - 1)
			break;
	(void)snprintf(said, sizeof(said), "%.*s", (int)(end - start), text + start);
	if (WIFSIGNALED(wait_status))
		return err_set(err, ERR_BUILD, "the linker was killed by signal %d",
			WTERMSIG(wait_status));
	return err_set(
		err, ERR_BUILD, "%s", said[0] != '\0' ? said : "the linker failed without a word");
}

static int open_output(const struct layout_target *target, int folder_fd, int *fd, struct err *err)
{
	AUTO_FD output = openat(folder_fd, output_name(target),
		O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat status;

	if (output < 0 || fstat(output, &status) < 0 || !S_ISREG(status.st_mode))
		return err_set(err, ERR_BUILD, "the linker made no file");
	*fd = steal_fd(&output);
	return 0;
}

int target_link_finish(const struct layout_target *target, const char *name, unsigned process,
	struct buf *output, int *fd, struct err *err)
{
	int wait_status = 0, result;
	AUTO_FD folder_fd = -1;

	if (target->host->wait(target->host->payload, process, output, &wait_status, err) < 0)
		return -1;
	folder_fd = openat(
		target->folder_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder_fd < 0)
		return err_set(err, ERR_BUILD, "the linker removed its directory");
	if (!WIFEXITED(wait_status) || WEXITSTATUS(wait_status) != 0)
		result = fail(output, wait_status, err);
	else
		result = open_output(target, folder_fd, fd, err);
	remove_folder(target, name, folder_fd);
	return result;
}
