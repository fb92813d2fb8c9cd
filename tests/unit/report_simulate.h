/*
 * Reports of simulated runs with a known truth: for the tests of decide, verdict and report/.
 */
#ifndef TESTS_UNIT_REPORT_SIMULATE_H
#define TESTS_UNIT_REPORT_SIMULATE_H

#include "tests/unit/report_random.h"
#include "tests/unit/stats_simulate.h"

#define SIMULATED_SCATTER 0.002

/* A run whose limits are the defaults; the caller adds benchmarks and releases it. */
static inline void simulated_run(struct report *report)
{
	report_init(report);
	report->limits = (struct report_limits){
		.cpu = 1.02,
		.instructions = 1.005,
		.allocated_bytes = 1.02,
		.across = 1.005,
		.confidence = 0.99,
		.budget_s = 20,
		.source = report->limits.source, /* as report_init() made it */
	};
	report->null_trusted = true;
}

struct simulated {
	const char *name;
	double ratio;     /* the truth */
	double scatter;   /* of one pair, a log ratio */
	double null_bias; /* of baseline against baseline, a log ratio */
	uint32_t pairs;
};

/* Its layout is varied. `seed` alone decides the pairs. */
static inline struct report_benchmark *simulated_benchmark(
	struct report *report, const struct simulated *truth, uint64_t seed)
{
	struct report_benchmark *benchmark;
	struct rng rng;

	MUST(report_add_benchmark(report, &benchmark, &must_err));
	MUST(report_set(&benchmark->name, truth->name, SCHEMA_NAME_BYTES_MAX, &must_err));
	MUST(report_set(&benchmark->worker, "bench/bench", SCHEMA_TEXT_BYTES_MAX, &must_err));
	benchmark->limit = 1.02;
	benchmark->alpha = 0.005;
	benchmark->pairs_min = 8;
	benchmark->pairs_max = 64;
	rng_seed(&rng, seed);
	for (uint32_t i = 0; i < truth->pairs; i++) {
		double log_ratio = log(truth->ratio) + truth->scatter * simulate_normal(&rng);
		double null = truth->null_bias + truth->scatter * simulate_normal(&rng);

		MUST(report_add_pair(benchmark, i, judge_millionths(log_ratio), &must_err));
		if (i % 8 == 7)
			MUST(report_add_null(benchmark, judge_millionths(null), &must_err));
	}
	benchmark->baseline_ns = 12345 * (1 + (double)(seed % 7));
	benchmark->candidate_ns = benchmark->baseline_ns * truth->ratio;
	benchmark->baseline_wall_ns = 1.01 * benchmark->baseline_ns;
	benchmark->candidate_wall_ns = 1.01 * benchmark->candidate_ns;
	benchmark->iterations = 10;
	return benchmark;
}

#endif
