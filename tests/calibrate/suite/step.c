/*
 * Print the nanoseconds of one planted step: by what more steps take more, the smallest of many, as
 * quiet as this machine gets.
 */
#include "suite.h"

#include <stdio.h>
#include <time.h>

#define STEPS 20000ul

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double smallest_ns(unsigned long steps)
{
	double smallest = 1e18;
	double ns;
	int i;

	for (i = 0; i < 3000; i++) {
		ns = now_ns();
		plant_spin(steps);
		ns = now_ns() - ns;
		if (ns < smallest)
			smallest = ns;
	}
	return smallest;
}

int main(void)
{
	printf("%.6f\n", (smallest_ns(2 * STEPS) - smallest_ns(STEPS)) / (double)STEPS);
	return 0;
}
