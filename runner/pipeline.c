#include "runner/pipeline.h"

#include "runner/build.h"
#include "runner/checkout.h"
#include "runner/decide.h"
#include "runner/furnish.h"
#include "runner/identical.h"
#include "runner/layout/layout.h"
#include "runner/machine_say.h"
#include "runner/measure.h"
#include "runner/plan.h"
#include "runner/provenance.h"
#include "runner/rules.h"
#include "runner/side.h"
#include "runner/suite.h"
#include "runner/tree.h"
#include "runner/tree_manifest.h"
#include "runner/versions.h"
#include "runner/workspace.h"
#include "sandbox/base/io.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTES_BYTES 65536 /* of one stage */

/* What the stages hand on; released at the end whatever happened. */
struct run {
	struct report *report;
	const struct options *options;
	struct log *log;
	const volatile sig_atomic_t *stop;
	struct versions versions;
	struct version picked[2]; /* by enum sandbox_side, as all pairs here */
	struct rules rules;
	bool baseline_alone; /* built and run without the candidate's overlay */
	struct sandbox_machine machine;
	struct workspace workspace;
	struct build_side builds[2];
	struct tree_manifest manifests[2]; /* of the trees before their builds */
	struct side sides[2];
	struct plan_listing listings[2];
	struct plan plan;
	bool identical; /* both versions are the same code */
	bool ended;     /* skipped or failed: the report says why, no further stage */
};

/* End the run with a verdict and a sentence. */
static int end_run(struct run *run, enum run_verdict verdict, const char *text, const char *tail,
	struct err *err)
{
	run->report->verdict = verdict;
	run->ended = true;
	if (report_set(&run->report->failure, text, SCHEMA_TEXT_BYTES_MAX, err) < 0)
		return -1;
	return report_set_log(&run->report->failure_log, tail, err);
}

static int choose_versions(struct run *run, struct err *err)
{
	const struct versions_request request = {
		.baseline = run->options->baseline,
		.candidate = run->options->candidate,
		.worktree = run->options->worktree,
	};
	size_t dirty = 0;

	if (versions_open(&run->versions, run->options->repository, err) < 0 ||
		versions_choose(&run->versions, &request, &run->picked[0], &run->picked[1], err) <
			0 ||
		provenance_version(&run->report->baseline, &run->picked[0], err) < 0 ||
		provenance_version(&run->report->candidate, &run->picked[1], err) < 0)
		return -1;
	if (request.worktree || request.candidate)
		return 0;
	if (versions_dirty(&run->versions, &dirty, err) < 0)
		return -1;
	if (dirty > 0)
		return report_note(run->report->notes, err,
			"%zu changed file%s not committed and not measured: --worktree measures "
			"them",
			dirty, dirty == 1 ? " is" : "s are");
	return 0;
}

static int configure(struct run *run, struct err *err)
{
	struct report_limits *limits = &run->report->limits;
	const struct rules_source source = {
		.versions = &run->versions,
		.picked = run->picked,
		.path = run->options->config,
	};

	if (rules_read(&run->rules, &source, run->report, err) < 0)
		return -1;
	if (run->options->budget_s > 0)
		limits->budget_s = run->options->budget_s;
	limits->strict = limits->strict || run->options->strict;
	return 0;
}

static int check_watch(struct run *run, struct err *err)
{
	struct versions_touch touch;

	if (versions_touch(&run->versions, &run->picked[0], &run->picked[1],
		    run->rules.gate.watch.items, &touch, err) < 0)
		return -1;
	if (touch.watched > 0 || touch.changed == 0 || touch.changed >= VERSIONS_CHANGES_MAX)
		return 0;
	return end_run(run, RUN_SKIPPED, "no watched file differs between the versions", "", err);
}

static int describe_run(struct run *run, struct err *err)
{
	if (sandbox_probe(&run->machine, run->options->tier, err) < 0)
		return -1;
	machine_say(&run->machine, run->log);
	return provenance_run(run->report, run->options->seed, &run->machine, err);
}

static struct checkout what_to_export(struct run *run, struct buf *notes)
{
	return (struct checkout){
		.versions = &run->versions,
		.picked = run->picked,
		.overlay = run->rules.gate.overlay.items,
		.notes = notes,
	};
}

