#include "runner/plan.h"

#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

int plan_listing_add(struct plan_listing *listing, const char *name, uint32_t source, uint32_t id,
	bool counts_only, struct err *err)
{
	struct plan_listed *grown;

	if (listing->count >= PLAN_BENCHMARKS_MAX)
		return err_set(err, ERR_LIMIT, "more than %d benchmarks", PLAN_BENCHMARKS_MAX);
	grown = reallocarray(listing->items, listing->count + 1, sizeof(*grown));
	if (!grown)
		return err_errno(err, ERR_OS, "list benchmarks");
	listing->items = grown;
	grown[listing->count] = (struct plan_listed){strdup(name), source, id, counts_only};
	if (!grown[listing->count].name)
		return err_errno(err, ERR_OS, "list benchmarks");
	listing->count++;
	return 0;
}

void plan_listing_release(struct plan_listing *listing)
{
	for (size_t i = 0; i < listing->count; i++)
		free(listing->items[i].name);
	free(listing->items);
	*listing = (struct plan_listing){0};
}

static int by_name(const void *left, const void *right)
{
	const struct plan_listed *const *a = left;
	const struct plan_listed *const *b = right;

	return strcmp((*a)->name, (*b)->name);
}

/* The listing's entries sorted by name, each name once. The caller frees the array. */
static int sort_names(const struct plan_listing *listing, const char *side,
	const struct plan_listed ***out, struct err *err)
{
	const struct plan_listed **sorted = calloc(
		listing->count + 1, sizeof(struct plan_listed *));

	if (!sorted)
		return err_errno(err, ERR_OS, "plan");
	for (size_t i = 0; i < listing->count; i++)
		sorted[i] = &listing->items[i];
	qsort(sorted, listing->count, sizeof(struct plan_listed *), by_name);
	for (size_t i = 1; i < listing->count; i++) {
		if (strcmp(sorted[i - 1]->name, sorted[i]->name) != 0)
			continue;
		(void)err_set(err, ERR_BENCH,
			"%s: two benchmarks are called '%s': give each a name of its own", side,
			sorted[i]->name);
		free(sorted);
		return -1;
	}
	*out = sorted;
	return 0;
}

static const struct plan_listed *find_name(
	const struct plan_listed *const *sorted, size_t count, const struct plan_listed *wanted)
{
	const struct plan_listed *const *found = bsearch(
		&wanted, sorted, count, sizeof(struct plan_listed *), by_name);

	return found ? *found : NULL;
}

/* Either may be NULL, not both. */
static struct plan_benchmark pair_up(
	const struct plan_listed *baseline, const struct plan_listed *candidate)
{
	struct plan_benchmark pair = {.source = {PLAN_ABSENT, PLAN_ABSENT}};

	if (baseline) {
		pair.name = baseline->name;
		pair.source[SANDBOX_BASELINE] = baseline->source;
		pair.id[SANDBOX_BASELINE] = baseline->id;
		pair.counts_only = baseline->counts_only;
	}
	if (candidate) {
		pair.name = candidate->name;
		pair.source[SANDBOX_CANDIDATE] = candidate->source;
		pair.id[SANDBOX_CANDIDATE] = candidate->id;
		pair.counts_only_changed = baseline &&
					   baseline->counts_only != candidate->counts_only;
		pair.counts_only = candidate->counts_only;
	}
	return pair;
}

static void fill(struct plan *plan, const struct plan_listing listings[2],
	const struct plan_listed *const *sorted[2], const char *only)
{
	const struct plan_listing *baseline = &listings[SANDBOX_BASELINE];
	const struct plan_listing *candidate = &listings[SANDBOX_CANDIDATE];

	for (size_t i = 0; i < candidate->count; i++) {
		const struct plan_listed *item = &candidate->items[i];

		if (!only || text_matches(only, item->name))
			plan->benchmarks[plan->count++] = pair_up(
				find_name(sorted[SANDBOX_BASELINE], baseline->count, item), item);
	}
	for (size_t i = 0; i < baseline->count; i++) {
		const struct plan_listed *item = &baseline->items[i];

		if ((!only || text_matches(only, item->name)) &&
			!find_name(sorted[SANDBOX_CANDIDATE], candidate->count, item))
			plan->benchmarks[plan->count++] = pair_up(item, NULL);
	}
}

int plan_make(
	struct plan *plan, const struct plan_listing listings[2], const char *only, struct err *err)
{
	const struct plan_listed **sorted[2] = {NULL, NULL};
	int result = -1;

	*plan = (struct plan){0};
	if (sort_names(&listings[0], "baseline", &sorted[0], err) == 0 &&
		sort_names(&listings[1], "candidate", &sorted[1], err) == 0) {
		plan->benchmarks = calloc(
			listings[0].count + listings[1].count + 1, sizeof(*plan->benchmarks));
		if (plan->benchmarks) {
			const struct plan_listed *const *const_sorted[2] = {sorted[0], sorted[1]};

			fill(plan, listings, const_sorted, only);
			result = 0;
		} else {
			(void)err_errno(err, ERR_OS, "plan");
		}
	}
	free(sorted[0]);
	free(sorted[1]);
	if (result == 0 && plan->count == 0) {
		plan_release(plan);
		return only ? err_set(err, ERR_USAGE, "no benchmark matches '%s': see duel list",
				      only)
			    : err_set(err, ERR_BENCH, "no worker lists a benchmark");
	}
	return result;
}

void plan_release(struct plan *plan)
{
	free(plan->benchmarks);
	*plan = (struct plan){0};
}
