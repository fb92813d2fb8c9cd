#include "runner/artifact/fields.h"

#include "runner/stats/confirm.h"

#define RATIO_LIMIT_MAX 1000 /* of a limit: ten times the configuration's and some */
#define MORE_MAX 1e9         /* how many more calls or allocations a limit may allow */
#define SECONDS_MAX 1e9
#define NANOSECONDS_MAX 1e20 /* above UINT64_MAX */

static const char *run_word(unsigned value)
{
	return report_verdict_name((enum run_verdict)value);
}

static const char *layout_word(unsigned value)
{
	return report_layout_name((enum layout_state)value);
}

static const char *verdict_word(unsigned value)
{
	return verdict_name((enum verdict)value);
}

static const struct field_words run_words = {run_word, RUN_VERDICTS};
static const struct field_words layout_words = {layout_word, LAYOUT_STATES};
static const struct field_words verdict_words = {verdict_word, VERDICT_COUNT};

/* Enumerators are read and written through unsigned. */
_Static_assert(sizeof(enum run_verdict) == sizeof(unsigned), "enums are unsigned");
_Static_assert(sizeof(enum layout_state) == sizeof(unsigned), "enums are unsigned");
_Static_assert(sizeof(enum verdict) == sizeof(unsigned), "enums are unsigned");

#define FIELD(type, member, kind, max, words)                     \
	{                                                         \
#member, kind, offsetof(type, member), max, words \
	}
#define SECTION(name, offset, fields)                      \
	{                                                  \
		name, offset, fields, ARRAY_LENGTH(fields) \
	}

#define ROOT(member, kind, max) FIELD(struct report, member, kind, max, NULL)
static const struct field root_fields[] = {
	FIELD(struct report, verdict, FIELD_WORD, 0, &run_words),
	ROOT(failure, FIELD_TEXT, SCHEMA_TEXT_BYTES_MAX),
	ROOT(failure_log, FIELD_LINES, SCHEMA_LOG_BYTES_MAX),
	ROOT(duel_version, FIELD_TEXT, SCHEMA_NAME_BYTES_MAX),
	ROOT(started, FIELD_TEXT, SCHEMA_NAME_BYTES_MAX),
	ROOT(seed, FIELD_SEED, 0),
	ROOT(gate_changes, FIELD_LIST, SCHEMA_TEXT_BYTES_MAX),
	ROOT(notes, FIELD_LIST, SCHEMA_TEXT_BYTES_MAX),
	FIELD(struct report, across_verdict, FIELD_WORD, 0, &verdict_words),
	ROOT(across, FIELD_RATIO, 0),
	ROOT(across_reason, FIELD_TEXT, SCHEMA_TEXT_BYTES_MAX),
	ROOT(null_trusted, FIELD_BOOL, 0),
	ROOT(null_reason, FIELD_TEXT, SCHEMA_TEXT_BYTES_MAX),
	ROOT(noise_floor, FIELD_NUMBER, SCHEMA_RATIO_MAX),
};
const struct fields_section fields_root = SECTION("", 0, root_fields);

#define VERSION(member, kind, max) FIELD(struct report_version, member, kind, max, NULL)
static const struct field version_fields[] = {
	VERSION(commit, FIELD_TEXT, SCHEMA_NAME_BYTES_MAX),
	VERSION(ref, FIELD_TEXT, SCHEMA_TEXT_BYTES_MAX),
	VERSION(subject, FIELD_TEXT, SCHEMA_TEXT_BYTES_MAX),
	VERSION(worktree, FIELD_BOOL, 0),
};

#define MACHINE(member, kind, max) FIELD(struct report_machine, member, kind, max, NULL)
static const struct field machine_fields[] = {
	MACHINE(cpu, FIELD_TEXT, SCHEMA_NAME_BYTES_MAX),
	MACHINE(kernel, FIELD_TEXT, SCHEMA_NAME_BYTES_MAX),
	MACHINE(tier, FIELD_TEXT, SCHEMA_NAME_BYTES_MAX),
	MACHINE(missing, FIELD_LIST, SCHEMA_TEXT_BYTES_MAX),
	MACHINE(cores, FIELD_SMALL, UINT32_MAX),
	MACHINE(cpu_used, FIELD_SMALL, UINT32_MAX),
	MACHINE(load_start, FIELD_NUMBER, 1e6),
	MACHINE(load_end, FIELD_NUMBER, 1e6),
	MACHINE(steal, FIELD_NUMBER, 1),
};

