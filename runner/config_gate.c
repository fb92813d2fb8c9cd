#include "runner/config.h"

#include <stdio.h>
#include <string.h>

/*
 * Which value is used is the same sentence for all of them, so a line says only what differs:
 * "limits.cpu: 1.02 on the baseline (in force), 1.1 on the candidate".
 */
static int say_number(
	struct buf *changes, const char *name, double baseline, double candidate, struct err *err)
{
	/* Both come from the same text format and are compared as written. */
	if (!(baseline < candidate) && !(baseline > candidate))
		return 0;
	return buf_printf(changes, err, "%s: %g on the baseline (in force), %g on the candidate\n",
		name, baseline, candidate);
}

static const char *yes_no(bool value)
{
	return value ? "true" : "false";
}

static int say_limits(struct buf *changes, const char *prefix, const struct limits *baseline,
	const struct limits *candidate, struct err *err)
{
	const struct {
		const char *name;
		double baseline, candidate;
	} rows[] = {
		{"cpu", baseline->cpu, candidate->cpu},
		{"instructions", baseline->instructions, candidate->instructions},
		{"allocations", baseline->allocations, candidate->allocations},
		{"allocated_bytes", baseline->allocated_bytes, candidate->allocated_bytes},
		{"syscalls", baseline->syscalls, candidate->syscalls},
	};
	char name[2 * CONFIG_NAME_BYTES_MAX];

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		(void)snprintf(name, sizeof(name), "%s%s", prefix, rows[i].name);
		if (say_number(changes, name, rows[i].baseline, rows[i].candidate, err) < 0)
			return -1;
	}
	return 0;
}

static bool list_has(const struct config_list *list, const char *item)
{
	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->items[i], item) == 0)
			return true;
	}
	return false;
}

static int say_watch(struct buf *changes, const struct config_list *baseline,
	const struct config_list *candidate, struct err *err)
{
	for (size_t i = 0; i < candidate->count; i++) {
		if (!list_has(baseline, candidate->items[i]) &&
			buf_printf(changes, err,
				"watch: only the candidate has \"%s\" (not in force)\n",
				candidate->items[i]) < 0)
			return -1;
	}
	for (size_t i = 0; i < baseline->count; i++) {
		if (!list_has(candidate, baseline->items[i]) &&
			buf_printf(changes, err,
				"watch: the candidate drops \"%s\" (still in force)\n",
				baseline->items[i]) < 0)
			return -1;
	}
	return 0;
}

static const struct config_override *find_override(
	const struct config *config, const char *match, size_t skip)
{
	for (size_t i = 0; i < config->overrides_count; i++) {
		if (strcmp(config->overrides[i].match, match) == 0 && skip-- == 0)
			return &config->overrides[i];
	}
	return NULL;
}

/* How many overrides in front of this one have its pattern: patterns may be written twice. */
static size_t twins_before(const struct config *config, size_t index)
{
	size_t twins = 0;

	for (size_t i = 0; i < index; i++)
		twins += strcmp(config->overrides[i].match, config->overrides[index].match) == 0;
	return twins;
}

static int say_override(struct buf *changes, const struct config_override *baseline,
	const struct config_override *candidate, struct err *err)
{
	char prefix[CONFIG_NAME_BYTES_MAX + 40];

	(void)snprintf(prefix, sizeof(prefix), "override \"%s\": ", baseline->match);
	if (baseline->set != candidate->set)
		return buf_printf(changes, err,
			"%sthe candidate sets other members (the baseline's are in force)\n",
			prefix);
	if (baseline->limits.counts_only != candidate->limits.counts_only &&
		buf_printf(changes, err,
			"%scounts_only: %s on the baseline (in force), %s on the candidate\n",
			prefix, yes_no(baseline->limits.counts_only),
			yes_no(candidate->limits.counts_only)) < 0)
		return -1;
	return say_limits(changes, prefix, &baseline->limits, &candidate->limits, err);
}

/* The order counts where two patterns match one name: it is said once, where it is all that moved.
 */
static bool order_differs(const struct config *baseline, const struct config *candidate)
{
	for (size_t i = 0; i < baseline->overrides_count; i++) {
		if (strcmp(baseline->overrides[i].match, candidate->overrides[i].match) != 0)
			return true;
	}
	return false;
}

static int say_overrides(struct buf *changes, const struct config *baseline,
	const struct config *candidate, struct err *err)
{
	bool same_set = baseline->overrides_count == candidate->overrides_count;

	for (size_t i = 0; i < candidate->overrides_count; i++) {
		const struct config_override *own = &candidate->overrides[i];
		const struct config_override *other = find_override(
			baseline, own->match, twins_before(candidate, i));

		same_set = same_set && other;
		if (other && say_override(changes, other, own, err) < 0)
			return -1;
		if (!other && buf_printf(changes, err,
				      "override: only the candidate has \"%s\" (not in force)\n",
				      own->match) < 0)
			return -1;
	}
	for (size_t i = 0; i < baseline->overrides_count; i++) {
		const char *match = baseline->overrides[i].match;

		if (!find_override(candidate, match, twins_before(baseline, i)) &&
			buf_printf(changes, err,
				"override: the candidate drops \"%s\" (still in force)\n",
				match) < 0)
			return -1;
	}
	if (same_set && order_differs(baseline, candidate))
		return buf_append_str(changes,
			"override: the candidate orders them differently (the baseline's order is "
			"in "
			"force)\n",
			err);
	return 0;
}

static int say_changes(struct buf *changes, const struct config *baseline,
	const struct config *candidate, struct err *err)
{
	if (say_limits(changes, "limits.", &baseline->limits, &candidate->limits, err) < 0 ||
		say_number(changes, "across", baseline->across, candidate->across, err) < 0 ||
		say_number(changes, "confidence", baseline->confidence, candidate->confidence,
			err) < 0 ||
		say_number(changes, "budget_s", baseline->budget_s, candidate->budget_s, err) < 0)
		return -1;
	if (baseline->strict != candidate->strict &&
		buf_printf(changes, err,
			"strict: %s on the baseline (in force), %s on the candidate\n",
			yes_no(baseline->strict), yes_no(candidate->strict)) < 0)
		return -1;
	if (say_watch(changes, &baseline->watch, &candidate->watch, err) < 0)
		return -1;
	return say_overrides(changes, baseline, candidate, err);
}

int config_gate(struct config *effective, const struct config *baseline,
	const struct config *candidate, struct buf *changes, struct err *err)
{
	*effective = *candidate;
	effective->borrows = true;
	if (!baseline)
		return 0;
	effective->limits = baseline->limits;
	effective->across = baseline->across;
	effective->confidence = baseline->confidence;
	effective->budget_s = baseline->budget_s; /* too short a time settles nothing */
	effective->watch = baseline->watch;
	effective->overrides = baseline->overrides;
	effective->overrides_count = baseline->overrides_count;
	effective->strict = baseline->strict;
	return say_changes(changes, baseline, candidate, err);
}
