/*
 * Who is measured in the next visit: all that want it while the time suffices, else those nearest
 * to a decision.
 *
 * Called by measure.c before each visit, with what the judges say is missing and what earlier
 * visits took. Pure: numbers in, numbers out. Seconds are wall time.
 */
#ifndef RUNNER_SCHEDULE_H
#define RUNNER_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One benchmark. */
struct schedule_item {
	size_t index;     /* the caller's: items are put in another order */
	uint32_t missing; /* visits until its own verdict, about; 0 = it has one */
	bool together;    /* wanted for the verdict on all benchmarks together */
	double visit_s;   /* of one visit; 0 = not known, so it comes along */
	bool chosen;      /* out */
};

struct schedule_means {
	double left_s;             /* of the budget */
	double overhead_s;         /* of a visit, whatever is measured in it */
	uint32_t together_missing; /* visits until that verdict, about */
};

/*
 * Choose. Where the time does not suffice for all, benchmarks are taken by the time to their own
 * verdict as long as it fits, at least one; those wanted only for all together come last and are
 * taken all or none: a part of them would decide nothing.
 */
void schedule_choose(struct schedule_item *items, size_t count, const struct schedule_means *means);

#endif
