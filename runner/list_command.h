/*
 * `duel list`: the benchmarks each side would run.
 */
#ifndef RUNNER_LIST_COMMAND_H
#define RUNNER_LIST_COMMAND_H

#include "sandbox/base/err.h"

/* One line a benchmark on standard output. *exit_status: 0, 3 where a version cannot be built. */
int list_command(int argc, char **argv, int *exit_status, struct err *err) ATTR_MUST_USE;

#endif
