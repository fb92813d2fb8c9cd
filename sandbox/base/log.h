/*
 * What the commands say while they work: stderr, one line at a time, escaped once, here.
 *
 * Libraries do not log; stages take a struct log and say what a user can act on. Every line is made
 * harmless both to a terminal (no control characters) and to a GitHub runner's log (no
 * "::command::", no "##[command]"); text of several lines from a worker or a build goes through
 * log_foreign(), which also marks each line as theirs.
 */
#ifndef SANDBOX_BASE_LOG_H
#define SANDBOX_BASE_LOG_H

#include "sandbox/base/attr.h"

#include <stdbool.h>

enum log_level {
	LOG_QUIET,   /* errors only */
	LOG_NORMAL,  /* progress and results */
	LOG_VERBOSE, /* -v: confinement, schedule, where the time went */
};

struct log {
	enum log_level level;
	bool live;       /* a terminal: log_live() may redraw its line */
	bool live_shown; /* a live line is on the screen now */
	bool color;
};

/* Level and colour from the options and the environment (NO_COLOR, a terminal on stderr). */
void log_init(struct log *log, enum log_level level);

void log_error(struct log *log, const char *format, ...) ATTR_PRINTF(2, 3);
void log_warning(struct log *log, const char *format, ...) ATTR_PRINTF(2, 3);
void log_say(struct log *log, const char *format, ...) ATTR_PRINTF(2, 3);    /* LOG_NORMAL and up */
void log_detail(struct log *log, const char *format, ...) ATTR_PRINTF(2, 3); /* LOG_VERBOSE */

/* What begins now: the live line on a terminal, elsewhere a line like log_say()'s. */
void log_stage(struct log *log, const char *format, ...) ATTR_PRINTF(2, 3);

/* Redraw the one live line (terminal only; nothing elsewhere). */
void log_live(struct log *log, const char *format, ...) ATTR_PRINTF(2, 3);

/* Remove the live line, if one is shown. */
void log_live_end(struct log *log);

/* Take from lines what a GitHub runner would carry out, for what is printed on its own. */
void log_defuse(char *lines);

/* Lines of somebody else's text, each behind `prefix`. Changes nothing in `text`. */
void log_foreign(struct log *log, const char *prefix, const char *text);

#endif
