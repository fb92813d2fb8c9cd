#include "runner/schedule.h"

#include <math.h>
#include <stdlib.h>

static double own_s(const struct schedule_item *item)
{
	return item->missing * item->visit_s;
}

/* Nearest to its own verdict first, then what only all together want. */
static int compare(const void *left, const void *right)
{
	const struct schedule_item *a = left, *b = right;
	double a_s = own_s(a), b_s = own_s(b);

	if ((a->missing > 0) != (b->missing > 0))
		return a->missing > 0 ? -1 : 1;
	if (a_s < b_s || b_s < a_s)
		return a_s < b_s ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

/* What has been taken so far, and until when. */
struct plan_so_far {
	double benchmarks_s;
	uint32_t visits;
};

static bool fits(const struct plan_so_far *plan, const struct schedule_means *means)
{
	return plan->benchmarks_s + plan->visits * means->overhead_s <= means->left_s;
}

static void take_own(struct plan_so_far *plan, struct schedule_item *items, size_t count,
	const struct schedule_means *means)
{
	for (size_t i = 0; i < count && items[i].missing > 0; i++) {
		struct plan_so_far with = *plan;

		with.benchmarks_s += own_s(&items[i]);
		if (items[i].missing > with.visits)
			with.visits = items[i].missing;
		if (i > 0 && items[i].visit_s > 0 && !fits(&with, means))
			continue;
		items[i].chosen = true;
		*plan = with;
	}
}

/* A benchmark that is measured anyway until then costs nothing more. */
static void take_together(struct plan_so_far *plan, struct schedule_item *items, size_t count,
	const struct schedule_means *means)
{
	struct plan_so_far with = *plan;
	bool any = plan->visits > 0;

	if (means->together_missing > with.visits)
		with.visits = means->together_missing;
	for (size_t i = 0; i < count; i++) {
		uint32_t own = items[i].chosen ? items[i].missing : 0;

		if (items[i].together && means->together_missing > own)
			with.benchmarks_s += (means->together_missing - own) * items[i].visit_s;
	}
	if (any && !fits(&with, means))
		return;
	for (size_t i = 0; i < count; i++)
		items[i].chosen |= items[i].together;
	*plan = with;
}

void schedule_choose(struct schedule_item *items, size_t count, const struct schedule_means *means)
{
	struct plan_so_far plan = {0, 0};

	for (size_t i = 0; i < count; i++)
		items[i].chosen = false;
	if (count > 0)
		qsort(items, count, sizeof(*items), compare);
	take_own(&plan, items, count, means);
	take_together(&plan, items, count, means);
}
