#include "runner/renewal.h"

#include "sandbox/base/io.h"

void renewal_start(struct renewal *renewal, struct side *sides, bool varied)
{
	*renewal = (struct renewal){.sides = sides, .varied = varied};
	for (size_t s = 0; s < 2; s++)
		renewal->layouts.sides[s] = &sides[s].layout;
}

static int put_code(struct side *side, const struct layout_set *set, struct err *err)
{
	for (size_t i = 0; i < side->fresh.count; i++) {
		if (fresh_put(&side->fresh, i, set ? set->fds[i] : -1, err) < 0)
			return -1;
	}
	return 0;
}

int renewal_next(struct renewal *renewal, unsigned wanted, struct err *err)
{
	struct layout_set sets[2] = {{0}, {0}};
	uint64_t start_ns = io_now_ns();
	int result = 0;

	if (renewal->varied)
		result = layout_queue_take(&renewal->layouts, wanted, sets, err);
	renewal->links_s += io_seconds_since(start_ns);
	start_ns = io_now_ns();
	for (unsigned s = 0; s < 2; s++) {
		if (result == 0)
			result = put_code(
				&renewal->sides[s], renewal->varied ? &sets[s] : NULL, err);
		layout_set_release(&sets[s]);
	}
	renewal->files_s += io_seconds_since(start_ns);
	return result;
}

double renewal_link_s(const struct renewal *renewal)
{
	return renewal->layouts.made > 0 ? renewal->links_s / renewal->layouts.made : 0;
}

void renewal_release(struct renewal *renewal)
{
	layout_queue_release(&renewal->layouts);
}
