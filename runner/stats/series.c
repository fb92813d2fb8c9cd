#include "runner/stats/series.h"

#define MILLIONTH 1e-6

void series_take(
	struct series_part *part, const struct series *series, uint32_t first, uint32_t last)
{
	part->count = 0;
	for (uint32_t i = 0; i < series->count && part->count < CONFIRM_PAIRS_MAX; i++) {
		uint32_t visit = series->visits[i];

		if (visit < first || visit > last || visit >= SERIES_VISITS_MAX)
			continue;
		part->logs[part->count] = series->pairs[i] * MILLIONTH;
		part->visits[part->count++] = visit;
	}
}
