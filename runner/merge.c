#include "runner/merge.h"

#include "runner/stats/family.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define TEXT_BYTES 400 /* of what a note says about two shards */

void merge_start(struct merge *merge, struct report *report)
{
	*merge = (struct merge){.report = report};
	report_init(report);
}

static const char *state_of(const struct report_version *version)
{
	return version->worktree ? " with uncommitted changes" : "";
}

static int check_version(const struct merge *merge, const char *side,
	const struct report_version *first, const struct report_version *other, const char *name,
	struct err *err)
{
	if (strcmp(first->commit, other->commit) == 0 && first->worktree == other->worktree)
		return 0;
	return err_set(err, ERR_USAGE,
		"%s and %s are of different versions: %s %.40s%s and %.40s%s: shards of one run "
		"compare the same two commits",
		merge->first, name, side, first->commit, state_of(first), other->commit,
		state_of(other));
}

static int check_limits(const struct merge *merge, const struct report_limits *other,
	const char *name, struct err *err)
{
	const struct report_limits *first = &merge->report->limits;
	const struct {
		const char *limit;
		double first, other;
	} pairs[] = {
		{"cpu", first->cpu, other->cpu},
		{"instructions", first->instructions, other->instructions},
		{"allocations", first->allocations, other->allocations},
		{"allocated_bytes", first->allocated_bytes, other->allocated_bytes},
		{"syscalls", first->syscalls, other->syscalls},
		{"across", first->across, other->across},
		{"confidence", first->confidence, other->confidence},
		{"strict", first->strict, other->strict},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(pairs); i++)
		if (pairs[i].first != pairs[i].other)
			return err_set(err, ERR_USAGE,
				"%s and %s have different limits: %s %.9g and %.9g: duel judge "
				"--out brings them to the same",
				merge->first, name, pairs[i].limit, pairs[i].first, pairs[i].other);
	return 0;
}

/* Those of `items` that are not in the list yet. */
static int add_notes(char **list, char *const *items, struct err *err)
{
	for (size_t i = 0; i < SCHEMA_NOTES_MAX && items[i]; i++) {
		size_t j = 0;

		while (list[j] && strcmp(list[j], items[i]) != 0)
			j++;
		if (!list[j] && report_note(list, err, "%s", items[i]) < 0)
			return -1;
	}
	return 0;
}

static int note_machine(
	const struct merge *merge, const struct report *shard, const char *name, struct err *err)
{
	const struct report_machine *first = &merge->report->machine, *other = &shard->machine;
	const struct {
		const char *what, *first, *other;
	} facts[] = {
		{"a processor", first->cpu, other->cpu},
		{"a kernel", first->kernel, other->kernel},
		{"a tier of confinement", first->tier, other->tier},
		{"a duel", merge->report->duel_version, shard->duel_version},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(facts); i++)
		if (strcmp(facts[i].first, facts[i].other) != 0 &&
			report_note(merge->report->notes, err,
				"%s ran with %s of its own: %s; the first shard with %s", name,
				facts[i].what, facts[i].other, facts[i].first) < 0)
			return -1;
	return 0;
}

static void add_times(struct report *report, const struct report *shard)
{
	const struct report_time *from = &shard->time;
	struct report_time *to = &report->time;

	to->total += from->total;
	to->checkout += from->checkout;
	to->build += from->build;
	to->confinement += from->confinement;
	to->links += from->links;
	to->starts += from->starts;
	to->setup += from->setup;
	to->warmup += from->warmup;
	to->samples += from->samples;
	to->handover += from->handover;
	report->limits.budget_s += shard->limits.budget_s;
	report->machine.load_start = fmax(report->machine.load_start, shard->machine.load_start);
	report->machine.load_end = fmax(report->machine.load_end, shard->machine.load_end);
	report->machine.steal = fmax(report->machine.steal, shard->machine.steal);
}

/* The first failure is the run's; which shard's it was is put before it. */
static int take_failure(
	struct merge *merge, const struct report *shard, const char *name, struct err *err)
{
	char text[SCHEMA_TEXT_BYTES_MAX + 1];

	merge->skipped += shard->verdict == RUN_SKIPPED;
	if (!*shard->failure || shard->verdict == RUN_SKIPPED || merge->failed)
		return 0;
	merge->failed = true;
	(void)snprintf(text, sizeof(text), "%s: %s", name, shard->failure);
	if (report_set(&merge->report->failure, text, SCHEMA_TEXT_BYTES_MAX, err) < 0)
		return -1;
	return report_set_log(&merge->report->failure_log, shard->failure_log, err);
}

static int check_name(
	const struct merge *merge, const char *benchmark, const char *name, struct err *err)
{
	for (uint32_t i = 0; i < merge->report->benchmarks_count; i++)
		if (strcmp(merge->report->benchmarks[i].name, benchmark) == 0)
			return err_set(err, ERR_USAGE,
				"benchmark '%s' is in %s and in %s: each belongs to one shard",
				benchmark, merge->origin[i], name);
	return 0;
}

static int take_benchmarks(
	struct merge *merge, struct report *shard, const char *name, struct err *err)
{
	for (uint32_t i = 0; i < shard->benchmarks_count; i++) {
		struct report_benchmark *benchmark = &shard->benchmarks[i];

		if (check_name(merge, benchmark->name, name, err) < 0 ||
			report_move_benchmark(merge->report, benchmark, err) < 0)
			return -1;
		merge->origin[merge->report->benchmarks_count - 1] = name;
	}
	return 0;
}

/* All of it is the run's, but for what merge_add() takes from every shard. */
static int take_first(struct merge *merge, struct report *shard, const char *name, struct err *err)
{
	struct report *report = merge->report;

	*report = *shard;
	report_init(shard);
	merge->first = name;
	for (uint32_t i = 0; i < report->benchmarks_count; i++)
		merge->origin[i] = name;
	return take_failure(merge, report, name, err);
}

int merge_add(struct merge *merge, struct report *shard, const char *name, struct err *err)
{
	struct report *report = merge->report;

	if (merge->shards++ == 0)
		return take_first(merge, shard, name, err);
	if (check_version(merge, "baseline", &report->baseline, &shard->baseline, name, err) < 0 ||
		check_version(
			merge, "candidate", &report->candidate, &shard->candidate, name, err) < 0 ||
		check_limits(merge, &shard->limits, name, err) < 0 ||
		note_machine(merge, shard, name, err) < 0 ||
		add_notes(report->notes, shard->notes, err) < 0 ||
		add_notes(report->gate_changes, shard->gate_changes, err) < 0 ||
		add_notes(report->machine.missing, shard->machine.missing, err) < 0 ||
		take_failure(merge, shard, name, err) < 0)
		return -1;
	add_times(report, shard);
	return take_benchmarks(merge, shard, name, err);
}

int merge_end(struct merge *merge, struct err *err)
{
	struct report *report = merge->report;
	bool skipped = merge->skipped == merge->shards;

	report->verdict = merge->failed ? RUN_FAILED : skipped ? RUN_SKIPPED : RUN_PASSED;
	if (!merge->failed && !skipped && report_set(&report->failure, "", 1, err) < 0)
		return -1;
	for (uint32_t i = 0; i < report->benchmarks_count; i++)
		report->benchmarks[i].alpha = family_alpha(
			report->limits.confidence, report->benchmarks_count);
	return report_note(
		report->notes, err, "merged from %u shards; times are their sums", merge->shards);
}
