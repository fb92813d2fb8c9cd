/*
 * What one run found: the struct that leaves the pipeline, and what the artifact holds.
 *
 * Filled by runner/pipeline.c, written by artifact/write.c, read back by artifact/read.c, shown by
 * report/. The one header of the runner that crosses to the comment job. FORMAT.md describes the
 * file field by field; the limits below bound both what is written and what is believed.
 *
 * Strings are owned by the struct, UTF-8, never NULL after report_init() and its setters, and at
 * most as long as their limit; text of workers and repositories has passed text_make_printable().
 */
#ifndef RUNNER_ARTIFACT_SCHEMA_H
#define RUNNER_ARTIFACT_SCHEMA_H

#include "sandbox/base/err.h"

#include "runner/stats/verdict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCHEMA_MAJOR 1 /* a reader refuses a newer major */
#define SCHEMA_MINOR 0 /* a reader takes every minor of its major */

#define SCHEMA_COMPRESSED_BYTES_MAX (4u << 20)
#define SCHEMA_BYTES_MAX (16u << 20)
#define SCHEMA_WINDOW_LOG_MAX 23
#define SCHEMA_DEPTH_MAX 16
#define SCHEMA_NODES_MAX 500000
#define SCHEMA_BENCHMARKS_MAX 4096
#define SCHEMA_NAME_BYTES_MAX 200
#define SCHEMA_TEXT_BYTES_MAX 2000 /* reasons, notes, subjects */
#define SCHEMA_LOG_BYTES_MAX 8000  /* the tail of what a failed build or worker printed */
#define SCHEMA_NOTES_MAX 64
#define SCHEMA_PAIRS_MAX 1024             /* of one benchmark, both stages */
#define SCHEMA_COUNT_MAX 9007199254740991 /* 2^53 - 1: what every reader of JSON keeps exact */
#define SCHEMA_RATIO_MAX 1e9 /* ratios beyond it, infinite ones too, are stored as it */

enum run_verdict {
	RUN_PASSED,
	RUN_REGRESSED,
	RUN_FAILED,  /* could not build or measure: report.failure says whose side and why */
	RUN_SKIPPED, /* nothing that is watched was touched: report.failure says so */
	RUN_VERDICTS
};

enum layout_state {
	LAYOUT_VARIED, /* every pair ran a fresh random link on each side */
	LAYOUT_SHARED, /* no code under test is linked: both sides map the same native files */
	LAYOUT_FIXED,  /* one link: layout_reason says why it could not be varied */
	LAYOUT_STATES
};

struct report_version {
	char *commit;  /* hexadecimal object name */
	char *ref;     /* how it was asked for or found */
	char *subject; /* first line of the commit's message */
	bool worktree; /* the working tree with its uncommitted changes */
};

struct report_machine {
	char *cpu;                       /* model name */
	char *kernel;                    /* release */
	char *tier;                      /* of confinement */
	char *missing[SCHEMA_NOTES_MAX]; /* properties nothing provides here; NULL ends the list */
	uint32_t cores;
	uint32_t cpu_used;           /* the processor the workers were pinned to */
	double load_start, load_end; /* one-minute load averages */
	double steal;                /* stolen share of the machine's time while measuring, 0..1 */
};

/* The gate this run was judged by. Ratios are candidate / baseline. */
struct report_limits {
	double cpu, instructions, allocations, allocated_bytes, syscalls;
	double across, confidence;
	double budget_s;
	bool strict;
	char *source; /* "duel.json of the baseline", "defaults", ... */
};

/* A judged ratio with its confidence interval, 1.0 = equal. */
struct report_ratio {
	double ratio, low, high; /* at most SCHEMA_RATIO_MAX; all 0 = unknown */
};

