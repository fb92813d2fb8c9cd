#include "runner/layout/trial.h"

#include "runner/layout/folder.h"
#include "runner/layout/pads.h"
#include "runner/layout/record.h"

#include <limits.h>
#include <stdlib.h>

#define REPEAT "repeat"
#define AGAIN "again"
#define PADDED "padded"
#define PLAIN "plain"
#define REPEATING "the link cannot be repeated"
#define PADDING "the link fails with pads"

/* --- the repeated link -------------------------------------------------------------------------
 */

/* Words of the record alone: nothing is known of archives yet. */
static int plan_repeat(struct layout_target *target, bool always, struct err *err)
{
	AUTO_BUF copies = {.bytes_max = PATH_MAX};
	struct archives none = {0};
	struct archive_names no_trace = {0};
	struct replay_facts facts = {.words = &target->words,
		.archives = &none,
		.trace = &no_trace,
		.cwd = target->record->cwd,
		.members = ""};

	words_release(&target->words);
	replay_release(&target->replay);
	if (buf_printf(&copies, err, "%s/%s/%s", target->host->scratch_inside, RECORD_FOLDER,
		    RECORD_STORE) < 0)
		return -1;
	if (words_make(&target->words, target->record, buf_text(&copies), always, err) < 0)
		return -1;
	return replay_make(&target->replay, &facts, err);
}

static int start_repeat(
	struct trial *trial, const char *name, bool always, const char *doing, struct err *err)
{
	struct layout_target *target = trial->target;
	struct err cause;

	if (plan_repeat(target, always, &cause) < 0 ||
		target_link_start(target, name, NULL, &trial->process, &cause) < 0)
		return target_absorb(target, doing, &cause, err);
	trial->started = true;
	return 0;
}

/* Keep what the link tells: its trace and functions, if it loads the original's image. */
static int take_repeat(
	struct layout_target *target, const struct buf *output, int fd, bool *same, struct err *err)
{
	struct elf_file original, repeated;
	int result;

	if (elf_file_open(&original, target->original_fd, err) < 0)
		return -1;
	if (elf_file_open(&repeated, fd, err) < 0) {
		elf_file_release(&original);
		return -1;
	}
	result = elf_file_same_image(&original, &repeated, same, err);
	if (result == 0 && *same) {
		result = symbols_read(&target->symbols, &repeated, err);
		if (result == 0)
			result = archive_split(&target->trace, buf_text(output), err);
		if (result == 0)
			result = archive_read_trace(&target->archives, &target->trace, err);
	}
	elf_file_release(&original);
	elf_file_release(&repeated);
	return result;
}

static int finish_repeat(struct trial *trial, const char *name, bool *same, struct err *err)
{
	AUTO_BUF output = {.bytes_max = LAYOUT_OUTPUT_BYTES_MAX};
	AUTO_FD fd = -1;

	*same = false;
	if (target_link_finish(trial->target, name, trial->process, &output, &fd, err) < 0)
		return -1;
	if (output.length >= output.bytes_max)
		return err_set(err, ERR_LIMIT, "the linker says too much");
	return take_repeat(trial->target, &output, fd, same, err);
}

static bool has_copies(const struct links_record *record)
{
	for (size_t i = 0; i < record->args_count; i++)
		if (record->args[i].copy && !record->args[i].is_temporary)
			return true;
	return false;
}

static int refuse_repeat(struct trial *trial, bool same, const struct err *cause, struct err *err)
{
	struct layout_target *target = trial->target;

	if (cause->kind != ERR_NONE)
		return target_absorb(target, REPEATING, cause, err);
	if (!same)
		target_refuse(target, "%s: its inputs have changed since", REPEATING);
	else if (target->symbols.count == 0)
		target_refuse(target, "it names no functions to compare");
	return 0;
}

int trial_repeat_start(struct trial *trial, struct err *err)
{
	return target_is_wanted(trial->target) ? start_repeat(trial, REPEAT, false, REPEATING, err)
					       : 0;
}

/* A reason only where there are no copies to try. */
int trial_repeat_finish(struct trial *trial, struct err *err)
{
	struct err cause = {0};
	bool same;

	(void)!finish_repeat(trial, REPEAT, &same, &cause);
	if ((cause.kind == ERR_BUILD || (cause.kind == ERR_NONE && !same)) &&
		has_copies(trial->target->record))
		return 0;
	return refuse_repeat(trial, same, &cause, err);
}

int trial_again_start(struct trial *trial, struct err *err)
{
	struct layout_target *target = trial->target;

	if (!target_is_wanted(target) || target->symbols.count > 0)
		return 0;
	return start_repeat(trial, AGAIN, true, REPEATING, err);
}

