#include "runner/processor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static cpu_set_t before;

static int setup(void **state)
{
	(void)state;
	return sched_getaffinity(0, sizeof(before), &before);
}

static int teardown(void **state)
{
	(void)state;
	return sched_setaffinity(0, sizeof(before), &before);
}

static int last_allowed(void)
{
	int cpu = CPU_SETSIZE - 1;

	while (!CPU_ISSET((size_t)cpu, &before))
		cpu--;
	return cpu;
}

static void every_allowed_processor_is_one_of_them_once(void **state)
{
	cpu_set_t seen;

	(void)state;
	CPU_ZERO(&seen);
	for (unsigned n = 0; n < processor_count(); n++)
		CPU_SET((size_t)processor_nth(n), &seen);
	assert_true(CPU_EQUAL(&seen, &before));
	assert_int_equal(processor_nth(processor_count()), processor_nth(0));
}

static void a_process_held_to_one_processor_gets_that_one(void **state)
{
	struct processor_pin pin;
	int last = last_allowed();
	struct err err = {0};

	(void)state;
	assert_int_equal(processor_pin(&pin, last, &err), 0);
	assert_int_equal(processor_count(), 1);
	assert_int_equal(processor_nth(0), last);
	assert_int_equal(processor_nth(7), last);
	processor_unpin(&pin);
	assert_int_equal(processor_count(), CPU_COUNT(&before));
}

static void a_processor_that_is_not_there_cannot_be_had(void **state)
{
	struct processor_pin pin;
	struct err err = {0};

	(void)state;
	assert_int_equal(processor_pin(&pin, CPU_SETSIZE - 1, &err), -1);
	assert_int_equal(err.kind, ERR_OS);
	processor_unpin(&pin);
	assert_int_equal(processor_count(), CPU_COUNT(&before));
}

static void ticks_are_those_of_the_processor_asked_for(void **state)
{
	static const char text[] = "cpu  10 20 30 40 50 60 70 80 0 0\n"
				   "cpu1 1 1 1 1 1 1 1 3 0 0\n"
				   "cpu11 2 2 2 2 2 2 2 6 0 0\nintr 5\n";
	struct processor_ticks ticks;

	(void)state;
	processor_parse_ticks(&ticks, text, -1);
	assert_int_equal(ticks.stolen, 80);
	assert_int_equal(ticks.all, 360);
	processor_parse_ticks(&ticks, text, 11);
	assert_int_equal(ticks.stolen, 6);
	assert_int_equal(ticks.all, 20);
	processor_parse_ticks(&ticks, text, 2);
	assert_int_equal(ticks.all, 0);
	processor_parse_ticks(&ticks, "cpu  10 20 x", -1);
	assert_int_equal(ticks.all, 0);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(every_allowed_processor_is_one_of_them_once),
		CASE(a_process_held_to_one_processor_gets_that_one),
		CASE(a_processor_that_is_not_there_cannot_be_had),
		CASE(ticks_are_those_of_the_processor_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
