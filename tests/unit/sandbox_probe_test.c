#include "sandbox/probe.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <string.h>
#include <unistd.h>

static enum sandbox_property first_missing(enum sandbox_tier tier, int landlock_abi)
{
	static struct sandbox_machine machine;

	memset(&machine, 0, sizeof(machine));
	machine.tier = tier;
	machine.landlock_abi = landlock_abi;
	probe_providers(&machine);
	return probe_first_missing(&machine);
}

static void the_flat_tier_needs_landlock_with_signals(void **state)
{
	(void)state;
	assert_int_equal(first_missing(SANDBOX_TIER_FLAT, 0), SANDBOX_WRITES);
	assert_int_equal(first_missing(SANDBOX_TIER_FLAT, 2), SANDBOX_TRUNCATION);
	assert_int_equal(first_missing(SANDBOX_TIER_FLAT, 5), SANDBOX_SIGNALS);
	assert_int_equal(first_missing(SANDBOX_TIER_FLAT, 6), SANDBOX_PROPERTIES);
}

static void an_own_uid_still_needs_landlock_for_writes(void **state)
{
	(void)state;
	assert_int_equal(first_missing(SANDBOX_TIER_UID, 0), SANDBOX_WRITES);
	assert_int_equal(first_missing(SANDBOX_TIER_UID, 1), SANDBOX_PROPERTIES);
}

static void namespaces_need_no_landlock(void **state)
{
	(void)state;
	assert_int_equal(first_missing(SANDBOX_TIER_USERNS, 0), SANDBOX_PROPERTIES);
	assert_int_equal(first_missing(SANDBOX_TIER_ROOT, 0), SANDBOX_PROPERTIES);
}

static void refusing_provides_nothing_to_run_with(void **state)
{
	(void)state;
	assert_int_equal(first_missing(SANDBOX_TIER_REFUSE, 7), SANDBOX_SYSTEM_CALLS);
}

static void a_stronger_tier_lacks_nothing_a_weaker_one_has(void **state)
{
	static struct sandbox_machine weaker;
	static struct sandbox_machine stronger;
	static const enum sandbox_tier pairs[][2] = {{SANDBOX_TIER_FLAT, SANDBOX_TIER_UID},
		{SANDBOX_TIER_FLAT, SANDBOX_TIER_USERNS}, {SANDBOX_TIER_UID, SANDBOX_TIER_ROOT},
		{SANDBOX_TIER_USERNS, SANDBOX_TIER_ROOT}};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		for (int abi = 0; abi < 10; abi++) {
			weaker.tier = pairs[i][0];
			stronger.tier = pairs[i][1];
			weaker.landlock_abi = stronger.landlock_abi = abi;
			probe_providers(&weaker);
			probe_providers(&stronger);
			for (unsigned property = 0; property < SANDBOX_PROPERTIES; property++)
				if (weaker.provider[property][0] != '\0')
					assert_true(stronger.provider[property][0] != '\0');
		}
}

static void names_go_both_ways(void **state)
{
	(void)state;
	for (unsigned tier = SANDBOX_TIER_REFUSE; tier <= SANDBOX_TIER_AUTO; tier++)
		assert_int_equal(
			sandbox_tier_by_name(sandbox_tier_name((enum sandbox_tier)tier)), tier);
	assert_int_equal(sandbox_tier_by_name("none"), SANDBOX_TIER_UNKNOWN);
	for (unsigned property = 0; property < SANDBOX_PROPERTIES; property++)
		assert_non_null(sandbox_property_name((enum sandbox_property)property));
}

static void a_tier_for_another_user_is_refused_with_the_reason(void **state)
{
	static struct sandbox_machine machine;
	struct err err = {0};
	bool root = geteuid() == 0;

	(void)state;
	assert_int_equal(
		sandbox_probe(&machine, root ? SANDBOX_TIER_FLAT : SANDBOX_TIER_UID, &err), -1);
	assert_int_equal(err.kind, ERR_CONFINE);
	assert_int_equal(err_exit_status((enum err_kind)err.kind), 4);
	assert_string_equal(err.text,
		root ? "tier 'flat': is for ordinary users: commands would keep the uid of root"
		     : "tier 'uid': needs root");
}

static void a_refused_machine_runs_nothing(void **state)
{
	static struct sandbox_machine machine = {.tier = SANDBOX_TIER_REFUSE};
	static struct sandbox_cell cell;
	const struct sandbox_room room = {.profile = SANDBOX_RUN, .tree = "/usr"};
	struct err err = {0};

	(void)state;
	assert_int_equal(sandbox_open(&cell, &machine, &room, &err), -1);
	assert_string_equal(err.text, "this machine cannot confine: nothing is run");
}

static void the_strongest_tier_comes_with_filters_and_advice(void **state)
{
	static struct sandbox_machine machine;
	struct err err = {0};

	(void)state;
	if (sandbox_probe(&machine, SANDBOX_TIER_AUTO, &err) < 0) {
		print_message("# %s\n", err.text);
		skip();
	}
	assert_int_equal(probe_first_missing(&machine), SANDBOX_PROPERTIES);
	for (unsigned i = 0; i < SANDBOX_FILTERS; i++)
		assert_in_range(machine.filters[i].length, 10, SANDBOX_PROGRAM_MAX);
	assert_int_equal(machine.advice[0] == '\0', machine.tier == SANDBOX_TIER_ROOT);
	assert_int_equal(machine.without, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_flat_tier_needs_landlock_with_signals),
		cmocka_unit_test(an_own_uid_still_needs_landlock_for_writes),
		cmocka_unit_test(namespaces_need_no_landlock),
		cmocka_unit_test(refusing_provides_nothing_to_run_with),
		cmocka_unit_test(a_stronger_tier_lacks_nothing_a_weaker_one_has),
		cmocka_unit_test(names_go_both_ways),
		cmocka_unit_test(a_tier_for_another_user_is_refused_with_the_reason),
		cmocka_unit_test(a_refused_machine_runs_nothing),
		cmocka_unit_test(the_strongest_tier_comes_with_filters_and_advice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