int trial_again_finish(struct trial *trial, struct err *err)
{
	struct err cause = {0};
	bool same;

	(void)!finish_repeat(trial, AGAIN, &same, &cause);
	return refuse_repeat(trial, same, &cause, err);
}

/* --- the link with pads ------------------------------------------------------------------------
 */

static int plan_pads(struct layout_target *target, struct err *err)
{
	struct replay_facts facts = {.words = &target->words,
		.archives = &target->archives,
		.trace = &target->trace,
		.cwd = target->record->cwd,
		.members = target->folder_inside};

	replay_release(&target->replay);
	return replay_make(&target->replay, &facts, err);
}

static int start_padded(struct trial *trial, const char *name, struct err *err)
{
	struct layout_target *target = trial->target;
	struct draw draw = {0};

	draw.slots = target->replay.slots;
	draw.fine = calloc(draw.slots + 1, sizeof(*draw.fine));
	if (!draw.fine)
		return err_set(err, ERR_OS, "out of memory");
	draw_make_trial(&draw);
	trial->started = target_link_start(target, name, &draw, &trial->process, err) == 0;
	free(draw.fine);
	return trial->started ? 0 : -1;
}

/* Same functions, same sizes, and not one where it was? */
static int compare_padded(struct layout_target *target, int fd, struct err *err)
{
	struct symbols symbols;
	struct elf_file file;
	size_t unmoved;
	int result;

	if (elf_file_open(&file, fd, err) < 0)
		return -1;
	result = symbols_read(&symbols, &file, err);
	elf_file_release(&file);
	if (result < 0)
		return -1;
	unmoved = symbols_unmoved(&target->symbols, &symbols);
	if (!symbols_are_same(&target->symbols, &symbols))
		target_refuse(target, "code size differs");
	else if (unmoved > 0)
		target_refuse(target, "hot code did not move (%zu of %zu functions stay)", unmoved,
			symbols.count);
	symbols_release(&symbols);
	return 0;
}

static int finish_padded(struct trial *trial, const char *name, struct err *err)
{
	AUTO_BUF output = {.bytes_max = LAYOUT_OUTPUT_BYTES_MAX};
	AUTO_FD fd = -1;

	if (target_link_finish(trial->target, name, trial->process, &output, &fd, err) < 0)
		return -1;
	return compare_padded(trial->target, fd, err);
}

static bool has_named_members(const struct layout_target *target)
{
	for (size_t i = 0; i < target->archives.count; i++)
		if (target->archives.items[i].members.count > 0)
			return true;
	return false;
}

static int make_pads(struct layout_target *target, struct err *err)
{
	const struct pads_make make = {.like = target->header,
		.retain = target->words.drops_unused,
		.many = target->replay.slots > PADS_MATCHED_SLOTS};
	AUTO_FD pads = -1;

	if (folder_make(target->folder_fd, TARGET_PADS, &pads, err) < 0)
		return -1;
	return pads_write(pads, &make, err);
}

int trial_pads_start(struct trial *trial, struct err *err)
{
	struct layout_target *target = trial->target;
	struct err cause;

	if (!target_is_wanted(target))
		return 0;
	if (plan_pads(target, &cause) < 0 || make_pads(target, &cause) < 0 ||
		start_padded(trial, PADDED, &cause) < 0)
		return target_absorb(target, PADDING, &cause, err);
	return 0;
}

int trial_pads_finish(struct trial *trial, struct err *err)
{
	struct err cause = {0};

	if (finish_padded(trial, PADDED, &cause) == 0)
		return 0;
	if (cause.kind != ERR_BUILD || !has_named_members(trial->target))
		return target_absorb(trial->target, PADDING, &cause, err);
	for (size_t i = 0; i < trial->target->archives.count; i++)
		archive_names_release(&trial->target->archives.items[i].members);
	trial->target->wants_plain = true;
	return 0;
}

int trial_plain_start(struct trial *trial, struct err *err)
{
	struct err cause;

	if (!target_is_wanted(trial->target) || !trial->target->wants_plain)
		return 0;
	if (plan_pads(trial->target, &cause) < 0 || start_padded(trial, PLAIN, &cause) < 0)
		return target_absorb(trial->target, PADDING, &cause, err);
	return 0;
}

int trial_plain_finish(struct trial *trial, struct err *err)
{
	struct err cause = {0};

	if (finish_padded(trial, PLAIN, &cause) < 0)
		return target_absorb(trial->target, PADDING, &cause, err);
	return 0;
}
