/*
 * What a run found, for people and for programs: struct report -> text in one of four formats.
 *
 * Behind the artifact: nothing is judged here, and the same report gives the same text. Own words
 * and foreign text (names, subjects, reasons, logs) are kept apart: the latter has passed
 * report_set() and is made inert for its format here (markdown_escape.h, csv.c).
 */
#ifndef RUNNER_REPORT_REPORT_H
#define RUNNER_REPORT_REPORT_H

#include "runner/artifact/schema.h"
#include "sandbox/base/buf.h"

#include <stdbool.h>

/* Room for the longest: logs of hundreds of failed benchmarks, each line marked. */
#define REPORT_BYTES_MAX (128u << 20)

enum report_format {
	REPORT_TEXT,     /* for a terminal */
	REPORT_MARKDOWN, /* GitHub's: step summary and comment */
	REPORT_JSON,     /* what was found, without raw pairs: artifact/FORMAT.md, "Results" */
	REPORT_CSV,      /* RFC 4180, one row a benchmark */
	REPORT_FORMATS
};

/* How the text for a terminal looks. */
struct report_view {
	bool color;   /* escape sequences */
	bool verbose; /* smallest losses, pairs, where the time went, every `same` benchmark */
};

/* REPORT_FORMATS where there is no format of this name. */
enum report_format report_format_by_name(const char *name);

/* By its ending: .txt, .md, .json, .csv; REPORT_FORMATS where it has none of these. */
enum report_format report_format_by_path(const char *path);

/* Append to `out`; text without colours. Errors: ERR_LIMIT where it is full, ERR_OS. */
int report_render(struct buf *out, enum report_format format, const struct report *report,
	struct err *err) ATTR_MUST_USE;

/* REPORT_TEXT, seen like this. */
int report_text(struct buf *out, const struct report *report, const struct report_view *view,
	struct err *err) ATTR_MUST_USE;

/* The other formats; report_render() calls them. */
int report_markdown(struct buf *out, const struct report *report, struct err *err) ATTR_MUST_USE;
int report_json(struct buf *out, const struct report *report, struct err *err) ATTR_MUST_USE;
int report_csv(struct buf *out, const struct report *report, struct err *err) ATTR_MUST_USE;

#endif
