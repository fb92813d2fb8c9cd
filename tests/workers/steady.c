/* A worker with 31 small benchmarks that duel.h serves: for tests of a whole visit. */
#define DUEL_MAIN
#include "duel.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right)
{
	const uint32_t *a = (const uint32_t *)left, *b = (const uint32_t *)right;

	return (*a > *b) - (*a < *b);
}

static void *make_numbers(long count)
{
	uint32_t *numbers = (uint32_t *)calloc((size_t)count * 2, sizeof(*numbers));
	uint32_t x = 2463534242u;
	long i;

	for (i = 0; numbers && i < count; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		numbers[i] = x;
	}
	return numbers;
}

DUEL_BENCHMARK_FOR("hash: {} words", (100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600, 51200),
	make_numbers, free)
{
	const uint32_t *numbers = (const uint32_t *)state;
	uint64_t hash = 14695981039346656037u;
	long i;

	for (i = 0; i < value; i++)
		hash = (hash ^ numbers[i]) * 1099511628211u;
	duel_keep(hash);
}

DUEL_BENCHMARK_FOR("sort: {} words", (16, 32, 64, 128, 256, 512, 1000), make_numbers, free)
{
	uint32_t *numbers = (uint32_t *)state;

	memcpy(numbers + value, numbers, (size_t)value * sizeof(*numbers));
	qsort(numbers + value, (size_t)value, sizeof(*numbers), compare);
	duel_keep(numbers[value]);
}

DUEL_BENCHMARK_FOR(
	"copy: {} words", (1000, 2000, 4000, 8000, 16000, 32000, 64000), make_numbers, free)
{
	uint32_t *numbers = (uint32_t *)state;

	memcpy(numbers + value, numbers, (size_t)value * sizeof(*numbers));
	duel_keep(numbers);
}

DUEL_BENCHMARK_FOR("allocate: {} blocks", (1, 10, 20, 40, 80, 160, 320), NULL, NULL)
{
	void *blocks[320];
	long i;

	for (i = 0; i < value; i++) {
		blocks[i] = malloc((size_t)i * 8 + 8);
		duel_keep(blocks[i]);
	}
	for (i = 0; i < value; i++)
		free(blocks[i]);
}
