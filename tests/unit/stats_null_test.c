#include "tests/unit/stats_suite.h"

#include "sandbox/base/attr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define LIMIT 1.02

static struct suite suite;

struct outcome {
	uint32_t untrusted, biased, scattered;
	double noise_floor, bias; /* means over runs */
};

static struct outcome outcome_of(const struct suite *kind, uint32_t runs)
{
	struct outcome outcome = {0};
	struct rng rng;

	rng_seed(&rng, 61);
	for (uint32_t i = 0; i < runs; i++) {
		struct null_result result;

		memcpy(&suite, kind, sizeof(suite));
		suite_run(&suite, &rng);
		null_judge(&result, suite.series, SUITE_BENCHMARKS, LIMIT);
		outcome.untrusted += !result.trusted;
		outcome.biased += result.biased;
		outcome.scattered += result.scattered;
		outcome.noise_floor += result.noise_floor / runs;
		outcome.bias += result.bias / runs;
	}
	return outcome;
}

static void an_honest_machine_is_trusted(void **state)
{
	static const struct {
		struct suite suite;
		double rate;
	} kinds[] = {
		{{.ratio = 1, .scale = 0.003, .shared = 0.001}, 0.001},
		{{.ratio = 1.03, .scale = 0.003, .shared = 0.001}, 0.001},
		{{.ratio = 1, .scale = 0.001, .shared = 0.004}, 0.001},
		{{.ratio = 1, .scale = 0.0015, .shared = 0.0005, .count = 5}, 0.001},
		/* Some of these drift or depend on the visit before. */
		{{.ratio = 1.03, .scale = 0.003, .shared = 0.001, .mixed = true}, 0.005},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) {
		struct outcome outcome = outcome_of(&kinds[i].suite, 800);

		assert_true(simulate_at_most(
			"untrusted, honest", outcome.untrusted, 800, kinds[i].rate));
	}
}

static void a_biased_machine_is_not(void **state)
{
	static const struct suite biased = {
		.ratio = 1, .scale = 0.003, .shared = 0.001, .null_bias = 0.01, .mixed = true};
	static const struct suite little = {
		.ratio = 1, .scale = 0.0003, .shared = 0.0001, .null_bias = 0.001};
	struct outcome outcome = outcome_of(&biased, 300);

	(void)state;
	assert_true(simulate_at_least("biased by 1 %", outcome.biased, 300, 0.95));
	/* Those that drift are a little low while null visits are early. */
	assert_true(fabs(outcome.bias - 0.01) < 0.001);
	/* A tenth of a percent is certain here, and matters to no verdict. */
	outcome = outcome_of(&little, 300);
	assert_int_equal(outcome.untrusted, 0);
	assert_true(fabs(outcome.bias - 0.001) < 0.0001);
}

static void few_benchmarks_that_settle_at_once_show_a_bias_too(void **state)
{
	/* With a variance around 0, in which the bias hides, a third of these were found. */
	static const struct suite biased = {.ratio = 1,
		.scale = 0.0015,
		.shared = 0.0005,
		.null_bias = 0.015,
		.mixed = true,
		.count = 5};
	struct outcome outcome = outcome_of(&biased, 300);
	uint32_t nulls = 0;

	(void)state;
	assert_true(simulate_at_least("5 benchmarks, biased by 1.5 %", outcome.biased, 300, 0.95));
	for (uint32_t visit = 0; visit < 8; visit++)
		nulls += null_is_due(visit);
	assert_int_equal(nulls, 2);
	for (uint32_t visit = 8; visit < 72; visit++)
		nulls += null_is_due(visit);
	assert_int_equal(nulls, 2 + 64 / NULL_EVERY);
}

static void a_machine_whose_equal_pairs_scatter_is_not(void **state)
{
	static const struct suite kind = {
		.ratio = 1, .scale = 0.003, .shared = 0.001, .null_extra = 0.02};
	struct outcome outcome = outcome_of(&kind, 300);

	(void)state;
	assert_true(simulate_at_least("scattered by 2 %", outcome.scattered, 300, 0.99));
	assert_true(fabs(outcome.noise_floor - 0.02) < 0.003);
}

