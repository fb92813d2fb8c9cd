#include "runner/stats/rng.h"
#include "tests/unit/stats_simulate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void the_same_seed_gives_the_same_bits_and_another_seed_others(void **state)
{
	struct rng one, two, other;

	(void)state;
	rng_seed(&one, 7);
	rng_seed(&two, 7);
	rng_seed(&other, 8);
	for (int i = 0; i < 100; i++) {
		uint64_t bits = rng_bits(&one);

		assert_true(bits == rng_bits(&two));
		assert_true(bits != rng_bits(&other));
	}
}

static void the_first_bits_of_seed_zero_are_those_published(void **state)
{
	struct rng rng;

	(void)state;
	rng_seed(&rng, 0);
	assert_true(rng_bits(&rng) == 0xe220a8397b1dcdafu);
	assert_true(rng_bits(&rng) == 0x6e789e6aa1b965f4u);
	assert_true(rng_bits(&rng) == 0x06c45d188009454fu);
}

static void below_n_is_even_and_never_n(void **state)
{
	uint32_t counts[7] = {0}, upper = 0, n = 3u << 30;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 1);
	for (uint32_t i = 0; i < 70000; i++)
		counts[rng_below(&rng, 7)]++;
	for (uint32_t i = 0; i < 7; i++)
		assert_in_range(counts[i], 9550, 10450);
	/* A plain remainder of 32 bits would put half of them into the lowest third. */
	for (uint32_t i = 0; i < 30000; i++)
		upper += rng_below(&rng, n) >= n / 3;
	assert_true(simulate_at_least("above the lowest third", upper, 30000, 2.0 / 3));
	assert_true(simulate_at_most("above the lowest third", upper, 30000, 2.0 / 3));
	assert_int_equal(rng_below(&rng, 0), 0);
	assert_int_equal(rng_below(&rng, 1), 0);
}

static void the_unit_interval_is_half_open_and_even(void **state)
{
	struct rng rng;
	double sum = 0;

	(void)state;
	rng_seed(&rng, 2);
	for (int i = 0; i < 100000; i++) {
		double unit = rng_unit(&rng);

		assert_true(unit >= 0 && unit < 1);
		sum += unit;
	}
	assert_true(fabs(sum / 100000 - 0.5) < 0.005);
}

static void a_shuffle_is_a_permutation_and_all_are_equally_likely(void **state)
{
	uint32_t counts[6] = {0};
	struct rng rng;

	(void)state;
	rng_seed(&rng, 3);
	for (int i = 0; i < 60000; i++) {
		uint32_t items[3] = {0, 1, 2};

		rng_shuffle(&rng, items, 3);
		assert_int_equal((1u << items[0]) | (1u << items[1]) | (1u << items[2]), 7);
		counts[items[0] * 2 + (items[1] > items[2])]++;
	}
	for (uint32_t i = 0; i < 6; i++)
		assert_in_range(counts[i], 9550, 10450);
}

static void a_part_has_a_stream_of_its_own(void **state)
{
	struct rng rng, with, part;

	(void)state;
	rng_seed(&rng, 4);
	with = rng;
	rng_split(&with, &part);
	(void)rng_bits(&rng);
	for (int i = 0; i < 10; i++)
		(void)rng_bits(&part);
	assert_true(rng_bits(&rng) == rng_bits(&with));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_seed_gives_the_same_bits_and_another_seed_others),
		cmocka_unit_test(the_first_bits_of_seed_zero_are_those_published),
		cmocka_unit_test(below_n_is_even_and_never_n),
		cmocka_unit_test(the_unit_interval_is_half_open_and_even),
		cmocka_unit_test(a_shuffle_is_a_permutation_and_all_are_equally_likely),
		cmocka_unit_test(a_part_has_a_stream_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
