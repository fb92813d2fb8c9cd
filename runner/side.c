#include "runner/side.h"

#include "runner/build.h"
#include "runner/runnable.h"
#include "runner/tree.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int open_cells(
	struct side *side, const struct sandbox_machine *machine, bool loopback, struct err *err)
{
	const struct sandbox_room run = {
		.profile = SANDBOX_RUN,
		.side = side->side,
		.tree = side->paths->tree,
		.scratch = side->paths->run,
		.loopback = loopback,
	};
	const struct sandbox_room link = {
		.profile = SANDBOX_LINK,
		.side = side->side,
		.tree = side->paths->tree,
		.scratch = side->paths->scratch,
	};

	if (sandbox_open(&side->run_cell, machine, &run, err) < 0)
		return err_wrap(err, "%s: confine the workers", build_side_name(side->side));
	side->run_open = true;
	if (sandbox_open(&side->link_cell, machine, &link, err) < 0)
		return err_wrap(err, "%s: confine the links", build_side_name(side->side));
	side->link_open = true;
	return 0;
}

/* A path mistyped in duel.json: the baseline's build makes it as little as the candidate's. */
static int check_made(const struct side *side, const char *worker, struct err *err)
{
	AUTO_FD tree = -1;

	if (tree_open(&tree, side->paths->tree, err) < 0)
		return -1;
	if (faccessat(tree, worker, F_OK, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT)
		return 0;
	return err_set(err, ERR_BENCH,
		"%s: %s: no such file once it is built: is that the \"worker\" that duel.json "
		"means?",
		build_side_name(side->side), worker);
}

static int make_source(struct side *side, struct side_source *source,
	const struct config_benchmark *configured, struct err *err)
{
	source->launch = (struct launch){
		.kind = configured->kind == CONFIG_WORKER ? LAUNCH_WORKER : LAUNCH_COMMAND,
		.side = build_side_name(side->side),
		.cell = &side->run_cell,
		.tree = side->paths->tree,
		.name = configured->name,
		.stdin_text = configured->stdin_text,
		.patience = launch_patience_default,
		.stop = side->stop,
	};
	if (configured->kind == CONFIG_COMMAND) {
		source->launch.label = configured->command.items[0];
		source->launch.argv = (const char *const *)configured->command.items;
		return 0;
	}
	if (check_made(side, configured->worker, err) < 0)
		return -1;
	if (asprintf(&source->program, "./%s", configured->worker) < 0) {
		source->program = NULL;
		return err_errno(err, ERR_OS, "worker");
	}
	source->argv[0] = source->program;
	source->launch.label = configured->worker;
	source->launch.argv = source->argv;
	return 0;
}

static int add_target(struct side *side, const char *path, struct err *err)
{
	for (size_t i = 0; i < side->targets_count; i++) {
		if (strcmp(side->targets[i], path) == 0)
			return 0;
	}
	if (side->targets_count >= LAYOUT_TARGETS_MAX)
		return err_set(err, ERR_BENCH,
			"%s: more than %d files of the tree are mapped as code",
			build_side_name(side->side), LAYOUT_TARGETS_MAX);
	side->targets[side->targets_count] = strdup(path);
	if (!side->targets[side->targets_count])
		return err_errno(err, ERR_OS, "mapped files");
	side->targets_count++;
	return 0;
}

static int note_code(struct side *side, const struct runnable *runnable, struct err *err)
{
	pid_t pid = runnable_pid(runnable);
	struct mappings mappings = {0};
	int result;

	if (pid < 0)
		return 0;
	result = mappings_read(&mappings, pid, side->run_cell.tree, err);
	if (result < 0)
		(void)runnable_wrap(runnable, SIZE_MAX, err);
	for (size_t i = 0; result == 0 && i < mappings.count; i++) {
		if (mappings.items[i].in_tree)
			result = add_target(side, mappings.items[i].path, err);
	}
	mappings_release(&mappings);
	return result;
}

/* Start the program once: which benchmarks, which code? */
static int look_at(struct side *side, struct side_source *source, struct err *err)
{
	const struct launch_offsets offsets = {0};
	struct runnable *runnable = calloc(1, sizeof(*runnable));
	struct err ending = {0};
	uint64_t involuntary;
	int result;

	if (!runnable)
		return err_errno(err, ERR_OS, "worker");
	result = runnable_start(runnable, &source->launch, &offsets, -1, err);
	if (result == 0)
		result = runnable_ask_list(runnable, NULL, err);
	if (result == 0)
		result = note_code(side, runnable, err);
	for (size_t i = 0; result == 0 && i < runnable_list(runnable)->count; i++) {
		struct worker_benchmark *copy = worker_list_add(&source->list, err);

		if (copy)
			*copy = runnable_list(runnable)->items[i];
		else
			result = -1;
	}
	if (result < 0)
		(void)text_copy(side->tail, sizeof(side->tail), runnable_tail(runnable));
	else
		result = runnable_quit(runnable, &involuntary, err);
	runnable_release(runnable);
	free(runnable);
	if (side->stop && *side->stop)
		result = err_set(err, ERR_USAGE, "interrupted while starting the programs");
	if (sandbox_kill_all(&side->run_cell, &ending) < 0 && result == 0) {
		*err = ending;
		result = -1;
	}
	return result;
}

int side_open(struct side *side, const struct sandbox_machine *machine, const struct config *config,
	uint64_t seed, struct err *err)
{
	const char *const *targets = (const char *const *)side->targets;

	if (open_cells(side, machine, (config->needs & CONFIG_NEEDS_LOOPBACK) != 0, err) < 0)
		return -1;
	side->sources = calloc(config->benchmarks_count + 1, sizeof(*side->sources));
	if (!side->sources)
		return err_errno(err, ERR_OS, "workers");
	for (size_t i = 0; i < config->benchmarks_count; i++) {
		side->sources_count = i + 1;
		if (make_source(side, &side->sources[i], &config->benchmarks[i], err) < 0 ||
			look_at(side, &side->sources[i], err) < 0)
			return -1;
	}
	if (mappings_scan_tree(&side->tree, side->paths->tree, err) < 0 ||
		fresh_open(&side->fresh, side->paths->tree, targets, side->targets_count, err) <
			0 ||
		link_host_init(&side->host, &side->link_cell, side->paths->tree,
			side->paths->scratch, side->stop, err) < 0 ||
		layout_open(&side->layout, &side->host.calls, targets, side->targets_count, seed,
			err) < 0)
		return err_wrap(err, "%s", build_side_name(side->side));
	side->layout_open = true;
	return 0;
}

int side_list(const struct side *side, struct plan_listing *listing, struct err *err)
{
	for (size_t s = 0; s < side->sources_count; s++) {
		const struct worker_list *list = &side->sources[s].list;

		for (size_t i = 0; i < list->count; i++) {
			if (plan_listing_add(listing, list->items[i].name, (uint32_t)s, (uint32_t)i,
				    list->items[i].counts_only, err) < 0)
				return -1;
		}
	}
	return 0;
}

int side_close(struct side *side, struct err *err)
{
	struct err second;
	int result = 0;

	if (side->layout_open)
		layout_release(&side->layout);
	link_host_release(&side->host);
	fresh_release(&side->fresh);
	mappings_tree_release(&side->tree);
	for (size_t i = 0; i < side->sources_count; i++) {
		free(side->sources[i].program);
		worker_list_release(&side->sources[i].list);
	}
	free(side->sources);
	for (size_t i = 0; i < side->targets_count; i++)
		free(side->targets[i]);
	if (side->run_open)
		result = sandbox_close(&side->run_cell, err);
	if (side->link_open && sandbox_close(&side->link_cell, result == 0 ? err : &second) < 0)
		result = -1;
	*side = (struct side){.side = side->side, .paths = side->paths};
	return result;
}
