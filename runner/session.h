/*
 * What a verb that runs somebody else's code needs before it starts: a log as asked for, signals
 * that only ask to stop, and a process nobody of its uid may look into.
 */
#ifndef RUNNER_SESSION_H
#define RUNNER_SESSION_H

#include "runner/options.h"

#include <signal.h>

/* Once a process. */
void session_begin(struct log *log, const struct options *options);

/* Set when SIGINT, SIGTERM or SIGHUP came: the run ends soon, what was found is kept. */
const volatile sig_atomic_t *session_stop(void);

/*
 * How the verb ends: `result` as it is, but after a signal an error is said here and the exit
 * status is SESSION_INTERRUPTED, which no error changes.
 */
int session_end(struct log *log, int result, int *exit_status, const struct err *err) ATTR_MUST_USE;

#define SESSION_INTERRUPTED 130 /* the exit status then */

#endif
