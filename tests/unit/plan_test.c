#include "runner/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void add(struct plan_listing *listing, const char *name, uint32_t id)
{
	struct err err = {0};

	assert_int_equal(plan_listing_add(listing, name, 0, id, false, &err), 0);
}

static void release(struct plan_listing listings[2])
{
	plan_listing_release(&listings[0]);
	plan_listing_release(&listings[1]);
}

static void names_on_both_sides_are_paired_whatever_their_order(void **state)
{
	struct plan_listing listings[2] = {0};
	struct err err = {0};
	struct plan plan;

	(void)state;
	add(&listings[0], "b", 0);
	add(&listings[0], "a", 1);
	add(&listings[1], "a", 0);
	add(&listings[1], "b", 1);
	assert_int_equal(plan_make(&plan, listings, NULL, &err), 0);
	assert_int_equal(plan.count, 2);
	assert_string_equal(plan.benchmarks[0].name, "a");
	assert_int_equal(plan.benchmarks[0].id[0], 1);
	assert_int_equal(plan.benchmarks[0].id[1], 0);
	assert_string_equal(plan.benchmarks[1].name, "b");
	plan_release(&plan);
	release(listings);
}

static void what_one_side_lacks_is_added_or_removed(void **state)
{
	struct plan_listing listings[2] = {0};
	struct err err = {0};
	struct plan plan;

	(void)state;
	add(&listings[0], "both", 0);
	add(&listings[0], "gone", 1);
	add(&listings[1], "new", 0);
	add(&listings[1], "both", 1);
	assert_int_equal(plan_make(&plan, listings, NULL, &err), 0);
	assert_int_equal(plan.count, 3);
	assert_int_equal(plan.benchmarks[0].source[SANDBOX_BASELINE], PLAN_ABSENT);
	assert_string_equal(plan.benchmarks[2].name, "gone");
	assert_int_equal(plan.benchmarks[2].source[SANDBOX_CANDIDATE], PLAN_ABSENT);
	plan_release(&plan);
	release(listings);
}

static void a_name_twice_on_a_side_is_refused(void **state)
{
	struct plan_listing listings[2] = {0};
	struct err err = {0};
	struct plan plan;

	(void)state;
	add(&listings[0], "x", 0);
	add(&listings[1], "x", 0);
	add(&listings[1], "x", 1);
	assert_int_equal(plan_make(&plan, listings, NULL, &err), -1);
	assert_string_equal(
		err.text, "candidate: two benchmarks are called 'x': give each a name of its own");
	release(listings);
}

static void a_pattern_that_matches_nothing_is_said(void **state)
{
	struct plan_listing listings[2] = {0};
	struct err err = {0};
	struct plan plan;

	(void)state;
	add(&listings[0], "x", 0);
	add(&listings[1], "x", 0);
	assert_int_equal(plan_make(&plan, listings, "y*", &err), -1);
	assert_string_equal(err.text, "no benchmark matches 'y*': see duel list");
	assert_int_equal(plan_make(&plan, listings, "?", &err), 0);
	assert_int_equal(plan.count, 1);
	plan_release(&plan);
	release(listings);
}

static void a_changed_counts_only_flag_is_noticed(void **state)
{
	struct plan_listing listings[2] = {0};
	struct err err = {0};
	struct plan plan;

	(void)state;
	add(&listings[0], "x", 0);
	assert_int_equal(plan_listing_add(&listings[1], "x", 0, 0, true, &err), 0);
	assert_int_equal(plan_make(&plan, listings, NULL, &err), 0);
	assert_true(plan.benchmarks[0].counts_only);
	assert_true(plan.benchmarks[0].counts_only_changed);
	plan_release(&plan);
	release(listings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_on_both_sides_are_paired_whatever_their_order),
		cmocka_unit_test(what_one_side_lacks_is_added_or_removed),
		cmocka_unit_test(a_name_twice_on_a_side_is_refused),
		cmocka_unit_test(a_pattern_that_matches_nothing_is_said),
		cmocka_unit_test(a_changed_counts_only_flag_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
