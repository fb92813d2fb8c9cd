/*
 * The knob: PLANT_PERCENT of each iteration's own time is spent once more, in the benchmarks that
 * PLANT_ONLY names (all without it). What an iteration costs, in steps, is measured beforehand on
 * this machine: `make plant.h`.
 */
#include "suite.h"

#include <string.h>

#ifndef PLANT_PERCENT
#define PLANT_PERCENT 0
#endif
#ifndef PLANT_ONLY
#define PLANT_ONLY ""
#endif
#ifndef PLANT_STAMP
#define PLANT_STAMP ""
#endif

struct plant_cost {
	const char *name;
	double steps; /* that take as long as one iteration */
};

#ifdef PLANT_COSTS_ARE_KNOWN
#include "plant.h"
#else
#define PLANT_COSTS 0
#endif

#define PLANT_COSTS_MAX 64
#define PLANT_STEPS_MAX 65536

/* Of one size, and volatile, so that both versions' code is alike whatever the numbers. */
static const volatile struct plant_cost plant_costs[PLANT_COSTS_MAX] = {PLANT_COSTS};
static const volatile double plant_percent = PLANT_PERCENT;
static const char *const volatile plant_only = PLANT_ONLY;

/* Makes two builds differ where nothing else does: equal files would not be measured at all. */
static const char plant_stamp[40] __attribute__((used)) = PLANT_STAMP;

static int plant_is_chosen(const char *name)
{
	const char *list = plant_only;
	size_t length = strlen(name);

	if (!*list)
		return 1;
	while (*list) {
		if (strncmp(list, name, length) == 0 && (list[length] == ',' || !list[length]))
			return 1;
		list += strcspn(list, ",");
		list += *list == ',';
	}
	return 0;
}

unsigned long plant_steps(const char *name)
{
	const char *candidate;
	size_t i;

	if (plant_percent <= 0 || !plant_is_chosen(name))
		return 0;
	for (i = 0; i < PLANT_COSTS_MAX; i++) {
		candidate = plant_costs[i].name;
		if (candidate && strcmp(candidate, name) == 0)
			return (unsigned long)(plant_costs[i].steps * plant_percent / 100 + 0.5);
	}
	return 0;
}

/* Nothing behind a fence starts before everything ahead of it is done, so that the steps cost what
 * they cost alone. */
static void plant_fence(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("lfence" : : : "memory");
#elif defined(__aarch64__)
	__asm__ volatile("isb" : : : "memory");
#else
	__sync_synchronize();
#endif
}

#if defined(__x86_64__)

/* One instruction, so that neither loop nor branches disturb what is predicted of the benchmark. */
SUITE_STEADY void plant_spin(unsigned long steps)
{
	static const char bytes[PLANT_STEPS_MAX];
	const char *from = bytes;

	if (steps > PLANT_STEPS_MAX)
		steps = PLANT_STEPS_MAX;
	plant_fence();
	__asm__ volatile("rep lodsb" : "+c"(steps), "+S"(from) : : "rax", "memory");
	plant_fence();
}

#else

SUITE_STEADY void plant_spin(unsigned long steps)
{
	unsigned long value = steps;

	plant_fence();
	for (; steps > 0; steps--) {
		value = (value ^ steps) + 1; /* a chain: one step waits for the one before */
		__asm__ volatile("" : "+r"(value));
	}
	plant_fence();
}

#endif
