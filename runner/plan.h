/*
 * Which benchmarks are compared: the two sides' lists -> pairs by name.
 *
 * Stands between build and measure. A benchmark only the candidate has is `added`, one only the
 * baseline has is `removed`; neither is measured. Names are unique over all workers of a side.
 */
#ifndef RUNNER_PLAN_H
#define RUNNER_PLAN_H

#include "sandbox/base/err.h"
#include "sandbox/sandbox.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLAN_BENCHMARKS_MAX 4096
#define PLAN_ABSENT UINT32_MAX

/* One benchmark of one side. */
struct plan_listed {
	char *name;      /* owned by the listing */
	uint32_t source; /* index of the configured worker or command of that side */
	uint32_t id;     /* within the worker */
	bool counts_only;
};

/* All benchmarks of one side, in the order its workers list them. */
struct plan_listing {
	struct plan_listed *items; /* owned */
	size_t count;
};

/* Errors: ERR_LIMIT beyond PLAN_BENCHMARKS_MAX, ERR_OS. */
int plan_listing_add(struct plan_listing *listing, const char *name, uint32_t source, uint32_t id,
	bool counts_only, struct err *err) ATTR_MUST_USE;
void plan_listing_release(struct plan_listing *listing);

/* One benchmark of the run; source PLAN_ABSENT on the side that lacks it. */
struct plan_benchmark {
	const char *name; /* borrowed from a listing */
	uint32_t source[2], id[2];
	bool counts_only;         /* as the candidate says */
	bool counts_only_changed; /* the sides differ: said in the report */
};

struct plan {
	struct plan_benchmark *benchmarks; /* owned: the candidate's order, then what was removed */
	size_t count;
};

/*
 * Pair the listings (by enum sandbox_side), keeping the names that match `only` (NULL = all).
 * Errors: ERR_BENCH a name twice on a side, or none left: says so; ERR_OS.
 */
int plan_make(struct plan *plan, const struct plan_listing listings[2], const char *only,
	struct err *err) ATTR_MUST_USE;
void plan_release(struct plan *plan);

#endif
