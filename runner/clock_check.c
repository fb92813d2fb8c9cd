#include "runner/clock_check.h"

#include <inttypes.h>
#include <stdlib.h>

#define ALLOWED_NS 20000
#define ALLOWED_PERCENT 2

static uint64_t allowed_ns(uint64_t outside_ns)
{
	return outside_ns / 100 * ALLOWED_PERCENT + ALLOWED_NS;
}

/* What the burst leaves unexplained beyond what is allowed; 0 = it agrees. */
static uint64_t missing_ns(const struct clock_burst *burst)
{
	uint64_t explained = burst->inside_ns + burst->protocol_ns + allowed_ns(burst->outside_ns);

	return burst->outside_ns > explained ? burst->outside_ns - explained : 0;
}

static int report(const struct clock_burst *burst, struct err *err)
{
	return err_set(err, ERR_BENCH,
		"the worker's own clock says %" PRIu64 ".%03" PRIu64
		" us of CPU time for a burst, the system says %" PRIu64 ".%03" PRIu64 " us",
		burst->inside_ns / 1000, burst->inside_ns % 1000, burst->outside_ns / 1000,
		burst->outside_ns % 1000);
}

int clock_check_add(struct clock_check *check, const struct clock_burst *burst, struct err *err)
{
	if (burst->inside_ns > burst->outside_ns + allowed_ns(burst->outside_ns))
		return report(burst, err);
	if (check->count < CLOCK_CHECK_BURSTS_MAX)
		check->bursts[check->count++] = *burst;
	return 0;
}

static int compare_missing(const void *left, const void *right)
{
	uint64_t a = missing_ns(left), b = missing_ns(right);

	return (a > b) - (a < b);
}

int clock_check_end(const struct clock_check *check, struct err *err)
{
	struct clock_check sorted = *check;
	/* The lower median: of two bursts one may have been disturbed. */
	size_t middle = sorted.count ? (sorted.count - 1) / 2 : 0;

	if (sorted.count == 0)
		return 0;
	qsort(sorted.bursts, sorted.count, sizeof(sorted.bursts[0]), compare_missing);
	if (missing_ns(&sorted.bursts[middle]) == 0)
		return 0;
	return report(&sorted.bursts[middle], err);
}
