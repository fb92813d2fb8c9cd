/*
 * Facts about this machine for the artifact: what it is and how busy it was.
 */
#ifndef RUNNER_MACHINE_H
#define RUNNER_MACHINE_H

#include "runner/artifact/schema.h"

/* The processor, the kernel, the cores and the load at the start. Errors: ERR_OS. */
int machine_describe(struct report_machine *machine, struct err *err) ATTR_MUST_USE;

/* Clock ticks of all processors since the start of the machine: total, and stolen by the host. */
struct machine_ticks {
	uint64_t total, stolen;
};

/* Zeros where /proc/stat cannot be read. */
struct machine_ticks machine_ticks(void);

/* The one-minute load average, 0 where it cannot be read. */
double machine_load(void);

#endif
