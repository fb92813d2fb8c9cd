/*
 * A report for whoever asked: printed, or into a file. The end of every verb that has one.
 */
#ifndef RUNNER_SHOW_H
#define RUNNER_SHOW_H

#include "runner/report/report.h"

/* Colours on standard output: as asked for, else on a terminal unless NO_COLOR is set. */
bool show_in_color(bool always, bool never);

/* To standard output; `view` counts for REPORT_TEXT only. Errors: ERR_LIMIT, ERR_OS. */
int show_print(const struct report *report, enum report_format format,
	const struct report_view *view, struct err *err) ATTR_MUST_USE;

/* Into a file, whole or not at all, in the format of its ending. Errors: ERR_LIMIT, ERR_OS. */
int show_write(const char *path, const struct report *report, struct err *err) ATTR_MUST_USE;

#endif