static int export_trees(struct run *run, struct err *err)
{
	uint64_t start_ns = io_now_ns();
	AUTO_BUF notes;
	const struct checkout checkout = what_to_export(run, &notes);

	buf_init(&notes, NOTES_BYTES);
	if (checkout_both(&checkout, &run->workspace, err) < 0)
		return -1;
	run->report->time.checkout = io_seconds_since(start_ns);
	return report_note_lines(run->report->notes, buf_text(&notes), err);
}

static const struct config *side_config(const struct run *run, enum sandbox_side side)
{
	return side == SANDBOX_BASELINE && run->baseline_alone
		       ? rules_of_baseline_alone(&run->rules)
		       : &run->rules.gate;
}

/* Lay out all a build finds, and remember what its tree holds. */
static int prepare_build(struct run *run, enum sandbox_side side, struct err *err)
{
	const struct config *config = side_config(run, side);
	const struct workspace_side *paths = &run->workspace.sides[side];
	AUTO_STR recorder = NULL;
	AUTO_FD root = -1;

	tree_manifest_release(&run->manifests[side]);
	buf_release(&run->builds[side].log);
	if (layout_find_recorder(&recorder, err) < 0 ||
		furnish_side(paths, &run->machine, side, recorder, err) < 0 ||
		tree_open(&root, paths->tree, err) < 0 ||
		tree_manifest_take(&run->manifests[side], root, err) < 0)
		return -1;
	run->builds[side] = (struct build_side){
		.side = side,
		.tree = paths->tree,
		.scratch = paths->scratch,
		.setup = config->setup,
		.command = config->build ? config->build : "true",
		.seconds_max = run->options->build_limit_s,
	};
	buf_init(&run->builds[side].log, (size_t)8 * BUILD_LOG_BYTES);
	return 0;
}

/* The candidate's benchmarks may need what only the candidate has: try with the baseline's own. */
static int build_baseline_alone(struct run *run, struct err *err)
{
	const struct build_side *build = &run->builds[SANDBOX_BASELINE];
	const struct checkout checkout = what_to_export(run, NULL);
	char failure[sizeof(build->failure)], reason[BUILD_REASON_BYTES];

	log_stage(run->log, "building the baseline with its own benchmarks");
	memcpy(failure, build->failure, sizeof(failure));
	build_reason(reason, buf_text(&build->log));
	run->baseline_alone = true;
	if (checkout_baseline_alone(&checkout, &run->workspace, err) < 0 ||
		prepare_build(run, SANDBOX_BASELINE, err) < 0 ||
		build_both(&run->builds[SANDBOX_BASELINE], 1, &run->machine, run->stop, err) < 0)
		return -1;
	return report_note(run->report->notes, err,
		"baseline: with the candidate's benchmarks: %s%s%s; %s", failure,
		*reason ? ": " : "", reason,
		build->built ? "its own are run there, names both sides have are compared"
			     : "its own do not build either");
}

static int fail_builds(struct run *run, struct err *err)
{
	const struct build_side *baseline = &run->builds[SANDBOX_BASELINE];
	const struct build_side *candidate = &run->builds[SANDBOX_CANDIDATE];
	const struct build_side *said = candidate->built ? baseline : candidate;
	char text[sizeof(said->failure) + 100];

	if (baseline->built && candidate->built)
		return 0;
	(void)snprintf(text, sizeof(text), "%s: %s%s", build_side_name(said->side), said->failure,
		said == baseline && run->baseline_alone ? " (also without the overlay)"
		: said == candidate && !baseline->built ? " (the baseline does not build either)"
							: "");
	return end_run(run, RUN_FAILED, text, buf_text(&said->log), err);
}

/*
 * A worker's failure is a finding, and so is a tree whose build has locked us out of it; all else
 * is an error of the run.
 */
