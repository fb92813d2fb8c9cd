#include "runner/layout/draw.h"

#include "runner/layout/pads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SLOTS 7
#define WINDOW (DRAW_PHASES * (PADS_COARSE - 1))

#define SLOTS_MAX 200

static unsigned fine[SLOTS_MAX];
static uint64_t keys[SLOTS_MAX];

/* Of the objects 0.o, 1.o, 2.o ... */
static struct draw draw(uint64_t seed, unsigned number, size_t slots)
{
	struct draw drawn = {.keys = keys, .fine = fine, .slots = slots};
	char path[16];

	for (size_t i = 0; i < slots; i++) {
		(void)snprintf(path, sizeof(path), "%zu.o", i);
		keys[i] = draw_key(path);
	}

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
		struct draw drawn = draw(number, number * 7919, SLOTS_MAX);

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

static void an_object_is_drawn_alike_whatever_stands_around_it(void **state)
{
	static const char *const one[] = {"/tree/build/a.o", "/tree/build/b.o", "c.o"};
	static const char *const other[] = {"c.o", "new.o", "/copy/build/b.o", "build/a.o"};
	uint64_t one_keys[3], other_keys[4];
	unsigned one_fine[3], other_fine[4];
	struct draw left = {.keys = one_keys, .fine = one_fine, .slots = 3};
	struct draw right = {.keys = other_keys, .fine = other_fine, .slots = 4};

	(void)state;
	for (size_t i = 0; i < 3; i++)
		one_keys[i] = draw_key(one[i]);
	for (size_t i = 0; i < 4; i++)
		other_keys[i] = draw_key(other[i]);
	for (unsigned number = 0; number < 100; number++) {
		draw_make(&left, 5, number);
		draw_make(&right, 5, number);
		assert_int_equal(left.coarse, right.coarse);
		assert_int_equal(one_fine[0], other_fine[3]);
		assert_int_equal(one_fine[1], other_fine[2]);
		assert_int_equal(one_fine[2], other_fine[0]);
	}
}

static void a_key_is_of_the_file_and_its_folder(void **state)
{
	(void)state;
	assert_true(draw_key("/x/a/b.o") == draw_key("a/b.o"));
	assert_true(draw_key("/b.o") == draw_key("/b.o"));
	assert_true(draw_key("a/b.o") != draw_key("c/b.o"));
	assert_true(draw_key("a/b.o") != draw_key("a/c.o"));
	assert_true(draw_key("b.o") != draw_key(""));
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
		cmocka_unit_test(an_object_is_drawn_alike_whatever_stands_around_it),
		cmocka_unit_test(a_key_is_of_the_file_and_its_folder),
		cmocka_unit_test(the_trial_moves_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
