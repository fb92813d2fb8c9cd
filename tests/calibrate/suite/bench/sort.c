/* Three ways to sort; each iteration sorts the same fresh copy. */
#include "../lib/lib.h"
#include "../suite.h"

#include <stdlib.h>
#include <string.h>

#define SORT_MAX 1024

struct sort {
	size_t count;
	uint32_t source[SORT_MAX];
	uint32_t work[SORT_MAX];
};

static void *make_numbers(size_t count)
{
	struct sort *sort = suite_memory(sizeof(*sort));
	uint64_t seed = 1234 + count;
	size_t i;

	sort->count = count;
	for (i = 0; i < count; i++)
		sort->source[i] = suite_random(&seed, 1u << 30);
	duel_items(count);
	return sort;
}

static void *make_few(long value)
{
	return make_numbers((size_t)value + 100);
}

static void *make_some(long value)
{
	return make_numbers((size_t)value + 400);
}

SUITE_STEADY static void sort_sift(uint32_t *heap, size_t from, size_t count)
{
	uint32_t number = heap[from];
	size_t child;

	while ((child = 2 * from + 1) < count) {
		if (child + 1 < count && heap[child + 1] > heap[child])
			child++;
		if (heap[child] <= number)
			break;
		heap[from] = heap[child];
		from = child;
	}
	heap[from] = number;
}

SUITE_STEADY static void sort_heap(uint32_t *numbers, size_t count)
{
	size_t i;
	uint32_t last;

	for (i = count / 2; i > 0; i--)
		sort_sift(numbers, i - 1, count);
	for (i = count - 1; i > 0; i--) {
		last = numbers[i];
		numbers[i] = numbers[0];
		numbers[0] = last;
		sort_sift(numbers, 0, i);
	}
}

SUITE_STEADY static size_t sort_partition(uint32_t *numbers, size_t count)
{
	uint32_t pivot = numbers[count / 2];
	size_t low = 0;
	size_t high = count - 1;
	uint32_t swapped;

	for (;;) {
		while (numbers[low] < pivot)
			low++;
		while (numbers[high] > pivot)
			high--;
		if (low >= high)
			return high + 1;
		swapped = numbers[low];
		numbers[low++] = numbers[high];
		numbers[high--] = swapped;
	}
}

/* The larger part waits, so the stack needs only as many places as the count has bits. */
static void sort_quick(uint32_t *numbers, size_t count)
{
	struct {
		size_t start;
		size_t count;
	} open[32];
	size_t depth = 0;
	size_t start = 0;
	size_t left;

	for (;;) {
		if (count > 12) {
			left = sort_partition(numbers + start, count);
			open[depth].start = 2 * left > count ? start : start + left;
			open[depth].count = 2 * left > count ? left : count - left;
			start = 2 * left > count ? start + left : start;
			count -= open[depth++].count;
			continue;
		}
		sort_insertion(numbers + start, count);
		if (depth == 0)
			break;
		start = open[--depth].start;
		count = open[depth].count;
	}
}

SUITE("sort: insertion", make_few, free)
{
	struct sort *sort = state;

	memcpy(sort->work, sort->source, sort->count * sizeof(sort->work[0]));
	sort_insertion(sort->work, sort->count);
	duel_keep(sort->work);
}

SUITE("sort: heap", make_some, free)
{
	struct sort *sort = state;

	memcpy(sort->work, sort->source, sort->count * sizeof(sort->work[0]));
	sort_heap(sort->work, sort->count);
	duel_keep(sort->work);
}

SUITE("sort: quick", make_some, free)
{
	struct sort *sort = state;

	memcpy(sort->work, sort->source, sort->count * sizeof(sort->work[0]));
	sort_quick(sort->work, sort->count);
	duel_keep(sort->work);
}
