/*
 * What it takes to start one version's benchmarks: the program, its cell, and the addresses.
 *
 * Made by the pipeline once a version and program; every visit starts it anew with offsets of its
 * own. The two processes of a pair get the same offsets (matched randomisation): where they differ
 * in stack, mappings and heap, the ratio between them differs by more than most regressions.
 *
 * Without the kernel's randomisation a program lies at one address for ever, whatever the stack
 * limit; only its libraries move. What moves it is a fresh link (layout/layout.h). Starting it
 * through its dynamic loader would move it by pages too, but then a program that looks itself up in
 * /proc/self/exe finds the loader there.
 */
#ifndef RUNNER_LAUNCH_H
#define RUNNER_LAUNCH_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"

#include "runner/stats/rng.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sandbox_cell;

enum launch_kind {
	LAUNCH_WORKER,  /* speaks the worker protocol */
	LAUNCH_COMMAND, /* a whole process is one iteration */
};

/* How long silence may last, nanoseconds. */
struct launch_patience {
	uint64_t hello_ns;    /* from the start to hello, and for the list */
	uint64_t setup_ns;    /* setup and teardown of one benchmark */
	uint64_t burst_ns;    /* one "run", one command */
	uint64_t farewell_ns; /* from "quit" to the process's end */
};

extern const struct launch_patience launch_patience_default;

#define LAUNCH_ARGS_MAX 1024
#define LAUNCH_ARGV_LENGTH (LAUNCH_ARGS_MAX + 1)
#define LAUNCH_PADDING_BYTES (4096 + 16)

/* All pointers are borrowed for as long as the launch is used. */
struct launch {
	enum launch_kind kind;
	const char *side;  /* "baseline" or "candidate": opens every message */
	const char *label; /* the program as configured: the message's second word */
	struct sandbox_cell *cell;
	const char *tree;        /* the version's tree, as we see it */
	const char *const *argv; /* argv[0] "./path" in the tree, or found in PATH; NULL ends it */
	const char *name;        /* LAUNCH_COMMAND: the benchmark's */
	const char *stdin_text;  /* LAUNCH_COMMAND: what it reads; NULL = nothing */
	struct launch_patience patience;
	const volatile sig_atomic_t *stop; /* once set, nobody waits for it; NULL = never */
};

/* Where things lie in one visit's processes. Zeroed: wherever the kernel likes. */
struct launch_offsets {
	bool same_addresses;  /* no address-space randomisation of the kernel's */
	uint64_t stack_bytes; /* stack limit: moves every mapping by its excess over 256 MiB */
	unsigned environment_bytes; /* padding below the stack's first frame */
	unsigned heap_bytes;        /* first allocation on the heap; 0 = none */
};

/* New random offsets for one visit. */
void launch_draw_offsets(struct launch_offsets *offsets, struct rng *rng);

/* argv of the process. Errors: ERR_LIMIT too many. */
int launch_make_argv(const struct launch *launch, const char *argv[LAUNCH_ARGV_LENGTH],
	struct err *err) ATTR_MUST_USE;

/* "DUEL_PAD=xxx...": the environment string that makes up environment_bytes. */
void launch_make_padding(const struct launch_offsets *offsets, char padding[LAUNCH_PADDING_BYTES]);

/* May this machine's processes switch address-space randomisation off? */
bool launch_can_fix_addresses(void);

#endif
