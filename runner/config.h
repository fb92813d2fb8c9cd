/*
 * duel.json: the text one version carries -> struct config, and the gate two of them make.
 *
 * First stage of the flow; versions.h reads the file out of each version. Comments are allowed in
 * the file, everything else is JSON. Unknown and repeated keys, wrong types and values out of range
 * are refused with one message that holds the file, the line, the path inside the document and what
 * is allowed. Nothing is read from the disk here.
 *
 * Ratios are candidate / baseline. Strings are UTF-8; names and patterns have passed
 * text_is_plain(). Paths are relative to the version's tree, without "." and ".." components,
 * doubled or trailing slashes.
 */
#ifndef RUNNER_CONFIG_H
#define RUNNER_CONFIG_H

#include "sandbox/base/attr.h"
#include "sandbox/base/buf.h"
#include "sandbox/base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define CONFIG_FILE_NAME "duel.json"
#define CONFIG_BYTES_MAX (1u << 20)
#define CONFIG_DEPTH_MAX 16
#define CONFIG_BENCHMARKS_MAX 4096
#define CONFIG_OVERRIDES_MAX 1024
#define CONFIG_LIST_MAX 1024 /* patterns, paths or arguments of one list */
#define CONFIG_NAME_BYTES_MAX 200
#define CONFIG_PATH_BYTES_MAX 4000
#define CONFIG_TEXT_BYTES_MAX (64u << 10) /* a command line, an argument, a standard input */

/* How much more of each a candidate may cost before it counts as slower. */
struct limits {
	double cpu;             /* ratio of CPU time */
	double instructions;    /* ratio */
	double allocations;     /* how many more an iteration */
	double allocated_bytes; /* ratio */
	double syscalls;        /* how many more an iteration */
	bool counts_only;       /* CPU time is shown and decides nothing */
};

/* Members of struct limits, as bits: what an override sets, which counts a command gives. */
enum config_metric {
	CONFIG_CPU = 1u << 0,
	CONFIG_INSTRUCTIONS = 1u << 1,
	CONFIG_ALLOCATIONS = 1u << 2,
	CONFIG_ALLOCATED_BYTES = 1u << 3,
	CONFIG_SYSCALLS = 1u << 4,
	CONFIG_COUNTS_ONLY = 1u << 5,
};

enum config_need {
	CONFIG_NEEDS_LOOPBACK = 1u << 0,
};

struct config_list {
	char **items; /* owned, as the strings are; `count` of them and a NULL behind */
	size_t count;
};

enum config_kind {
	CONFIG_WORKER,  /* a program that speaks the worker protocol */
	CONFIG_COMMAND, /* whole processes */
};

struct config_benchmark {
	enum config_kind kind;
	char *name;                 /* CONFIG_COMMAND: the benchmark's; a worker's label or NULL */
	char *worker;               /* CONFIG_WORKER: path inside the tree */
	struct config_list command; /* CONFIG_COMMAND: argv, at least one */
	char *stdin_text;           /* what the command reads; NULL = nothing */
	unsigned counts;            /* CONFIG_COMMAND: enum config_metric bits, 0 = time alone */
};

struct config_override {
	char *match;  /* text_matches() pattern for benchmark names */
	unsigned set; /* enum config_metric bits: which members of `limits` it sets */
	struct limits limits;
};

struct config {
	char *build; /* for /bin/sh, in the version's tree; NULL = nothing to build */
	char *setup; /* once before it; NULL = none */
	struct config_list overlay;
	struct config_list watch; /* text_matches_path() patterns; none = every change counts */
	struct config_benchmark *benchmarks;
	size_t benchmarks_count; /* 0 only after config_init() */
	struct limits limits;
	double across;     /* ratio allowed for all benchmarks together */
	double confidence; /* of each verdict's interval, both sides */
	double budget_s;   /* seconds for the timing pass */
	struct config_override *overrides;
	size_t overrides_count;
	unsigned needs; /* enum config_need bits */
	bool strict;    /* time alone may fail a run whose counts are equal */
	bool borrows;   /* from config_gate(): owns nothing */
};

/* The defaults: no benchmark, nothing to build. */
void config_init(struct config *config);

/*
 * Read duel.json's text. `file_name` is shown in errors ("duel.json").
 *
 * Errors: ERR_CONFIG, worded for the person who wrote the file; ERR_OS out of memory. After an
 * error *out owns nothing.
 */
int config_parse(struct config *out, const char *text, size_t length, const char *file_name,
	struct err *err) ATTR_MUST_USE;

/* Accepts a zeroed one; leaves it zeroed. */
void config_release(struct config *config);

/*
 * The limits in force for one benchmark: config->limits, then every override whose pattern matches,
 * in the order written, each setting what it names: the last match wins.
 */
void config_effective_limits(
	const struct config *config, const char *benchmark_name, struct limits *out);

/*
 * What a run goes by. A candidate cannot loosen its own gate: limits, across, confidence, watch,
 * overrides and strict are the baseline's; benchmarks, build, setup, overlay, needs and budget are
 * the candidate's. baseline NULL = that version has no duel.json: all is the candidate's.
 *
 * *effective borrows from both: it is valid while they live, and config_release() only zeroes it.
 * `changes` gets one line (ended by '\n') for everything the candidate changed in the gate.
 * Errors: ERR_LIMIT where `changes` is full, ERR_OS.
 */
int config_gate(struct config *effective, const struct config *baseline,
	const struct config *candidate, struct buf *changes, struct err *err) ATTR_MUST_USE;

#define AUTO_CONFIG ATTR_CLEANUP(config_release) struct config

#endif
