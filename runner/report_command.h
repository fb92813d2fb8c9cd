/*
 * `duel report FILE`: an artifact as text, Markdown, JSON or CSV.
 */
#ifndef RUNNER_REPORT_COMMAND_H
#define RUNNER_REPORT_COMMAND_H

#include "sandbox/base/err.h"

/* What the artifact says is shown, nothing is judged: *exit_status is 0 whatever the verdict.
 * Errors: ERR_HOSTILE where it is none. */
int report_command(int argc, char **argv, int *exit_status, struct err *err) ATTR_MUST_USE;

#endif
