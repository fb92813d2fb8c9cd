/*
 * A whole run simulated: benchmarks with their judges, visits that may be off for all of them at
 * once, null visits, and the second measurement of all where the board as a whole asks for it.
 */
#ifndef TESTS_UNIT_STATS_SUITE_H
#define TESTS_UNIT_STATS_SUITE_H

#include "runner/stats/across.h"
#include "runner/stats/null.h"
#include "tests/unit/stats_simulate.h"

#define SUITE_BENCHMARKS 31u
#define SUITE_VISITS_MAX 150u

struct suite {
	/* set by the test */
	double ratio; /* of every benchmark */
	double scale; /* of a benchmark's visit: from half of it to twice, benchmark by benchmark */
	double shared;     /* scatter of what all benchmarks of a visit share */
	double null_bias;  /* a log ratio that the machine adds to the second side */
	double null_extra; /* further scatter of each null pair */
	bool mixed;        /* benchmarks of all models, else all normal */
	uint32_t count;    /* of benchmarks; 0 = SUITE_BENCHMARKS */
	/* filled by suite_run() */
	struct judge judges[SUITE_BENCHMARKS];
	struct across across;
	int32_t pairs[SUITE_BENCHMARKS][SUITE_VISITS_MAX],
		nulls[SUITE_BENCHMARKS][SUITE_VISITS_MAX];
	uint32_t visits[SUITE_BENCHMARKS][SUITE_VISITS_MAX];
	struct series series[SUITE_BENCHMARKS];
	uint32_t visits_made;
};

/* Are the settled benchmarks measured too, for all together? As measure.c does it. */
static inline bool suite_wants_all(const struct suite *suite, uint32_t visit)
{
	if (across_wants_all(&suite->across))
		return true;
	for (uint32_t b = 0; b < suite->count; b++)
		if (!suite->judges[b].confirm.settled)
			return false;
	return !suite->across.confirm.settled &&
	       across_visits_missing(&suite->across, visit - 1) < UINT32_MAX;
}

/* What a visit pair of two equal versions shows of each benchmark that is measured in it. */
static inline void suite_equal(
	const struct suite *suite, struct visits *noise, double values[SUITE_BENCHMARKS], bool all)
{
	double shared = suite->shared * simulate_normal(noise[0].rng) + suite->null_bias;

	for (uint32_t b = 0; b < suite->count; b++)
		if (all || !suite->judges[b].confirm.settled)
			values[b] = shared + simulate_visit(&noise[b]);
}

static inline void suite_visit(struct suite *suite, struct visits *noise, uint32_t visit)
{
	double values[SUITE_BENCHMARKS], nulls[SUITE_BENCHMARKS];
	bool all = suite_wants_all(suite, visit), null = null_is_due(visit);

	if (null)
		suite_equal(suite, noise, nulls, all);
	suite_equal(suite, noise, values, all);
	for (uint32_t b = 0; b < suite->count; b++) {
		struct series *series = &suite->series[b];

		if (suite->judges[b].confirm.settled && !all)
			continue;
		if (null) {
			nulls[b] += suite->null_extra * simulate_normal(noise[b].rng);
			suite->nulls[b][series->nulls_count++] = judge_millionths(nulls[b]);
		}
		suite->pairs[b][series->count] = judge_millionths(values[b] + log(suite->ratio));
		suite->visits[b][series->count] = visit;
		judge_add(&suite->judges[b], suite->pairs[b][series->count++]);
	}
	across_look(&suite->across, suite->series, suite->count, visit);
}

static inline bool suite_open(const struct suite *suite)
{
	bool open = suite->visits_made > 0 && suite_wants_all(suite, suite->visits_made);

	for (uint32_t b = 0; b < suite->count; b++)
		open |= !suite->judges[b].confirm.settled;
	return open;
}

static inline void suite_run(struct suite *suite, struct rng *rng)
{
	static const struct judge_rules rules = {1.02, 0.005, 8, 64};
	static const struct judge_rules across_rules = {1.005, 0.005, 8, 64};
	struct visits noise[SUITE_BENCHMARKS];

	suite->count = suite->count ? suite->count : SUITE_BENCHMARKS;
	across_start(&suite->across, &across_rules);
	for (uint32_t b = 0; b < suite->count; b++) {
		noise[b] = (struct visits){rng,
			suite->mixed ? (enum model)(b % MODEL_COUNT) : MODEL_NORMAL,
			suite->scale * exp2(2 * rng_unit(rng) - 1), 0, 0};
		judge_start(&suite->judges[b], &rules);
		suite->series[b] = (struct series){
			suite->pairs[b], suite->visits[b], 0, suite->nulls[b], 0};
	}
	suite->visits_made = 0;
	while (suite->visits_made < SUITE_VISITS_MAX && suite_open(suite))
		suite_visit(suite, noise, suite->visits_made++);
}

static inline uint32_t suite_count(const struct suite *suite, enum verdict verdict)
{
	uint32_t found = 0;

	for (uint32_t b = 0; b < suite->count; b++)
		found += suite->judges[b].confirm.verdict == verdict;
	return found;
}

#endif