#define LIMIT(member, kind, max) FIELD(struct report_limits, member, kind, max, NULL)
static const struct field limits_fields[] = {
	LIMIT(cpu, FIELD_NUMBER, RATIO_LIMIT_MAX),
	LIMIT(instructions, FIELD_NUMBER, RATIO_LIMIT_MAX),
	LIMIT(allocations, FIELD_NUMBER, MORE_MAX),
	LIMIT(allocated_bytes, FIELD_NUMBER, RATIO_LIMIT_MAX),
	LIMIT(syscalls, FIELD_NUMBER, MORE_MAX),
	LIMIT(across, FIELD_NUMBER, RATIO_LIMIT_MAX),
	LIMIT(confidence, FIELD_NUMBER, 1),
	LIMIT(budget_s, FIELD_NUMBER, SECONDS_MAX),
	LIMIT(strict, FIELD_BOOL, 0),
	LIMIT(source, FIELD_TEXT, SCHEMA_TEXT_BYTES_MAX),
};

#define SECONDS(member) FIELD(struct report_time, member, FIELD_NUMBER, SECONDS_MAX, NULL)
static const struct field time_fields[] = {
	SECONDS(total),
	SECONDS(checkout),
	SECONDS(build),
	SECONDS(confinement),
	SECONDS(links),
	SECONDS(starts),
	SECONDS(setup),
	SECONDS(warmup),
	SECONDS(samples),
	SECONDS(handover),
};

const struct fields_section fields_sections[FIELDS_SECTIONS] = {
	SECTION("baseline", offsetof(struct report, baseline), version_fields),
	SECTION("candidate", offsetof(struct report, candidate), version_fields),
	SECTION("machine", offsetof(struct report, machine), machine_fields),
	SECTION("limits", offsetof(struct report, limits), limits_fields),
	SECTION("time", offsetof(struct report, time), time_fields),
};

#define BENCHMARK(member, kind, max) FIELD(struct report_benchmark, member, kind, max, NULL)
static const struct field benchmark_fields[] = {
	BENCHMARK(name, FIELD_TEXT, SCHEMA_NAME_BYTES_MAX),
	BENCHMARK(worker, FIELD_TEXT, SCHEMA_TEXT_BYTES_MAX),
	FIELD(struct report_benchmark, verdict, FIELD_WORD, 0, &verdict_words),
	BENCHMARK(reason, FIELD_TEXT, SCHEMA_TEXT_BYTES_MAX),
	BENCHMARK(limit, FIELD_NUMBER, RATIO_LIMIT_MAX),
	BENCHMARK(alpha, FIELD_NUMBER, 0.5),
	BENCHMARK(pairs_min, FIELD_SMALL, CONFIRM_PAIRS_MAX),
	BENCHMARK(pairs_max, FIELD_SMALL, CONFIRM_PAIRS_MAX),
	BENCHMARK(counts_only, FIELD_BOOL, 0),
	BENCHMARK(identical, FIELD_BOOL, 0),
	FIELD(struct report_benchmark, layout, FIELD_WORD, 0, &layout_words),
	BENCHMARK(layout_reason, FIELD_TEXT, SCHEMA_TEXT_BYTES_MAX),
	BENCHMARK(cpu, FIELD_RATIO, 0),
	BENCHMARK(smallest_loss, FIELD_NUMBER, SCHEMA_RATIO_MAX),
	BENCHMARK(baseline_ns, FIELD_NUMBER, NANOSECONDS_MAX),
	BENCHMARK(candidate_ns, FIELD_NUMBER, NANOSECONDS_MAX),
	BENCHMARK(baseline_wall_ns, FIELD_NUMBER, NANOSECONDS_MAX),
	BENCHMARK(candidate_wall_ns, FIELD_NUMBER, NANOSECONDS_MAX),
	BENCHMARK(iterations, FIELD_COUNT, SCHEMA_COUNT_MAX),
	BENCHMARK(bytes, FIELD_COUNT, SCHEMA_COUNT_MAX),
	BENCHMARK(items, FIELD_COUNT, SCHEMA_COUNT_MAX),
	BENCHMARK(confirmed, FIELD_BOOL, 0),
	BENCHMARK(bimodal, FIELD_BOOL, 0),
	BENCHMARK(drifting, FIELD_BOOL, 0),
	BENCHMARK(pairs, FIELD_PAIRS, SCHEMA_PAIRS_MAX),
	BENCHMARK(visits, FIELD_VISITS, SCHEMA_PAIRS_MAX),
	BENCHMARK(nulls, FIELD_NULLS, SCHEMA_PAIRS_MAX),
	BENCHMARK(log, FIELD_LINES, SCHEMA_LOG_BYTES_MAX),
};
const struct fields_section fields_benchmark = SECTION("benchmarks", 0, benchmark_fields);

#define RATIO(member) FIELD(struct report_ratio, member, FIELD_NUMBER, SCHEMA_RATIO_MAX, NULL)
static const struct field ratio_fields[] = {RATIO(ratio), RATIO(low), RATIO(high)};
const struct fields_section fields_ratio = SECTION("", 0, ratio_fields);