/* 20 benchmarks with 16 pairs and one null visit; in `burst` visits half of them are far off. */
static void judge_bursts(struct null_result *result, bool pair_burst, bool null_burst)
{
	static int32_t pairs[20][16], nulls[20][1];
	static uint32_t visits[16];
	struct series series[20];

	for (uint32_t b = 0; b < 20; b++) {
		for (uint32_t i = 0; i < 16; i++) {
			visits[i] = i;
			pairs[b][i] = (int32_t)((i * 7 + b) % 16) * 400 - 3000;
		}
		if (pair_burst && b % 2)
			pairs[b][5] = b % 4 == 1 ? 90000 : -90000;
		nulls[b][0] = (int32_t)(b % 16) * 400 - 3000;
		if (null_burst && b % 2)
			nulls[b][0] = b % 4 == 1 ? 90000 : -90000;
		series[b] = (struct series){pairs[b], visits, 16, nulls[b], 1};
	}
	null_judge(result, series, 20, LIMIT);
}

static void a_burst_of_load_that_visits_know_too_is_no_reason(void **state)
{
	struct null_result result;

	(void)state;
	judge_bursts(&result, false, false);
	assert_true(result.trusted);
	assert_int_equal(result.pairs, 20);
	assert_int_equal(result.beyond, 0);
	judge_bursts(&result, true, true);
	assert_true(result.trusted);
	assert_int_equal(result.beyond, 10);
	judge_bursts(&result, false, true);
	assert_true(result.scattered && !result.trusted);
}

static void without_null_pairs_nothing_is_claimed(void **state)
{
	static const int32_t pairs[] = {1, 2, 3, 4, 5, 6, 7, 8};
	static const uint32_t visits[] = {0, 1, 2, 3, 4, 5, 6, 7};
	static const int32_t nulls[] = {50000, 60000};
	struct series series = {pairs, visits, 8, NULL, 0};
	struct null_result result;

	(void)state;
	null_judge(&result, &series, 1, LIMIT);
	assert_true(result.trusted);
	assert_int_equal(result.pairs, 0);
	assert_true(result.noise_floor == 0);
	null_judge(&result, NULL, 0, LIMIT);
	assert_true(result.trusted);
	/* A benchmark whose scatter is unknown says nothing. */
	series = (struct series){pairs, visits, 3, nulls, 2};
	null_judge(&result, &series, 1, LIMIT);
	assert_true(result.trusted);
	assert_int_equal(result.pairs, 0);
}

static void the_noise_floor_is_the_median_of_all_null_pairs(void **state)
{
	static const int32_t pairs[] = {100, -200, 300, -400, 500, -600, 700, -800};
	static const uint32_t visits[] = {0, 1, 2, 3, 4, 5, 6, 7};
	static const int32_t one[] = {100, -300, 900}, two[] = {-200, 5000};
	const struct series series[] = {
		{pairs, visits, 8, one, 3},
		{pairs, visits, 8, two, 2},
	};
	struct null_result result;

	(void)state;
	null_judge(&result, series, 2, LIMIT);
	assert_true(fabs(result.noise_floor - 1.4826 * 300e-6) < 1e-12);
	assert_int_equal(result.pairs, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_honest_machine_is_trusted),
		cmocka_unit_test(a_biased_machine_is_not),
		cmocka_unit_test(few_benchmarks_that_settle_at_once_show_a_bias_too),
		cmocka_unit_test(a_machine_whose_equal_pairs_scatter_is_not),
		cmocka_unit_test(a_burst_of_load_that_visits_know_too_is_no_reason),
		cmocka_unit_test(without_null_pairs_nothing_is_claimed),
		cmocka_unit_test(the_noise_floor_is_the_median_of_all_null_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
