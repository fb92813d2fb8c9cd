#include "runner/layout/layout.h"

#include "runner/layout/folder.h"
#include "runner/layout/match.h"
#include "runner/layout/record.h"
#include "runner/layout/target.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define FOLDER_NAMES_TRIED 1000
#define FOLDER_BYTES 32

bool layout_is_varied(const struct layout_side *side)
{
	return side->count > 0 && side->reason[0] == '\0';
}

const char *layout_reason(const struct layout_side *side)
{
	return side->reason;
}

void layout_release(struct layout_side *side)
{
	for (size_t i = 0; i < side->count; i++)
		target_release(&side->targets[i]);
	free(side->targets);
	if (side->links)
		links_release(side->links);
	free(side->links);
	memset(side, 0, sizeof(*side));
}

/* --- opening a side ----------------------------------------------------------------------------
 */

/* A new folder in scratch, under a name that the build has not taken. */
static int make_folder(
	const struct layout_side *side, struct layout_target *target, struct err *err)
{
	AUTO_FD scratch = open(side->host->scratch_outside, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	AUTO_BUF inside = {.bytes_max = PATH_MAX};
	char name[FOLDER_BYTES];
	int result = -1;

	if (scratch < 0)
		return err_errno(err, ERR_OS, "open %s", side->host->scratch_outside);
	for (unsigned i = 0; i < FOLDER_NAMES_TRIED && result < 0; i++) {
		(void)snprintf(name, sizeof(name), "layout-%u", i);
		result = folder_make(scratch, name, &target->folder_fd, err);
		if (result < 0 && err->kind != ERR_BUILD)
			return -1;
	}
	if (result < 0 || buf_printf(&inside, err, "%s/%s", side->host->scratch_inside, name) < 0)
		return -1;
	target->folder_inside = buf_take(&inside, err);
	return target->folder_inside ? 0 : -1;
}

static int open_target(const struct layout_side *side, struct layout_target *target,
	const char *path, int store_fd, struct err *err)
{
	*target = (struct layout_target){
		.host = side->host, .original_fd = -1, .folder_fd = -1, .path = strdup(path)};
	if (!target->path)
		return err_set(err, ERR_OS, "out of memory");
	if (make_folder(side, target, err) < 0)
		return -1;
	return match_target(target, side->host->tree_outside, side->links, store_fd, err);
}

static int read_links(struct layout_side *side, int *store_fd, struct err *err)
{
	static const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	AUTO_FD scratch = open(side->host->scratch_outside, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	AUTO_FD folder = scratch < 0 ? -1 : openat(scratch, RECORD_FOLDER, flags);

	side->links = calloc(1, sizeof(*side->links));
	if (!side->links)
		return err_set(err, ERR_OS, "out of memory");
	if (folder < 0)
		return 0; /* the build removed it: nothing is recorded */
	*store_fd = openat(folder, RECORD_STORE, flags);
	return links_read(side->links, folder, err);
}

int layout_open(struct layout_side *side, const struct layout_host *host,
	const char *const *targets, size_t count, uint64_t seed, struct err *err)
{
	AUTO_FD store_fd = -1;

	memset(side, 0, sizeof(*side));
	side->host = host;
	side->seed = seed;
	if (count == 0 || count > LAYOUT_TARGETS_MAX) {
		(void)snprintf(side->reason, sizeof(side->reason),
			count ? "%zu files of the tree are loaded, more than %d"
			      : "no file of the tree is loaded (%zu of at most %d)",
			count, LAYOUT_TARGETS_MAX);
		return 0;
	}
	side->targets = calloc(count, sizeof(*side->targets));
	if (!side->targets)
		return err_set(err, ERR_OS, "out of memory");
	if (read_links(side, &store_fd, err) < 0) {
		layout_release(side);
		return -1;
	}
	for (size_t i = 0; i < count; i++) {
		side->count++;
		if (open_target(side, &side->targets[i], targets[i], store_fd, err) < 0) {
			layout_release(side);
			return -1;
		}
	}
	return 0;
}
