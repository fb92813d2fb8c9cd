/* A worker whose benchmarks look at the harness: its heap, descriptors, threads and noise. */
#define DUEL_MAIN
#include "duel.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Where the first allocation of the program lies, in bytes past a multiple of 64 KiB. */
static void *look_at_heap(long value)
{
	void *first = malloc((size_t)(value + 64));

	duel_items((unsigned long long)((uintptr_t)first & 0xffff));
	return first;
}

static void *look_at_descriptors(long value)
{
	const char *in = getenv("DUEL_IN");
	const char *out = getenv("DUEL_OUT");
	int is_kept = in && out && (fcntl(atoi(in), F_GETFD) & FD_CLOEXEC) &&
		      (fcntl(atoi(out), F_GETFD) & FD_CLOEXEC);

	duel_items((unsigned long long)is_kept + (unsigned long long)value);
	return NULL;
}

static void *work(void *argument)
{
	unsigned long i;

	for (i = 0; i < 2000000; i++)
		duel_keep(i);
	return argument;
}

DUEL_BENCHMARK_WITH("heap", look_at_heap, free)
{
	duel_keep(state);
}

DUEL_BENCHMARK_WITH("descriptors", look_at_descriptors, NULL)
{
	duel_keep(state);
}

DUEL_BENCHMARK("thread does the work")
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work, NULL) != 0)
		duel_error("no thread");
	else
		pthread_join(thread, NULL);
}

DUEL_BENCHMARK("noise")
{
	printf("samples 3 1 1 1\n");
	fflush(stdout);
}
