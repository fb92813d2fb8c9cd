/* A worker with one benchmark of each form, and one that fails. */
#define DUEL_MAIN
#include "duel.h"

#include <stdlib.h>
#include <string.h>

static void *make_text(long value)
{
	char *text = (char *)calloc(1, (size_t)value + 1);

	if (!text)
		duel_error("out of memory");
	duel_bytes((unsigned long long)value);
	duel_items(1);
	return text;
}

static void *make_nothing(long value)
{
	duel_keep(value);
	duel_error("there is\nnothing to do");
	return NULL;
}

DUEL_BENCHMARK("add: 100 numbers")
{
	int i;

	for (i = 0; i < 100; i++)
		duel_keep(i);
}

DUEL_BENCHMARK("counted", DUEL_COUNTS_ONLY)
{
	double square = 2.0;

	duel_keep(square);
	duel_keep(square * square);
}

DUEL_BENCHMARK_FOR("clear: {} bytes", (64, 4096), make_text, free)
{
	memset(state, 0, (size_t)value);
	duel_keep(state);
}

DUEL_BENCHMARK_WITH("cannot be set up", make_nothing, NULL, DUEL_COUNTS_ONLY)
{
	duel_keep(state);
}

DUEL_BENCHMARK_WITH("fails while running", NULL, NULL)
{
	duel_error(NULL);
}
