#include "runner/pipeline.h"

#include "runner/build.h"
#include "runner/config.h"
#include "runner/decide.h"
#include "runner/embedded.h"
#include "runner/layout/layout.h"
#include "runner/machine_facts.h"
#include "runner/machine_say.h"
#include "runner/measure.h"
#include "runner/plan.h"
#include "runner/side.h"
#include "runner/stats/family.h"
#include "runner/tree.h"
#include "runner/tree_export.h"
#include "runner/tree_overlay.h"
#include "runner/versions.h"
#include "runner/workspace.h"
#include "sandbox/base/io.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* What the stages hand on; released at the end whatever happened. */
struct run {
	struct report *report;
	const struct options *options;
	struct log *log;
	const volatile sig_atomic_t *stop;
	struct versions versions;
	struct version picked[2]; /* by enum sandbox_side, as all pairs here */
	struct config configs[2];
	struct config config; /* the gate: borrows from both */
	bool baseline_configured;
	struct sandbox_machine machine;
	struct workspace workspace;
	struct build_side builds[2];
	struct side sides[2];
	struct plan_listing listings[2];
	struct plan plan;
	bool ended; /* skipped or failed: the report says why, no further stage */
};

/* End the run with a verdict and a sentence. */
static int end_run(struct run *run, enum run_verdict verdict, const char *text, const char *tail,
	struct err *err)
{
	run->report->verdict = verdict;
	run->ended = true;
	if (report_set(&run->report->failure, text, SCHEMA_TEXT_BYTES_MAX, err) < 0)
		return -1;
	return report_set(&run->report->failure_log, tail, SCHEMA_LOG_BYTES_MAX, err);
}

static int describe_version(
	struct report_version *out, const struct version *version, struct err *err)
{
	out->worktree = version->worktree;
	if (report_set(&out->commit, version->commit, SCHEMA_NAME_BYTES_MAX, err) < 0 ||
		report_set(&out->ref, version->ref, SCHEMA_NAME_BYTES_MAX, err) < 0)
		return -1;
	return report_set(&out->subject, version->subject, SCHEMA_NAME_BYTES_MAX, err);
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
		describe_version(&run->report->baseline, &run->picked[0], err) < 0 ||
		describe_version(&run->report->candidate, &run->picked[1], err) < 0)
		return -1;
	if (request.worktree || request.candidate)
		return 0;
	if (versions_dirty(&run->versions, &dirty, err) < 0)
		return -1;
	if (dirty > 0)
		return report_note(run->report->notes, err,
			"%zu changed files are not committed and not measured: --worktree measures "
			"them",
			dirty);
	return 0;
}

static int read_config(struct run *run, enum sandbox_side side, bool *found, struct err *err)
{
	AUTO_BUF text;

	buf_init(&text, CONFIG_BYTES_MAX);
	config_init(&run->configs[side]);
	if (versions_read(&run->versions, &run->picked[side], run->options->config, &text, found,
		    err) < 0)
		return -1;
	if (!*found)
		return 0;
	if (config_parse(&run->configs[side], buf_text(&text), text.length, run->options->config,
		    err) < 0)
		return err_wrap(err, "%s", build_side_name(side));
	return 0;
}

static int note_changes(struct run *run, const char *changes, struct err *err)
{
	while (*changes) {
		int length = (int)strcspn(changes, "\n");

		if (report_note(run->report->gate_changes, err, "%.*s", length, changes) < 0)
			return -1;
		changes += length + (changes[length] == '\n');
	}
	return 0;
}

