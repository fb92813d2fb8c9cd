#include "runner/rules.h"

#include "runner/build.h"
#include "sandbox/sandbox.h"

#include <string.h>

#define CHANGES_BYTES (1u << 20) /* of all overrides that two files can have */

static int read_side(struct rules *rules, const struct rules_source *source, enum sandbox_side side,
	bool *found, struct err *err)
{
	AUTO_BUF text;

	buf_init(&text, CONFIG_BYTES_MAX);
	if (versions_read(
		    source->versions, &source->picked[side], source->path, &text, found, err) < 0)
		return err_wrap(err, "%s", build_side_name(side));
	if (!*found)
		return 0;
	if (config_parse(&rules->sides[side], buf_text(&text), text.length, source->path, err) < 0)
		return err_wrap(err, "%s", build_side_name(side));
	return 0;
}

static int describe(const struct rules *rules, struct report_limits *limits, struct err *err)
{
	const struct config *gate = &rules->gate;

	limits->cpu = gate->limits.cpu;
	limits->instructions = gate->limits.instructions;
	limits->allocations = gate->limits.allocations;
	limits->allocated_bytes = gate->limits.allocated_bytes;
	limits->syscalls = gate->limits.syscalls;
	limits->across = gate->across;
	limits->confidence = gate->confidence;
	limits->budget_s = gate->budget_s;
	limits->strict = gate->strict;
	return report_set(&limits->source,
		rules->baseline_has_any ? "the baseline's duel.json"
					: "the candidate's duel.json: the baseline has none",
		SCHEMA_TEXT_BYTES_MAX, err);
}

int rules_read(struct rules *rules, const struct rules_source *source, struct report *report,
	struct err *err)
{
	bool found;
	AUTO_BUF changes;

	buf_init(&changes, CHANGES_BYTES);
	config_init(&rules->sides[SANDBOX_BASELINE]);
	config_init(&rules->sides[SANDBOX_CANDIDATE]);
	if (read_side(rules, source, SANDBOX_CANDIDATE, &found, err) < 0)
		return -1;
	if (!found)
		return err_set(err, ERR_CONFIG,
			"%s: the candidate has no such file: write one, see the README",
			source->path);
	if (read_side(rules, source, SANDBOX_BASELINE, &rules->baseline_has_any, err) < 0 ||
		config_gate(&rules->gate,
			rules->baseline_has_any ? &rules->sides[SANDBOX_BASELINE] : NULL,
			&rules->sides[SANDBOX_CANDIDATE], &changes, err) < 0 ||
		report_note_lines(report->gate_changes, buf_text(&changes), err) < 0)
		return -1;
	return describe(rules, &report->limits, err);
}

void rules_release(struct rules *rules)
{
	config_release(&rules->gate);
	config_release(&rules->sides[SANDBOX_BASELINE]);
	config_release(&rules->sides[SANDBOX_CANDIDATE]);
}

const struct config *rules_of_baseline_alone(const struct rules *rules)
{
	return rules->baseline_has_any ? &rules->sides[SANDBOX_BASELINE] : &rules->gate;
}

static bool is_same_text(const char *one, const char *other)
{
	return strcmp(one ? one : "", other ? other : "") == 0;
}

bool rules_baseline_differs(const struct rules *rules)
{
	const struct config *own = rules_of_baseline_alone(rules);

	return rules->gate.overlay.count > 0 || !is_same_text(own->build, rules->gate.build) ||
	       !is_same_text(own->setup, rules->gate.setup);
}
