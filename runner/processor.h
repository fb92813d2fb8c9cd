/*
 * The processor a visit runs on: who is pinned to it, and how much of it was stolen.
 *
 * The supervisor pins itself to the workers' processor while it measures: it sleeps whenever a
 * worker runs, and handing over to a process on the same processor costs a tenth of waking one on
 * another.
 */
#ifndef RUNNER_PROCESSOR_H
#define RUNNER_PROCESSOR_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

struct processor_pin {
	cpu_set_t before; /* what processor_unpin() restores */
	bool is_pinned;
};

/* Pin the calling process to `cpu`; -1 = leave it be. Errors: ERR_OS. */
int processor_pin(struct processor_pin *pin, int cpu, struct err *err) ATTR_MUST_USE;
void processor_unpin(struct processor_pin *pin);

/*
 * The processors this process may run on (a container, taskset and cpusets leave it fewer than the
 * machine has): how many, at least 1, and the number of the nth, counted from 0 and round again.
 */
unsigned processor_count(void);
int processor_nth(unsigned n);

/* Ticks of /proc/stat since boot, of one processor or (-1) of all. */
struct processor_ticks {
	uint64_t stolen, all; /* both 0 where the machine does not tell */
};

void processor_read_ticks(struct processor_ticks *ticks, int cpu);

/* The same from the text of /proc/stat, for tests. */
void processor_parse_ticks(struct processor_ticks *ticks, const char *text, int cpu);

#endif
