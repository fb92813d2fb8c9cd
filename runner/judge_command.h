/*
 * `duel judge FILE`: an artifact's raw pairs, judged again under other limits.
 */
#ifndef RUNNER_JUDGE_COMMAND_H
#define RUNNER_JUDGE_COMMAND_H

#include "sandbox/base/err.h"

/* *exit_status is the new verdict's: 0, 1 or 3. Errors: ERR_HOSTILE where it is no artifact. */
int judge_command(int argc, char **argv, int *exit_status, struct err *err) ATTR_MUST_USE;

#endif