static int configure(struct run *run, struct err *err)
{
	struct report_limits *limits = &run->report->limits;
	bool found;
	AUTO_BUF changes;

	buf_init(&changes, 65536);
	if (read_config(run, SANDBOX_CANDIDATE, &found, err) < 0)
		return -1;
	if (!found)
		return err_set(err, ERR_CONFIG,
			"%s: the candidate has no such file: write one, see the README",
			run->options->config);
	if (read_config(run, SANDBOX_BASELINE, &run->baseline_configured, err) < 0 ||
		config_gate(&run->config, run->baseline_configured ? &run->configs[0] : NULL,
			&run->configs[1], &changes, err) < 0 ||
		note_changes(run, buf_text(&changes), err) < 0)
		return -1;
	limits->cpu = run->config.limits.cpu;
	limits->instructions = run->config.limits.instructions;
	limits->allocations = run->config.limits.allocations;
	limits->allocated_bytes = run->config.limits.allocated_bytes;
	limits->syscalls = run->config.limits.syscalls;
	limits->across = run->config.across;
	limits->confidence = run->config.confidence;
	limits->budget_s = run->options->budget_s > 0 ? run->options->budget_s
						      : run->config.budget_s;
	limits->strict = run->config.strict || run->options->strict;
	return report_set(&limits->source,
		run->baseline_configured ? "the baseline's duel.json"
					 : "the candidate's duel.json: the baseline has none",
		SCHEMA_TEXT_BYTES_MAX, err);
}

static int check_watch(struct run *run, struct err *err)
{
	struct versions_touch touch;

	if (versions_touch(&run->versions, &run->picked[0], &run->picked[1],
		    run->config.watch.items, &touch, err) < 0)
		return -1;
	if (touch.watched > 0 || touch.changed == 0)
		return 0;
	return end_run(run, RUN_SKIPPED, "no watched file differs between the versions", "", err);
}

static int export_side(struct run *run, enum sandbox_side side, struct err *err)
{
	struct workspace_side *paths = &run->workspace.sides[side];
	struct tree_export exported;
	AUTO_BUF notes;
	AUTO_FD root = -1;

	buf_init(&notes, 16384);
	if (tree_open(&root, paths->tree, err) < 0 ||
		tree_export(&exported, &run->versions, &run->picked[side], root,
			run->picked[SANDBOX_CANDIDATE].commit_time_s, err) < 0 ||
		tree_export_notes(&exported, build_side_name(side), &notes, err) < 0)
		return err_wrap(err, "%s", build_side_name(side));
	if (notes.length > 0)
		return report_note(run->report->notes, err, "%.*s", (int)strcspn(notes.data, "\n"),
			notes.data);
	return 0;
}

static int export_trees(struct run *run, struct err *err)
{
	uint64_t start_ns = io_now_ns();
	AUTO_FD baseline = -1;
	AUTO_FD candidate = -1;

	if (workspace_make(&run->workspace, err) < 0 ||
		export_side(run, SANDBOX_BASELINE, err) < 0 ||
		export_side(run, SANDBOX_CANDIDATE, err) < 0 ||
		tree_open(&baseline, run->workspace.sides[0].tree, err) < 0 ||
		tree_open(&candidate, run->workspace.sides[1].tree, err) < 0 ||
		tree_overlay(baseline, candidate, run->config.overlay.items, err) < 0)
		return -1;
	run->report->time.checkout = io_seconds_since(start_ns);
	return 0;
}

/* duel.h and the link recorder into scratch, and all of it into the hands of the side's user. */
static int furnish(struct run *run, enum sandbox_side side, const char *recorder, struct err *err)
{
	struct workspace_side *paths = &run->workspace.sides[side];
	char headers[PATH_MAX];

	if ((size_t)snprintf(headers, sizeof(headers), "%s/include", paths->scratch) >=
		sizeof(headers))
		return err_set(err, ERR_OS, "%s: path too long", paths->scratch);
	if (io_make_dirs(headers, 0755, err) < 0 || embedded_install(headers, err) < 0 ||
		layout_install(paths->scratch, recorder, err) < 0 ||
		sandbox_give(&run->machine, side, paths->tree, err) < 0 ||
		sandbox_give(&run->machine, side, paths->scratch, err) < 0)
		return -1;
	return sandbox_give(&run->machine, side, paths->run, err);
}

