/*
 * One built version, ready to be measured: its cells, programs, lists, files to renew and layouts.
 *
 * Stands between build and measure. side_open() starts every configured program once, asks for its
 * benchmarks and looks which files of the tree it maps as code: those are renewed for each visit.
 */
#ifndef RUNNER_SIDE_H
#define RUNNER_SIDE_H

#include "runner/config.h"
#include "runner/fresh.h"
#include "runner/launch.h"
#include "runner/layout/layout.h"
#include "runner/link_host.h"
#include "runner/mappings.h"
#include "runner/plan.h"
#include "runner/worker_list.h"
#include "runner/workspace.h"

/* One configured worker or command of a side. */
struct side_source {
	struct launch launch;
	char *program;       /* owned: "./path" of a worker */
	const char *argv[2]; /* of a worker; a command's are the configuration's */
	struct worker_list list;
};

struct side {
	enum sandbox_side side;
	const struct workspace_side *paths; /* borrowed */
	const volatile sig_atomic_t *stop;  /* once set, no program is waited for */
	struct sandbox_cell run_cell, link_cell;
	bool run_open, link_open;
	struct side_source *sources; /* owned array */
	size_t sources_count;
	struct mappings_tree tree;
	char *targets[LAYOUT_TARGETS_MAX]; /* owned: files of the tree that are mapped as code */
	size_t targets_count;
	struct fresh fresh;
	struct link_host host;
	struct layout_side layout;
	bool layout_open;
	char tail[8001]; /* what a program printed that failed here */
};

/*
 * Errors: ERR_BENCH a program failed (side->tail has its output); ERR_USAGE "interrupted" once
 * *stop is set; ERR_CONFINE; ERR_OS. The side wants side_close() after errors too.
 */
int side_open(struct side *side, const struct sandbox_machine *machine, const struct config *config,
	uint64_t seed, struct err *err) ATTR_MUST_USE;

/* Add this side's benchmarks to a listing. Errors: as plan_listing_add(). */
int side_list(const struct side *side, struct plan_listing *listing, struct err *err) ATTR_MUST_USE;

/* End all processes of the side, verified. Accepts a zeroed one. Errors: ERR_CONFINE. */
int side_close(struct side *side, struct err *err) ATTR_MUST_USE;

#endif
