#include "runner/layout/trial.h"

#include "runner/layout/folder.h"

#include <limits.h>
#include <stdio.h>
#include <sys/wait.h>

#define PATHS_BYTES_MAX (LINKS_TEXT_BYTES_MAX + 8192u)

static bool wants_archive(const struct trial *trial)
{
	const struct layout_target *target = trial->target;

	return target_is_wanted(target) && trial->archive < target->archives.count &&
	       replay_wants_members(&target->words, &target->archives.items[trial->archive],
		       target->record->cwd);
}

static int start_ar(struct trial *trial, const char *const *argv, const char *cwd, struct err *err)
{
	const struct layout_host *host = trial->target->host;
	struct layout_command command = {.argv = argv, .env = NULL, .cwd = cwd};
	struct err cause;

	trial->started = host->start(host->payload, &command, &trial->process, &cause) == 0;
	/* Without `ar` the members stay in their archive and move together. */
	if (trial->started || cause.kind == ERR_BENCH)
		return 0;
	*err = cause;
	return err_wrap(err, "%s: ar", trial->target->path);
}

/* Did it end well? What it printed is in `output`. */
static int finish_ar(struct trial *trial, struct buf *output, bool *ended_well, struct err *err)
{
	const struct layout_host *host = trial->target->host;
	int wait_status = 0;
	struct err cause;

	*ended_well = false;
	if (host->wait(host->payload, trial->process, output, &wait_status, &cause) < 0) {
		if (cause.kind == ERR_LIMIT)
			return 0;
		*err = cause;
		return err_wrap(err, "%s: ar", trial->target->path);
	}
	*ended_well = WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0 &&
		      output->length < output->bytes_max;
	return 0;
}

int trial_list_start(struct trial *trial, struct err *err)
{
	const char *argv[] = {"ar", "tP", NULL, NULL};

	if (!wants_archive(trial))
		return 0;
	argv[2] = trial->target->archives.items[trial->archive].path;
	return start_ar(trial, argv, trial->target->record->cwd, err);
}

/* How many members bear the name that most bear? */
static size_t count_twins(const struct archive *archive)
{
	struct archive_names no_trace = {0};
	size_t most = 0;

	for (size_t i = 0; i < archive->members.count; i++) {
		size_t taken, there;

		archive_taken(archive, &no_trace, i, &taken, &there);
		if (there > most)
			most = there;
	}
	return most;
}

int trial_list_finish(struct trial *trial, struct err *err)
{
	struct archive *archive = &trial->target->archives.items[trial->archive];
	AUTO_BUF output = {.bytes_max = LAYOUT_OUTPUT_BYTES_MAX};
	struct err cause;
	bool ended_well;

	if (finish_ar(trial, &output, &ended_well, err) < 0)
		return -1;
	if (!ended_well)
		return 0;
	if (archive_split(&archive->members, buf_text(&output), &cause) < 0)
		return target_absorb(trial->target, "list an archive", &cause, err);
	if (replay_is_small(archive, &trial->target->trace))
		archive->twins = count_twins(archive);
	else
		archive_names_release(&archive->members);
	return 0;
}

/* The names that at least `instance` members bear, as `ar` reads them from a file. */
static int write_names(const struct trial *trial, const char *name, struct err *err)
{
	const struct archive *archive = &trial->target->archives.items[trial->archive];
	struct archive_names no_trace = {0};
	AUTO_BUF names = {.bytes_max = REPLAY_TEXT_BYTES_MAX};

	for (size_t i = 0; i < archive->members.count; i++) {
		size_t taken, there;

		archive_taken(archive, &no_trace, i, &taken, &there);
		if (there > 1 && there >= trial->instance &&
			replay_write_word(&names, "", archive->members.items[i], err) < 0)
			return -1;
	}
	return folder_put_file(trial->target->folder_fd, name, buf_text(&names), names.length, err);
}

/* The archive's path from anywhere, not only from where it was linked. */
static int absolute_path(const struct trial *trial, struct buf *out, struct err *err)
{
	const char *path = trial->target->archives.items[trial->archive].path;

	return path[0] == '/' ? buf_append_str(out, path, err)
			      : buf_printf(out, err, "%s/%s", trial->target->record->cwd, path);
}

static int start_extract(struct trial *trial, const char *folder, struct err *err)
{
	AUTO_BUF path = {.bytes_max = PATHS_BYTES_MAX}, cwd = {.bytes_max = PATHS_BYTES_MAX},
		 names = {.bytes_max = PATHS_BYTES_MAX};
	char count[24];
	const char *all[] = {"ar", "x", NULL, NULL};
	const char *some[] = {"ar", "xN", count, NULL, NULL, NULL};
	AUTO_FD folder_fd = -1;

	(void)snprintf(count, sizeof(count), "%zu", trial->instance);
	if (absolute_path(trial, &path, err) < 0 ||
		buf_printf(&cwd, err, "%s/%s", trial->target->folder_inside, folder) < 0 ||
		buf_printf(&names, err, "@%s.names", buf_text(&cwd)) < 0 ||
		folder_make(trial->target->folder_fd, folder, &folder_fd, err) < 0)
		return -1;
	all[2] = some[3] = buf_text(&path);
	if (trial->instance == 0)
		return start_ar(trial, all, buf_text(&cwd), err);
	some[4] = buf_text(&names);
	return start_ar(trial, some, buf_text(&cwd), err);
}

int trial_extract_start(struct trial *trial, struct err *err)
{
	struct layout_target *target = trial->target;
	AUTO_BUF folder = {.bytes_max = NAME_MAX}, names = {.bytes_max = NAME_MAX};
	const struct archive *archive;
	struct err cause;

	if (!wants_archive(trial))
		return 0;
	archive = &target->archives.items[trial->archive];
	if (archive->members.count == 0 ||
		(trial->instance > 0 && (archive->is_thin || archive->twins < 2 ||
						archive->twins < trial->instance)))
		return 0;
	if (replay_member_folder(&folder, trial->archive, trial->instance, &cause) < 0 ||
		buf_printf(&names, &cause, "%s.names", buf_text(&folder)) < 0 ||
		(trial->instance > 0 && write_names(trial, buf_text(&names), &cause) < 0) ||
		start_extract(trial, buf_text(&folder), &cause) < 0)
		return target_absorb(target, "extract an archive", &cause, err);
	return 0;
}

/* Thin archives cannot be extracted from: their members are files already. */
int trial_extract_finish(struct trial *trial, struct err *err)
{
	struct archive *archive = &trial->target->archives.items[trial->archive];
	AUTO_BUF output = {.bytes_max = LAYOUT_OUTPUT_BYTES_MAX};
	bool ended_well;

	if (finish_ar(trial, &output, &ended_well, err) < 0)
		return -1;
	if (!ended_well && trial->instance == 0)
		archive->is_thin = true;
	else if (!ended_well)
		archive_names_release(&archive->members);
	return 0;
}
