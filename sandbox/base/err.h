/*
 * The one error value of this tree.
 *
 * A function that can fail returns int, 0 or -1 and nothing else, and takes `struct err *err` last.
 * Success leaves *err alone; failure sets it exactly once, at the place that knows; each caller
 * that knows more wraps outwards: "candidate: build: run 'make': exit status 2".
 *
 * struct err holds no pointers and fits a pipe write that cannot be split (PIPE_BUF), so it is also
 * the record a confined child sends before it gives up. What arrives that way passes
 * err_from_wire().
 */
#ifndef SANDBOX_BASE_ERR_H
#define SANDBOX_BASE_ERR_H

#include "sandbox/base/attr.h"

#include <stdint.h>

/* Who can mend it. The exit status of the commands follows from the kind: err_exit_status(). */
enum err_kind {
	ERR_NONE,
	ERR_USAGE,   /* the command line: 2 */
	ERR_CONFIG,  /* duel.json: 2 */
	ERR_VERSION, /* a commit or tree could not be had: 3 */
	ERR_BUILD,   /* a version did not build: 3 */
	ERR_BENCH,   /* a benchmark or worker failed: 3 */
	ERR_CONFINE, /* a layer of confinement is missing or was refused: 4 */
	ERR_LIMIT,   /* a time, size or count limit was hit: 5 */
	ERR_HOSTILE, /* an artifact is damaged or hostile: 6 */
	ERR_OS,      /* the operating system refused: 7 */
	ERR_NET,     /* the network or an API refused: 7 */
	ERR_BUG,     /* ours: 70 */
	ERR_KINDS
};

#define ERR_TEXT_BYTES 1000

struct err {
	int32_t kind;              /* enum err_kind */
	int32_t os_errno;          /* 0 where no system call was involved */
	char text[ERR_TEXT_BYTES]; /* always terminated; printable by err_from_wire() only */
};

/* Set the error; text is cut at the field's end. Returns -1, so that callers can `return
 * err_set(...)`. */
int err_set(struct err *err, enum err_kind kind, const char *format, ...) ATTR_PRINTF(3, 4);

/* As err_set() with errno's text appended; keeps errno's value. */
int err_errno(struct err *err, enum err_kind kind, const char *format, ...) ATTR_PRINTF(3, 4);

/* Put "context: " in front of the text already there. Returns -1. */
int err_wrap(struct err *err, const char *format, ...) ATTR_PRINTF(2, 3);

/* Analyzers look at one file at a time: there they are told what err.c promises. */
#ifdef ANALYSIS
#define err_set(...) (err_set(__VA_ARGS__), -1)
#define err_errno(...) (err_errno(__VA_ARGS__), -1)
#define err_wrap(...) (err_wrap(__VA_ARGS__), -1)
#endif

/* Make a received record safe to use: kind in range, text terminated and printable. */
void err_from_wire(struct err *err);

/* The exit status a command ends with on this kind (the table above). */
int err_exit_status(enum err_kind kind);

#endif
