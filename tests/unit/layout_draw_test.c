#include "runner/layout/draw.h"

#include "runner/layout/pads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include <cmocka.h>

#define SLOTS 7
#define WINDOW (DRAW_PHASES * (PADS_COARSE - 1))

static unsigned fine[200];

static struct draw draw(uint64_t seed, unsigned number, size_t slots)
{
	struct draw drawn = {.fine = fine, .slots = slots};

	draw_make(&drawn, seed, number);
	return drawn;
}

static void the_same_number_gives_the_same_draw(void **state)
{
	unsigned before[SLOTS];
	struct draw first = draw(5, 77, SLOTS);

	(void)state;
	memcpy(before, fine, sizeof(before));
	assert_int_equal(draw(5, 77, SLOTS).coarse, first.coarse);
	assert_memory_equal(before, fine, sizeof(before));
	(void)draw(6, 77, SLOTS);
	assert_true(memcmp(before, fine, sizeof(before)) != 0);
	(void)draw(5, 78, SLOTS);
	assert_true(memcmp(before, fine, sizeof(before)) != 0);
}

static void numbers_stay_in_range(void **state)
{
	(void)state;
	for (unsigned number = 0; number < 1000; number++) {
		struct draw drawn = draw(number, number * 7919, 200);

		assert_in_range(drawn.coarse, 1, PADS_COARSE - 1);
		for (size_t i = 0; i < drawn.slots; i++)
			assert_in_range(fine[i], 0, PADS_FINE - 1);
	}
	assert_in_range(draw(1, 4294967295u, 0).coarse, 1, PADS_COARSE - 1);
}

static void every_object_meets_every_phase_in_a_block_of_four(void **state)
{
	(void)state;
	for (unsigned block = 0; block < 100; block++) {
		unsigned met[SLOTS] = {0};

		for (unsigned i = 0; i < DRAW_PHASES; i++) {
			(void)draw(9, block * DRAW_PHASES + i, SLOTS);
			for (size_t slot = 0; slot < SLOTS; slot++)
				met[slot] |= 1u << fine[slot] % DRAW_PHASES;
		}
		for (size_t slot = 0; slot < SLOTS; slot++)
			assert_int_equal(met[slot], (1u << DRAW_PHASES) - 1);
	}
}

static void objects_do_not_meet_phases_in_step(void **state)
{
	unsigned together = 0;

	(void)state;
	for (unsigned block = 0; block < 400; block++) {
		(void)draw(11, block * DRAW_PHASES, 2);
		together += fine[0] % DRAW_PHASES == fine[1] % DRAW_PHASES;
	}
	/* 100 expected, standard deviation 8.7 */
	assert_in_range(together, 60, 140);
}

static void a_single_object_lies_elsewhere_in_each_of_64_links(void **state)
{
	unsigned seen[WINDOW];

	(void)state;
	for (unsigned number = 0; number < WINDOW; number++) {
		struct draw drawn = draw(3, number, 1);

		seen[number] = drawn.coarse * PADS_COARSE_BYTES + fine[0] * PADS_STEP;
		for (unsigned i = 0; i < number; i++)
			assert_int_not_equal(seen[i], seen[number]);
	}
}

static void the_trial_moves_everything(void **state)
{
	struct draw drawn = {.fine = fine, .slots = SLOTS};

	(void)state;
	draw_make_trial(&drawn);
	assert_int_not_equal(drawn.coarse, 0);
	for (size_t i = 0; i < SLOTS; i++)
		assert_int_not_equal(fine[i] % DRAW_PHASES, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_number_gives_the_same_draw),
		cmocka_unit_test(numbers_stay_in_range),
		cmocka_unit_test(every_object_meets_every_phase_in_a_block_of_four),
		cmocka_unit_test(objects_do_not_meet_phases_in_step),
		cmocka_unit_test(a_single_object_lies_elsewhere_in_each_of_64_links),
		cmocka_unit_test(the_trial_moves_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
