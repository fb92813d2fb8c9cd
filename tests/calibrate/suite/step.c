/* Print the nanoseconds of one planted step: the smallest of many, as quiet as this machine gets.
 */
#include "suite.h"

#include <stdio.h>
#include <time.h>

#define STEPS 50000ul

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(void)
{
	double smallest = 1e18;
	double ns;
	int i;

	for (i = 0; i < 500; i++) {
		ns = now_ns();
		plant_spin(STEPS);
		ns = now_ns() - ns;
		if (ns < smallest)
			smallest = ns;
	}
	printf("%.6f\n", smallest / (double)STEPS);
	return 0;
}