static int failed_side(struct run *run, const char *tail, struct err *err)
{
	bool is_locked = err->kind == ERR_OS && err->os_errno == EACCES;
	char text[ERR_TEXT_BYTES + 100];

	if (err->kind != ERR_BENCH && err->kind != ERR_BUILD && !is_locked)
		return -1;
	(void)snprintf(text, sizeof(text), "%s%s", err->text,
		is_locked ? ": a build must leave its files accessible to their owner" : "");
	return end_run(run, RUN_FAILED, text, tail, err);
}

static int note_rewritten(struct run *run, struct err *err)
{
	AUTO_BUF notes;

	buf_init(&notes, NOTES_BYTES);
	for (enum sandbox_side side = SANDBOX_BASELINE; side <= SANDBOX_CANDIDATE; side++) {
		struct tree_rewritten rewritten;
		AUTO_FD root = -1;

		if (tree_open(&root, run->workspace.sides[side].tree, err) < 0 ||
			tree_manifest_compare(&run->manifests[side], root, &rewritten, err) < 0 ||
			tree_rewritten_note(&rewritten, build_side_name(side), &notes, err) < 0) {
			(void)err_wrap(err, "%s", build_side_name(side));
			return failed_side(run, "", err);
		}
	}
	return report_note_lines(run->report->notes, buf_text(&notes), err);
}

static int build(struct run *run, struct err *err)
{
	uint64_t start_ns = io_now_ns();

	log_stage(run->log, "building both versions");
	for (enum sandbox_side side = SANDBOX_BASELINE; side <= SANDBOX_CANDIDATE; side++) {
		if (prepare_build(run, side, err) < 0)
			return -1;
	}
	if (build_both(run->builds, 2, &run->machine, run->stop, err) < 0)
		return -1;
	if (run->builds[SANDBOX_CANDIDATE].built && !run->builds[SANDBOX_BASELINE].built &&
		rules_baseline_differs(&run->rules) && build_baseline_alone(run, err) < 0)
		return -1;
	run->report->time.build = io_seconds_since(start_ns);
	if (fail_builds(run, err) < 0)
		return -1;
	return run->ended ? 0 : note_rewritten(run, err);
}

static int open_sides(struct run *run, struct err *err)
{
	for (enum sandbox_side side = SANDBOX_BASELINE; side <= SANDBOX_CANDIDATE; side++) {
		run->sides[side].side = side;
		run->sides[side].paths = &run->workspace.sides[side];
		run->sides[side].stop = run->stop;
		if (side_open(&run->sides[side], &run->machine, side_config(run, side),
			    run->report->seed, err) < 0)
			return failed_side(run, run->sides[side].tail, err);
		if (side_list(&run->sides[side], &run->listings[side], err) < 0)
			return -1;
	}
	return 0;
}

static int make_plan(struct run *run, struct err *err)
{
	if (plan_make(&run->plan, run->listings, run->options->only, err) < 0)
		return failed_side(run, "", err);
	return 0;
}

/* As far as `duel list` goes: what a run would measure, nothing known about layouts. */
static int list_plan(struct run *run, struct err *err)
{
	const struct suite suite = {
		.gate = &run->rules.gate, .layout = LAYOUT_SHARED, .layout_reason = ""};

	return suite_enter(&suite, &run->plan, run->report, err);
}

/* Before anything is renewed or linked: the trees are still as their builds left them. */
static int compare_trees(struct run *run, struct err *err)
{
	if (run->options->measure_identical || run->baseline_alone)
		return 0;
	if (identical_trees(&run->identical, run->workspace.sides, run->stop, err) < 0)
		return -1;
	if (!run->identical)
		return 0;
	return report_note(run->report->notes, err,
		"both versions are identical once built: nothing was measured "
		"(--measure-identical measures all the same)");
}

static int prepare_layouts(struct run *run, struct suite *suite, struct err *err)
{
	struct layout_side *const sides[] = {&run->sides[0].layout, &run->sides[1].layout};
	uint64_t start_ns = io_now_ns();

	*suite = (struct suite){.gate = &run->rules.gate,
		.layout = LAYOUT_SHARED,
		.layout_reason = "",
		.identical = run->identical};
	if (run->identical || run->sides[0].targets_count + run->sides[1].targets_count == 0)
		return 0;
	suite->layout = LAYOUT_FIXED;
	suite->layout_reason = "asked for with --layout fixed";
	if (run->options->layout_fixed)
		return 0;
	if (layout_prepare(sides, 2, err) < 0)
		return -1;
	run->report->time.links = io_seconds_since(start_ns);
	if (layout_is_varied(sides[0]) && layout_is_varied(sides[1])) {
		suite->layout = LAYOUT_VARIED;
		suite->layout_reason = "";
	} else {
		suite->layout_reason = layout_reason(sides[layout_is_varied(sides[0])]);
	}
	return 0;
}

