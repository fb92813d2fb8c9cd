/*
 * What confines this run, with -v: the tier and which layer provides what.
 */
#ifndef RUNNER_MACHINE_SAY_H
#define RUNNER_MACHINE_SAY_H

#include "sandbox/base/log.h"
#include "sandbox/sandbox.h"

/* Nothing below LOG_VERBOSE. */
void machine_say(const struct sandbox_machine *machine, struct log *log);

#endif
