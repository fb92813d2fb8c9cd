/*
 * `duel run`: options -> pipeline -> artifact, report and exit status.
 */
#ifndef RUNNER_RUN_COMMAND_H
#define RUNNER_RUN_COMMAND_H

#include "sandbox/base/err.h"

/* Compare two commits. *exit_status: 0 passed or skipped, 1 regressed, 3 failed, 130 interrupted.
 */
int run_command(int argc, char **argv, int *exit_status, struct err *err) ATTR_MUST_USE;

#endif
