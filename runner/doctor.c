#include "runner/doctor.h"

#include "runner/machine_facts.h"
#include "sandbox/sandbox.h"

#include <stdlib.h>
#include <string.h>

#define ROW "  %-20s %s\n"
#define CURE "  %-20s -> %s\n"

/* What mends a property that is missing; what has no own cure comes with a stronger tier. */
static const char *const cures[SANDBOX_PROPERTIES] = {
	[SANDBOX_OWN_UID] = "run as root (sudo -n): each version then has a uid of its own",
	[SANDBOX_HIDDEN_PROCESSES] =
		"a tier with namespaces; until then command lines of other processes can be read",
	[SANDBOX_PRIVATE_TMP] =
		"a tier with namespaces; until then $TMPDIR is the scratch, and /tmp is closed",
	[SANDBOX_PRIVATE_LOOPBACK] =
		"a tier with namespaces; until then benchmarks that need it cannot run",
	[SANDBOX_FILE_METADATA] =
		"as root or with namespaces; else modes and times of your files are open",
	[SANDBOX_MEMORY_LIMIT] =
		"as root, on a machine whose cgroup v2 has the memory and pids controllers",
	[SANDBOX_PROCESS_LIMIT] = "run as root, or allow user namespaces",
	[SANDBOX_DEVICE_IOCTL] = "a kernel of 6.10 or newer",
};

void doctor_print_confinement(FILE *out, const struct sandbox_machine *machine)
{
	(void)fprintf(out, "confinement\n" ROW, "tier", sandbox_tier_name(machine->tier));
	if (machine->advice[0] != '\0')
		(void)fprintf(out, CURE, "", machine->advice);
	if (machine->landlock_abi > 0)
		(void)fprintf(out, "  %-20s ABI %d\n", "landlock", machine->landlock_abi);
	else
		(void)fprintf(out, ROW CURE, "landlock", "missing", "",
			"a kernel with it among the security modules (lsm=landlock,...)");
	for (unsigned i = 0; i < SANDBOX_PROPERTIES; i++) {
		const char *provider = machine->provider[i];
		const char *name = sandbox_property_name((enum sandbox_property)i);

		(void)fprintf(out, ROW, name, provider[0] == '\0' ? "missing" : provider);
		if (provider[0] == '\0' && cures[i] != NULL)
			(void)fprintf(out, CURE, "", cures[i]);
	}
}

static void print_counters(FILE *out, const struct machine_facts *facts)
{
	(void)fprintf(out, "counts\n");
	if (facts->valgrind[0] != '\0')
		(void)fprintf(out, ROW, "valgrind", facts->valgrind);
	else
		(void)fprintf(out, ROW CURE, "valgrind", "missing", "",
			"install it: exact counts of instructions and allocations need it");
	if (facts->counters[0] == '\0') {
		(void)fprintf(out, ROW, "instruction counter", "the processor's");
		return;
	}
	(void)fprintf(out, "  %-20s missing: %s\n", "instruction counter", facts->counters);
	(void)fprintf(out, CURE, "",
		facts->virtual_machine
			? "the host does not show it; exact counts come from valgrind"
			: "sysctl kernel.perf_event_paranoid=2");
}

static void print_processors(FILE *out, const struct machine_facts *facts)
{
	(void)fprintf(out, "  %-20s %d", "processors", facts->processors);
	if (facts->processors_usable > 0 && facts->processors_usable != facts->processors)
		(void)fprintf(out, ", %d for us", facts->processors_usable);
	if (facts->model[0] != '\0')
		(void)fprintf(out, ", %s", facts->model);
	(void)fputc('\n', out);
	if (facts->processors_usable == 1 || facts->processors == 1)
		(void)fprintf(out, CURE, "",
			"with a second processor the rest of the machine runs beside the "
			"benchmark");
	if (facts->threads_shared >= 0)
		(void)fprintf(out, ROW, "hardware threads",
			facts->threads_shared > 0 ? "processors share cores" : "one a core");
	if (facts->threads_shared > 0)
		(void)fprintf(out, CURE, "",
			"echo off >"
			"/sys/devices/system/cpu/smt/control steadies timings");
}

static void print_frequency(FILE *out, const struct machine_facts *facts)
{
	if (facts->frequency_mhz[1] > 0)
		(void)fprintf(out, "  %-20s %ld to %ld MHz now\n", "frequency",
			facts->frequency_mhz[0], facts->frequency_mhz[1]);
	(void)fprintf(out, ROW, "frequency governor",
		facts->governor[0] == '\0' ? "not shown here" : facts->governor);
	if (facts->governor[0] != '\0' && strcmp(facts->governor, "performance") != 0)
		(void)fprintf(out, CURE, "", "cpupower frequency-set -g performance");
	if (facts->boost > 0)
		(void)fprintf(out, ROW CURE, "frequency boost", "on", "",
			"off, the speed depends less on what the other cores do");
}

void doctor_print_machine(FILE *out, const struct machine_facts *facts)
{
	print_counters(out, facts);
	(void)fprintf(out, "noise\n");
	(void)fprintf(out, ROW, "kernel", facts->kernel);
	print_processors(out, facts);
	print_frequency(out, facts);
	(void)fprintf(out, ROW, "virtual machine", facts->virtual_machine ? "yes" : "no");
	if (facts->load_1min >= 0)
		(void)fprintf(out, "  %-20s %.2f\n", "load average", facts->load_1min);
	if (facts->load_1min > facts->processors / 2.0)
		(void)fprintf(out, CURE, "", "the machine is busy: results settle later, or not");
	if (facts->stolen >= 0)
		(void)fprintf(out, "  %-20s %.2f %% of the time since boot\n", "stolen by the host",
			100 * facts->stolen);
	if (facts->stolen > 0.01)
		(void)fprintf(out, CURE, "", "other machines on this host are busy");
}

int doctor_print(FILE *out, struct err *err)
{
	struct sandbox_machine *machine = calloc(1, sizeof(*machine));
	struct machine_facts facts;
	int result;

	if (machine == NULL)
		return err_set(err, ERR_OS, "out of memory");
	result = sandbox_probe(machine, SANDBOX_TIER_AUTO, err);
	machine_facts_read(&facts);
	doctor_print_confinement(out, machine);
	if (result < 0)
		(void)fprintf(out, CURE, "", err->text);
	doctor_print_machine(out, &facts);
	free(machine);
	return result;
}