static int build(struct run *run, struct err *err)
{
	uint64_t start_ns = io_now_ns();
	AUTO_STR recorder = NULL;

	if (layout_find_recorder(&recorder, err) < 0)
		return -1;
	log_stage(run->log, "building both versions");
	for (enum sandbox_side side = SANDBOX_BASELINE; side <= SANDBOX_CANDIDATE; side++) {
		if (furnish(run, side, recorder, err) < 0)
			return -1;
		run->builds[side] = (struct build_side){
			.side = side,
			.tree = run->workspace.sides[side].tree,
			.scratch = run->workspace.sides[side].scratch,
			.setup = run->config.setup,
			.command = run->config.build ? run->config.build : "true",
		};
		buf_init(&run->builds[side].log, (size_t)8 * BUILD_LOG_BYTES);
	}
	if (build_both(run->builds, 2, &run->machine, run->stop, err) < 0)
		return -1;
	run->report->time.build = io_seconds_since(start_ns);
	for (size_t i = 0; i < 2 && !run->ended; i++) {
		struct build_side *side = &run->builds[i];
		char text[400];

		buf_keep_tail(&side->log, BUILD_LOG_BYTES);
		(void)snprintf(
			text, sizeof(text), "%s: %s", build_side_name(side->side), side->failure);
		if (!side->built && end_run(run, RUN_FAILED, text, buf_text(&side->log), err) < 0)
			return -1;
	}
	return 0;
}

/* A worker's failure is a finding; all else is an error of the run. */
static int failed_side(struct run *run, const char *tail, struct err *err)
{
	char text[ERR_TEXT_BYTES];

	if (err->kind != ERR_BENCH && err->kind != ERR_BUILD)
		return -1;
	memcpy(text, err->text, sizeof(text));
	return end_run(run, RUN_FAILED, text, tail, err);
}

static int open_sides(struct run *run, struct err *err)
{
	for (enum sandbox_side side = SANDBOX_BASELINE; side <= SANDBOX_CANDIDATE; side++) {
		run->sides[side].side = side;
		run->sides[side].paths = &run->workspace.sides[side];
		run->sides[side].stop = run->stop;
		if (side_open(&run->sides[side], &run->machine, &run->config, run->report->seed,
			    err) < 0)
			return failed_side(run, run->sides[side].tail, err);
		if (side_list(&run->sides[side], &run->listings[side], err) < 0)
			return -1;
	}
	return 0;
}

static int fill_benchmark(struct run *run, const struct plan_benchmark *planned, bool varied,
	bool shared, struct err *err)
{
	struct report_benchmark *benchmark;
	struct limits limits;
	bool added = planned->source[0] == PLAN_ABSENT;
	bool removed = planned->source[1] == PLAN_ABSENT;

	config_effective_limits(&run->config, planned->name, &limits);
	if (report_add_benchmark(run->report, &benchmark, err) < 0 ||
		report_set(&benchmark->name, planned->name, SCHEMA_NAME_BYTES_MAX, err) < 0)
		return -1;
	benchmark->verdict = added ? VERDICT_ADDED : removed ? VERDICT_REMOVED : VERDICT_UNSETTLED;
	benchmark->limit = limits.cpu;
	benchmark->counts_only = limits.counts_only || planned->counts_only;
	benchmark->alpha = family_alpha(run->config.confidence, (uint32_t)run->plan.count);
	benchmark->pairs_min = MEASURE_PAIRS_MIN;
	benchmark->pairs_max = varied || shared ? MEASURE_PAIRS_MAX : MEASURE_PAIRS_MAX_FIXED;
	benchmark->layout = varied ? LAYOUT_VARIED : shared ? LAYOUT_SHARED : LAYOUT_FIXED;
	if (planned->counts_only_changed &&
		report_note(run->report->gate_changes, err,
			"%s: counts_only differs between the versions", planned->name) < 0)
		return -1;
	if (varied || shared)
		return 0;
	return report_set(&benchmark->layout_reason,
		run->options->layout_fixed                 ? "asked for with --layout fixed"
		: !layout_is_varied(&run->sides[0].layout) ? layout_reason(&run->sides[0].layout)
							   : layout_reason(&run->sides[1].layout),
		SCHEMA_TEXT_BYTES_MAX, err);
}

