#include "runner/worker_list.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void worker_list_release(struct worker_list *list)
{
	free(list->items);
	*list = (struct worker_list){NULL, 0, 0};
}

struct worker_benchmark *worker_list_add(struct worker_list *list, struct err *err)
{
	struct worker_benchmark *grown;

	if (list->count >= WORKER_BENCHMARKS_MAX) {
		(void)err_set(err, ERR_BENCH, "has more than %d benchmarks", WORKER_BENCHMARKS_MAX);
		return NULL;
	}
	if (list->count == list->capacity) {
		size_t capacity = list->capacity ? list->capacity * 2 : 64;

		grown = reallocarray(list->items, capacity, sizeof(*grown));
		if (!grown) {
			(void)err_errno(err, ERR_OS, "list the benchmarks");
			return NULL;
		}
		list->items = grown;
		list->capacity = capacity;
	}
	list->items[list->count] = (struct worker_benchmark){.name = ""};
	return &list->items[list->count++];
}

static int compare_names(const void *left, const void *right)
{
	const struct worker_benchmark *a = left, *b = right;

	return strcmp(a->name, b->name);
}

int worker_list_check_unique(const struct worker_list *list, struct err *err)
{
	struct worker_benchmark *sorted = calloc(list->count + 1, sizeof(*sorted));
	int result = 0;

	if (!sorted)
		return err_errno(err, ERR_OS, "list the benchmarks");
	if (list->count > 0)
		memcpy(sorted, list->items, list->count * sizeof(*sorted));
	qsort(sorted, list->count, sizeof(*sorted), compare_names);
	for (size_t i = 1; i < list->count && result == 0; i++) {
		if (strcmp(sorted[i - 1].name, sorted[i].name) == 0)
			result = err_set(
				err, ERR_BENCH, "has two benchmarks named \"%s\"", sorted[i].name);
	}
	free(sorted);
	return result;
}

int worker_list_check_same(
	const struct worker_list *now, const struct worker_list *before, struct err *err)
{
	static const char changed[] = "changed its list between two starts";

	if (now->count != before->count)
		return err_set(err, ERR_BENCH, "%s: it had %zu benchmarks, now %zu", changed,
			before->count, now->count);
	for (size_t i = 0; i < now->count; i++) {
		const struct worker_benchmark *was = &before->items[i], *is = &now->items[i];

		if (strcmp(was->name, is->name) != 0)
			return err_set(err, ERR_BENCH, "%s: benchmark %zu was \"%s\", now \"%s\"",
				changed, i, was->name, is->name);
		if (was->counts_only != is->counts_only)
			return err_set(
				err, ERR_BENCH, "%s: the flags of \"%s\"", changed, is->name);
	}
	return 0;
}

size_t worker_list_find(const struct worker_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++) {
		if (strcmp(list->items[i].name, name) == 0)
			return i;
	}
	return SIZE_MAX;
}
