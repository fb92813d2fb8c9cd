#include "runner/schedule.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define COUNT 4

static struct schedule_item items[COUNT];

static void put(size_t index, uint32_t missing, double visit_s, bool together)
{
	items[index] = (struct schedule_item){
		.index = index, .missing = missing, .visit_s = visit_s, .together = together};
}

/* The indices that are chosen, as bits. */
static unsigned choose(double left_s, double overhead_s, uint32_t together_missing)
{
	const struct schedule_means means = {left_s, overhead_s, together_missing};
	unsigned bits = 0;

	schedule_choose(items, COUNT, &means);
	for (size_t i = 0; i < COUNT; i++)
		bits |= (unsigned)items[i].chosen << items[i].index;
	return bits;
}

static void four_open_ones(void)
{
	put(0, 30, 0.1, false); /* 3 s */
	put(1, 2, 0.1, false);  /* 0.2 s */
	put(2, 10, 0.1, false); /* 1 s */
	put(3, 1, 5, false);    /* 5 s: near in visits, far in time */
}

static void all_are_measured_while_the_time_suffices(void **state)
{
	(void)state;
	four_open_ones();
	assert_int_equal(choose(9.3, 0, 0), 0xf);
}

static void what_is_settled_is_left_alone(void **state)
{
	(void)state;
	four_open_ones();
	items[1].missing = 0;
	assert_int_equal(choose(100, 0, 0), 0xd);
}

static void the_nearest_come_first_when_time_is_short(void **state)
{
	(void)state;
	four_open_ones();
	assert_int_equal(choose(4.3, 0, 0), 0x7);
	four_open_ones();
	assert_int_equal(choose(1.3, 0, 0), 0x6);
	four_open_ones();
	assert_int_equal(choose(0.3, 0, 0), 0x2);
}

static void one_is_measured_however_little_is_left(void **state)
{
	(void)state;
	four_open_ones();
	assert_int_equal(choose(0.01, 0, 0), 0x2);
}

static void visits_cost_time_of_their_own(void **state)
{
	(void)state;
	four_open_ones();
	/* 2 visits for the nearest, 10 for the next: each a tenth of a second. */
	assert_int_equal(choose(1.3, 0.1, 0), 0x2);
	four_open_ones();
	assert_int_equal(choose(2.3, 0.1, 0), 0x6);
}

static void a_benchmark_of_unknown_cost_comes_along(void **state)
{
	(void)state;
	four_open_ones();
	items[0].visit_s = 0;
	assert_int_equal(choose(0.3, 0, 0), 0x3);
}

static void settled_ones_come_back_for_all_together(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT; i++)
		put(i, 0, 0.1, true);
	assert_int_equal(choose(3.3, 0, 8), 0xf);
	/* Nobody else wants the rest of the time. */
	assert_int_equal(choose(0.1, 0, 8), 0xf);
}

static void all_together_come_whole_or_not_at_all(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT; i++)
		put(i, i == 2 ? 20 : 0, 0.1, true);
	/* 20 visits of one and 8 of three others: 4.4 s. */
	assert_int_equal(choose(4.5, 0, 8), 0xf);
	for (size_t i = 0; i < COUNT; i++)
		put(i, i == 2 ? 20 : 0, 0.1, true);
	assert_int_equal(choose(4.3, 0, 8), 0x4);
}

static void equal_ones_keep_their_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT; i++)
		put(i, 5, 0.1, false);
	assert_int_equal(choose(1.1, 0, 0), 0x3);
	schedule_choose(items, 0, &(struct schedule_means){0, 0, 0});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_are_measured_while_the_time_suffices),
		cmocka_unit_test(what_is_settled_is_left_alone),
		cmocka_unit_test(the_nearest_come_first_when_time_is_short),
		cmocka_unit_test(one_is_measured_however_little_is_left),
		cmocka_unit_test(visits_cost_time_of_their_own),
		cmocka_unit_test(a_benchmark_of_unknown_cost_comes_along),
		cmocka_unit_test(settled_ones_come_back_for_all_together),
		cmocka_unit_test(all_together_come_whole_or_not_at_all),
		cmocka_unit_test(equal_ones_keep_their_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