static int measure_plan(struct run *run, struct err *err)
{
	struct suite suite;
	struct measure measure = {
		.report = run->report,
		.plan = &run->plan,
		.sides = run->sides,
		.budget_s = run->report->limits.budget_s,
		.log = run->log,
		.stop = run->stop,
	};

	if (prepare_layouts(run, &suite, err) < 0 ||
		suite_enter(&suite, &run->plan, run->report, err) < 0)
		return -1;
	measure.varied = suite.layout == LAYOUT_VARIED;
	if (!run->identical && measure_run(&measure, err) < 0)
		return failed_side(
			run, run->sides[1].tail[0] ? run->sides[1].tail : run->sides[0].tail, err);
	return 0;
}

typedef int (*stage)(struct run *run, struct err *err);

static const stage run_stages[] = {choose_versions, configure, check_watch, describe_run,
	export_trees, build, open_sides, make_plan, compare_trees, measure_plan, NULL};
static const stage list_stages[] = {choose_versions, configure, describe_run, export_trees, build,
	open_sides, make_plan, list_plan, NULL};

static int go_through(struct run *run, const stage *stages, struct err *err)
{
	for (size_t i = 0; stages[i] && !run->ended; i++) {
		if (*run->stop)
			return err_set(err, ERR_USAGE, "interrupted before anything was measured");
		if (stages[i](run, err) < 0)
			return -1;
	}
	return 0;
}

/* Everything ends here, also after an error, which is then the one to tell. */
static int release(struct run *run, bool failed, struct err *err)
{
	struct err ending = {0};
	int result = 0;

	if (failed)
		workspace_explain(&run->workspace, err);
	for (size_t i = 0; i < 2; i++) {
		if (side_close(&run->sides[i], &ending) < 0)
			result = -1;
		buf_release(&run->builds[i].log);
		tree_manifest_release(&run->manifests[i]);
		plan_listing_release(&run->listings[i]);
	}
	rules_release(&run->rules);
	plan_release(&run->plan);
	versions_close(&run->versions);
	if (run->options->keep && run->workspace.path) {
		log_say(run->log, "work directory: %s", run->workspace.path);
		workspace_keep(&run->workspace);
	} else if (workspace_remove(&run->workspace, &ending) < 0) {
		result = -1;
	}
	if (result < 0 && !failed)
		*err = ending;
	return result;
}

static int run_all(struct run *run, const stage *stages, struct err *err)
{
	uint64_t start_ns = io_now_ns();
	int result = go_through(run, stages, err);

	if (release(run, result < 0, err) < 0)
		result = -1;
	run->report->time.total = io_seconds_since(start_ns);
	if (getloadavg(&run->report->machine.load_end, 1) != 1)
		run->report->machine.load_end = 0;
	return result;
}

static int start(const struct run *request, const stage *stages, struct err *err)
{
	struct run *run = calloc(1, sizeof(*run));
	int result;

	if (!run)
		return err_errno(err, ERR_OS, "run");
	*run = *request;
	result = run_all(run, stages, err);
	free(run);
	return result;
}

int pipeline_run(struct report *report, const struct options *options, struct log *log,
	const volatile sig_atomic_t *stop, struct err *err)
{
	const struct run request = {.report = report, .options = options, .log = log, .stop = stop};

	return start(&request, run_stages, err) < 0 ? -1 : decide_report(report, err);
}

int pipeline_list(struct report *report, const struct options *options, struct log *log,
	const volatile sig_atomic_t *stop, struct err *err)
{
	const struct run request = {.report = report, .options = options, .log = log, .stop = stop};

	return start(&request, list_stages, err);
}
