/*
 * `duel merge FILE...`: one run from artifacts of shards, judged as one family.
 */
#ifndef RUNNER_MERGE_COMMAND_H
#define RUNNER_MERGE_COMMAND_H

#include "sandbox/base/err.h"

/* *exit_status is the merged run's: 0, 1 or 3. Errors: ERR_HOSTILE where a file is no artifact,
 * ERR_USAGE where they do not belong together. */
int merge_command(int argc, char **argv, int *exit_status, struct err *err) ATTR_MUST_USE;

#endif