static int prepare_layouts(struct run *run, bool *varied, struct err *err)
{
	struct layout_side *const sides[] = {&run->sides[0].layout, &run->sides[1].layout};
	uint64_t start_ns = io_now_ns();

	if (run->options->layout_fixed)
		return 0;
	if (layout_prepare(sides, 2, err) < 0)
		return -1;
	*varied = layout_is_varied(sides[0]) && layout_is_varied(sides[1]);
	run->report->time.links = io_seconds_since(start_ns);
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
	for (size_t i = 0; i < run->plan.count; i++) {
		if (fill_benchmark(run, &run->plan.benchmarks[i], false, true, err) < 0)
			return -1;
	}
	return 0;
}

static int measure_plan(struct run *run, struct err *err)
{
	bool shared = run->sides[0].targets_count == 0 && run->sides[1].targets_count == 0;
	struct measure measure = {
		.report = run->report,
		.plan = &run->plan,
		.sides = run->sides,
		.budget_s = run->report->limits.budget_s,
		.log = run->log,
		.stop = run->stop,
	};

	if (!shared && prepare_layouts(run, &measure.varied, err) < 0)
		return -1;
	for (size_t i = 0; i < run->plan.count; i++) {
		if (fill_benchmark(run, &run->plan.benchmarks[i], measure.varied, shared, err) < 0)
			return -1;
	}
	if (measure_run(&measure, err) < 0)
		return failed_side(
			run, run->sides[1].tail[0] ? run->sides[1].tail : run->sides[0].tail, err);
	return 0;
}

/* What the machine is, and how busy it is before we add to it. */
static int describe_machine(struct report_machine *machine, struct err *err)
{
	struct machine_facts facts;

	machine_facts_read(&facts);
	machine->cores = facts.processors > 0 ? (uint32_t)facts.processors : 1;
	machine->load_start = facts.load_1min > 0 ? facts.load_1min : 0;
	if (report_set(&machine->cpu, facts.model[0] ? facts.model : "unknown",
		    SCHEMA_NAME_BYTES_MAX, err) < 0)
		return -1;
	return report_set(&machine->kernel, facts.kernel, SCHEMA_NAME_BYTES_MAX, err);
}

static int describe_run(struct run *run, struct err *err)
{
	struct report_machine *machine = &run->report->machine;
	char started[32];
	time_t now = time(NULL);
	struct tm utc;

	(void)gmtime_r(&now, &utc);
	(void)strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ", &utc);
	run->report->seed = run->options->seed;
	if (run->report->seed == 0 && getrandom(&run->report->seed, sizeof(run->report->seed), 0) !=
					      sizeof(run->report->seed))
		return err_errno(err, ERR_OS, "random seed");
	if (describe_machine(machine, err) < 0 ||
		report_set(&run->report->duel_version, DUEL_VERSION, SCHEMA_NAME_BYTES_MAX, err) <
			0 ||
		report_set(&run->report->started, started, SCHEMA_NAME_BYTES_MAX, err) < 0 ||
		sandbox_probe(&run->machine, run->options->tier, err) < 0 ||
		report_set(&machine->tier, sandbox_tier_name(run->machine.tier),
			SCHEMA_NAME_BYTES_MAX, err) < 0)
		return -1;
	machine_say(&run->machine, run->log);
	for (enum sandbox_property p = 0; p < SANDBOX_PROPERTIES; p++) {
		if (!run->machine.provider[p][0] &&
			report_note(machine->missing, err, "%s", sandbox_property_name(p)) < 0)
			return -1;
	}
	return 0;
}

typedef int (*stage)(struct run *run, struct err *err);

static const stage run_stages[] = {choose_versions, configure, check_watch, describe_run,
	export_trees, build, open_sides, make_plan, measure_plan, NULL};
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
		plan_listing_release(&run->listings[i]);
		config_release(&run->configs[i]);
	}
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
