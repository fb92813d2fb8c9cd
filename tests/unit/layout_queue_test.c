#include "runner/layout_queue.h"

#include "sandbox/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define NUMBERS_MAX 64

/* Instead of a linker: what becomes of each number, and what is under way. */
static enum err_kind start_fails[NUMBERS_MAX], finish_fails[NUMBERS_MAX];
static int under_way, open_sets;
static struct layout_side sides[2];
static struct layout_queue queue;
static struct layout_set sets[2];
static struct err err;

int layout_link_start(
	struct layout_side *side, unsigned number, struct layout_set *set, struct err *error)
{
	assert_in_range(number, 0, NUMBERS_MAX - 1);
	*set = (struct layout_set){.number = number};
	if (side == &sides[1] && start_fails[number])
		return err_set(error, start_fails[number], "no start of %u", number);
	set->started = 1;
	under_way++;
	return 0;
}

int layout_link_finish(struct layout_side *side, struct layout_set *set, struct err *error)
{
	unsigned number = set->number;

	assert_int_equal(set->started, 1);
	under_way--;
	if (side == &sides[0] && finish_fails[number]) {
		*set = (struct layout_set){.made = 0};
		return err_set(error, finish_fails[number], "no end of %u", number);
	}
	set->made = 1;
	open_sets++;
	return 0;
}

void layout_set_release(struct layout_set *set)
{
	open_sets -= (int)set->made;
	memset(set, 0, sizeof(*set));
}

static int setup(void **state)
{
	(void)state;
	memset(start_fails, 0, sizeof(start_fails));
	memset(finish_fails, 0, sizeof(finish_fails));
	under_way = open_sets = 0;
	queue = (struct layout_queue){.sides = {&sides[0], &sides[1]}};
	return 0;
}

static void expect_next(unsigned number)
{
	if (layout_queue_take(&queue, 8, sets, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(sets[0].number, number);
	assert_int_equal(sets[1].number, number);
	layout_set_release(&sets[0]);
	layout_set_release(&sets[1]);
	assert_int_equal(under_way, 0);
}

static void expect_none_left_open(void)
{
	assert_int_equal(under_way, 0);
	layout_queue_release(&queue);
	assert_int_equal(open_sets, 0);
}

static void each_layout_is_handed_out_once_and_in_order(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 20; i++)
		expect_next(i);
	expect_none_left_open();
}

static void no_more_are_linked_than_are_wanted(void **state)
{
	static const unsigned wanted[] = {3, 1, 1, 0, 9, 100};
	static const unsigned made[] = {3, 3, 3, 5, 5, 13};

	(void)state;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		assert_int_equal(layout_queue_take(&queue, wanted[i], sets, &err), 0);
		assert_int_equal(sets[0].number, i);
		assert_int_equal(queue.made, made[i]);
		layout_set_release(&sets[0]);
		layout_set_release(&sets[1]);
	}
	expect_none_left_open();
}

static void an_unusable_layout_is_passed_over(void **state)
{
	(void)state;
	finish_fails[0] = ERR_BUILD;
	start_fails[3] = ERR_BENCH;
	finish_fails[5] = finish_fails[6] = ERR_LIMIT;
	expect_next(1);
	expect_next(2);
	expect_next(4);
	expect_next(7);
	expect_next(8);
	assert_int_equal(queue.failed, 4);
	expect_none_left_open();
}

static void three_in_a_row_end_it(void **state)
{
	(void)state;
	/* Across the border of two batches. */
	finish_fails[7] = finish_fails[8] = ERR_BUILD;
	start_fails[9] = ERR_BUILD;
	for (unsigned i = 0; i < 7; i++)
		expect_next(i);
	assert_int_equal(layout_queue_take(&queue, 8, sets, &err), -1);
	assert_int_equal(err.kind, ERR_BUILD);
	assert_string_equal(err.text, "3 layouts in a row could not be linked: no end of 8");
	expect_none_left_open();
}

static void an_error_of_the_machine_ends_it_at_once(void **state)
{
	(void)state;
	start_fails[2] = ERR_OS;
	finish_fails[1] = ERR_CONFINE;
	assert_int_equal(layout_queue_take(&queue, 8, sets, &err), -1);
	assert_int_equal(err.kind, ERR_OS);
	assert_string_equal(err.text, "no start of 2");
	expect_none_left_open();
	(void)setup(state);
	finish_fails[1] = ERR_CONFINE;
	assert_int_equal(layout_queue_take(&queue, 8, sets, &err), -1);
	assert_int_equal(err.kind, ERR_CONFINE);
	expect_none_left_open();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(each_layout_is_handed_out_once_and_in_order, setup),
		cmocka_unit_test_setup(no_more_are_linked_than_are_wanted, setup),
		cmocka_unit_test_setup(an_unusable_layout_is_passed_over, setup),
		cmocka_unit_test_setup(three_in_a_row_end_it, setup),
		cmocka_unit_test_setup(an_error_of_the_machine_ends_it_at_once, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
