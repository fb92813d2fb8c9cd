#include "runner/layout/layout.h"

#include "runner/layout/target.h"

#include <stdio.h>
#include <string.h>

#define NAME_BYTES 32

void layout_set_release(struct layout_set *set)
{
	for (unsigned i = 0; i < set->made; i++)
		attr_close(&set->fds[i]);
	memset(set, 0, sizeof(*set));
}

static void folder_name(char name[NAME_BYTES], unsigned number)
{
	(void)snprintf(name, NAME_BYTES, "layout-%u", number);
}

static int start_one(const struct layout_side *side, size_t index, unsigned number,
	unsigned *process, struct err *err)
{
	const struct layout_target *target = &side->targets[index];
	struct draw draw = {.slots = target->replay.slots};
	uint64_t *keys = calloc(draw.slots, sizeof(*keys));
	char name[NAME_BYTES];
	int result = -1;

	draw.fine = calloc(draw.slots, sizeof(*draw.fine));
	if (draw.fine && keys) {
		replay_keys(&target->replay, keys);
		draw.keys = keys;
		/* Files that are loaded together are laid out independently. */
		draw_make(&draw, side->seed ^ draw_key(target->path), number);
		folder_name(name, number);
		result = target_link_start(target, name, &draw, process, err);
	} else {
		(void)err_set(err, ERR_OS, "out of memory");
	}
	free(draw.fine);
	free(keys);
	return result;
}

/* The same code at other places? */
static int check(const struct layout_target *target, int fd, struct err *err)
{
	struct symbols symbols;
	struct elf_file file;
	bool same, moved;
	int result;

	if (elf_file_open(&file, fd, err) < 0)
		return -1;
	result = symbols_read(&symbols, &file, err);
	elf_file_release(&file);
	if (result < 0)
		return -1;
	same = symbols_are_same(&target->symbols, &symbols);
	moved = symbols_layout(&target->symbols) != symbols_layout(&symbols);
	symbols_release(&symbols);
	if (!same)
		return err_set(err, ERR_BUILD, "code size differs");
	return moved ? 0 : err_set(err, ERR_BUILD, "hot code did not move");
}

static int finish_one(const struct layout_target *target, unsigned number, unsigned process,
	int *fd, struct err *err)
{
	AUTO_BUF output = {.bytes_max = LAYOUT_OUTPUT_BYTES_MAX};
	AUTO_FD made = -1;
	char name[NAME_BYTES];

	folder_name(name, number);
	if (target_link_finish(target, name, process, &output, &made, err) < 0 ||
		check(target, made, err) < 0)
		return err_wrap(err, "%s", target->path);
	*fd = steal_fd(&made);
	return 0;
}

int layout_link_finish(struct layout_side *side, struct layout_set *set, struct err *err)
{
	int result = 0;

	for (; set->made < set->started; set->made++) {
		struct err cause;

		set->fds[set->made] = -1;
		if (finish_one(&side->targets[set->made], set->number, set->processes[set->made],
			    &set->fds[set->made], &cause) < 0 &&
			result == 0) {
			*err = cause;
			result = -1;
		}
	}
	if (result < 0)
		layout_set_release(set);
	return result;
}

int layout_link_start(
	struct layout_side *side, unsigned number, struct layout_set *set, struct err *err)
{
	memset(set, 0, sizeof(*set));
	set->number = number;
	if (!layout_is_varied(side))
		return err_set(err, ERR_BUG, "a layout of what is not varied: %s", side->reason);
	for (size_t i = 0; i < side->count; i++) {
		struct err ignored;

		if (start_one(side, i, number, &set->processes[i], err) == 0) {
			set->started++;
			continue;
		}
		(void)err_wrap(err, "%s", side->targets[i].path);
		if (layout_link_finish(side, set, &ignored) == 0)
			layout_set_release(set);
		return -1;
	}
	return 0;
}
