/*
 * What this machine is and what makes its timings wobble: read, never changed, each fact on its
 * own, so that a machine that hides one still tells the others. For `duel doctor` and the artifact.
 */
#ifndef RUNNER_MACHINE_FACTS_H
#define RUNNER_MACHINE_FACTS_H

#include "sandbox/base/attr.h"

#include <stdbool.h>

#define MACHINE_FACTS_TEXT 128

struct machine_facts {
	int processors;                    /* online */
	int processors_usable;             /* by this process; 0 = unknown */
	char model[MACHINE_FACTS_TEXT];    /* "" = unknown */
	char kernel[MACHINE_FACTS_TEXT];   /* release */
	char governor[MACHINE_FACTS_TEXT]; /* of the frequency; "" = not shown here */
	long frequency_mhz[2];             /* slowest and fastest now; 0 = unknown */
	int threads_shared; /* 1 = processors share cores, 0 = they do not, -1 = unknown */
	int boost; /* 1 = the frequency may rise above its nominal, 0 = not, -1 = unknown */
	bool virtual_machine; /* by the processor's own flag */
	double load_1min;     /* processes that want to run, averaged; -1 = unknown */
	double stolen;        /* share of the time since boot the host took away; -1 = unknown */
	char counters[MACHINE_FACTS_TEXT]; /* why instructions cannot be counted; "" = they can */
	char valgrind[MACHINE_FACTS_TEXT]; /* its path; "" = not installed */
};

void machine_facts_read(struct machine_facts *facts);

#endif