struct report_benchmark {
	char *name;
	char *worker; /* as the candidate configured it: the worker, or the command's program */
	enum verdict verdict;
	char *reason; /* why this verdict, where it is not plain from the numbers; "" = plain */
	double limit; /* for CPU time */
	double alpha; /* error probability a side in force */
	uint32_t pairs_min, pairs_max; /* the judge's rules in force */
	bool counts_only;
	bool identical; /* the same code on both sides: `same` without being measured */
	enum layout_state layout;
	char *layout_reason;
	struct report_ratio cpu;
	double smallest_loss;             /* ratio this run could have caught; 0 = unknown */
	double baseline_ns, candidate_ns; /* CPU ns an iteration, median over visits */
	double baseline_wall_ns, candidate_wall_ns;
	uint64_t iterations;   /* in one sample */
	uint64_t bytes, items; /* an iteration, 0 = not stated */
	bool confirmed;        /* decided by the second, fresh measurement */
	bool bimodal, drifting;
	uint32_t pairs_count;
	int32_t *pairs;   /* owned; millionths of the log ratio, in order of visits */
	uint32_t *visits; /* owned; the visit each pair belongs to */
	uint32_t nulls_count;
	int32_t *nulls; /* owned; baseline against baseline, the same unit */
	char *log;      /* tail of the worker's output where the verdict is error */
};

/* Where the wall time went, seconds. */
struct report_time {
	double total, checkout, build, confinement, links, starts, setup, warmup, samples, handover;
};

struct report {
	uint32_t minor; /* as written */
	enum run_verdict verdict;
	char *failure; /* for failed and skipped: what happened, whose side; else "" */
	char *failure_log;
	char *duel_version;
	char *started; /* UTC, ISO 8601 */
	uint64_t seed;
	struct report_version baseline, candidate;
	struct report_machine machine;
	struct report_limits limits;
	char *gate_changes[SCHEMA_NOTES_MAX]; /* what the candidate's duel.json changed in the gate
					       */
	char *notes[SCHEMA_NOTES_MAX];        /* said once a run; NULL ends the list */
	enum verdict across_verdict;          /* slower, faster, same, unsettled */
	struct report_ratio across;
	char *across_reason; /* why that verdict, where it is not plain from the numbers */
	bool null_trusted;   /* false: this machine cannot tell; time verdicts became unsettled */
	char *null_reason;   /* why it is not trusted */
	double noise_floor;  /* scatter of baseline against baseline, as a log ratio */
	struct report_time time;
	struct report_benchmark *benchmarks; /* owned array */
	uint32_t benchmarks_count;
};

void report_init(struct report *report);    /* all strings "", all numbers 0 */
void report_release(struct report *report); /* accepts a half-filled one */

/*
 * A printable copy cut to bytes_max at a character, which the caller frees; with `lines`, newlines
 * and tabs stay. NULL with ERR_OS.
 */
char *report_printable(
	const char *text, size_t bytes_max, bool lines, struct err *err) ATTR_MUST_USE;

/* Replace *field by a printable copy of `text` cut to bytes_max at a character. Errors: ERR_OS. */
int report_set(char **field, const char *text, size_t bytes_max, struct err *err) ATTR_MUST_USE;

/* The same for a log of several lines: its last SCHEMA_LOG_BYTES_MAX bytes. Errors: ERR_OS. */
int report_set_log(char **field, const char *text, struct err *err) ATTR_MUST_USE;

/*
 * Append to a list of SCHEMA_NOTES_MAX places, NULL behind the last note; where it is full its last
 * note says "further notes left out". Errors: ERR_OS.
 */
int report_note(char **list, struct err *err, const char *format, ...) ATTR_MUST_USE
	ATTR_PRINTF(3, 4);

/* Each line of `lines` as a note of its own. Errors: ERR_OS. */
int report_note_lines(char **list, const char *lines, struct err *err) ATTR_MUST_USE;

/*
 * A zeroed benchmark with empty strings at the end of the array; it stays where it is when others
 * are added. Errors: ERR_LIMIT, ERR_OS.
 */
int report_add_benchmark(
	struct report *report, struct report_benchmark **out, struct err *err) ATTR_MUST_USE;

/*
 * Move a benchmark of another report to the end of the array; `from` is empty afterwards. Errors:
 * ERR_LIMIT, ERR_OS.
 */
int report_move_benchmark(
	struct report *report, struct report_benchmark *from, struct err *err) ATTR_MUST_USE;

/* Append a pair or a null pair. Errors: ERR_LIMIT beyond SCHEMA_PAIRS_MAX, ERR_OS. */
int report_add_pair(struct report_benchmark *benchmark, uint32_t visit, int32_t millionths,
	struct err *err) ATTR_MUST_USE;
int report_add_null(
	struct report_benchmark *benchmark, int32_t millionths, struct err *err) ATTR_MUST_USE;

const char *report_verdict_name(enum run_verdict verdict);
const char *report_layout_name(enum layout_state state);

#endif
