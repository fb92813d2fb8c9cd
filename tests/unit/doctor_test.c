#include "runner/doctor.h"

#include "runner/machine_facts.h"
#include "sandbox/probe.h"
#include "sandbox/sandbox.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

struct printed {
	char *text;
	size_t length;
	FILE *out;
};

static void begin(struct printed *printed)
{
	printed->out = open_memstream(&printed->text, &printed->length);
	assert_non_null(printed->out);
}

static void assert_says(struct printed *printed, const char *const *sentences)
{
	assert_int_equal(fflush(printed->out), 0);
	for (; *sentences; sentences++)
		if (!strstr(printed->text, *sentences))
			fail_msg("'%s' is not in:\n%s", *sentences, printed->text);
}

static void end(struct printed *printed)
{
	(void)fclose(printed->out);
	free(printed->text);
}

static void what_is_missing_comes_with_its_cure(void **state)
{
	static struct sandbox_machine machine = {.tier = SANDBOX_TIER_FLAT, .landlock_abi = 6};
	const char *const sentences[] = {"tier                 flat\n",
		"signals              landlock\n", "own uid              missing\n",
		"-> run as root (sudo -n)", "memory limit         missing\n",
		"private loopback     missing\n", NULL};
	struct printed printed;

	(void)state;
	probe_providers(&machine);
	begin(&printed);
	doctor_print_confinement(printed.out, &machine);
	assert_says(&printed, sentences);
	end(&printed);
}

static void a_full_machine_needs_no_cure(void **state)
{
	static struct sandbox_machine machine = {
		.tier = SANDBOX_TIER_ROOT, .landlock_abi = 7, .cgroup = true};
	struct printed printed;

	(void)state;
	probe_providers(&machine);
	begin(&printed);
	doctor_print_confinement(printed.out, &machine);
	assert_int_equal(fflush(printed.out), 0);
	assert_null(strstr(printed.text, "missing"));
	assert_null(strstr(printed.text, "->"));
	end(&printed);
}

static void each_noise_is_told(void **state)
{
	const struct machine_facts facts = {
		.processors = 4,
		.processors_usable = 2,
		.model = "Test 9000",
		.governor = "powersave",
		.frequency_mhz = {800, 3200},
		.threads_shared = 1,
		.boost = 1,
		.virtual_machine = true,
		.load_1min = 3.5,
		.stolen = 0.05,
		.counters = "No such file or directory",
	};
	const char *const sentences[] = {"processors           4, 2 for us, Test 9000\n",
		"processors share cores\n", "800 to 3200 MHz now\n", "powersave\n",
		"cpupower frequency-set", "frequency boost      on\n", "virtual machine      yes\n",
		"load average         3.50\n", "the machine is busy", "5.00 % of the time",
		"valgrind             missing\n", "exact counts come from valgrind", NULL};
	struct printed printed;

	(void)state;
	begin(&printed);
	doctor_print_machine(printed.out, &facts);
	assert_says(&printed, sentences);
	end(&printed);
}

static void unknown_facts_are_left_out(void **state)
{
	const struct machine_facts facts = {.processors = 2,
		.threads_shared = -1,
		.boost = -1,
		.load_1min = -1,
		.stolen = -1,
		.valgrind = "/usr/bin/valgrind"};
	struct printed printed;

	(void)state;
	begin(&printed);
	doctor_print_machine(printed.out, &facts);
	assert_int_equal(fflush(printed.out), 0);
	assert_null(strstr(printed.text, "load average"));
	assert_null(strstr(printed.text, "hardware threads"));
	assert_null(strstr(printed.text, "boost"));
	assert_null(strstr(printed.text, "stolen"));
	assert_null(strstr(printed.text, "->"));
	end(&printed);
}

static void this_machine_has_a_processor_and_a_kernel(void **state)
{
	struct machine_facts facts;

	(void)state;
	machine_facts_read(&facts);
	assert_in_range(facts.processors, 1, 4096);
	assert_in_range(facts.processors_usable, 1, facts.processors);
	assert_true(facts.kernel[0] != '\0');
	assert_true(facts.stolen < 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_missing_comes_with_its_cure),
		cmocka_unit_test(a_full_machine_needs_no_cure),
		cmocka_unit_test(each_noise_is_told),
		cmocka_unit_test(unknown_facts_are_left_out),
		cmocka_unit_test(this_machine_has_a_processor_and_a_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
