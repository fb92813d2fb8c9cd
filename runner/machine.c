#include "runner/machine.h"

#include "sandbox/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* "model name : X" of /proc/cpuinfo; arm64 kernels print no such line. */
static void cpu_model(char *model, size_t model_bytes)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[512];

	(void)text_copy(model, model_bytes, "unknown");
	while (file && fgets(line, sizeof(line), file)) {
		char *value = strstr(line, ": ");

		if (strncmp(line, "model name", 10) != 0 || !value)
			continue;
		value[strcspn(value, "\n")] = '\0';
		(void)text_copy(model, model_bytes, value + 2);
		break;
	}
	if (file)
		(void)fclose(file);
}

int machine_describe(struct report_machine *machine, struct err *err)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	struct utsname name;
	char model[200];

	cpu_model(model, sizeof(model));
	if (uname(&name) < 0)
		return err_errno(err, ERR_OS, "uname");
	machine->cores = cores > 0 ? (uint32_t)cores : 1;
	machine->load_start = machine_load();
	if (report_set(&machine->cpu, model, SCHEMA_NAME_BYTES_MAX, err) < 0)
		return -1;
	return report_set(&machine->kernel, name.release, SCHEMA_NAME_BYTES_MAX, err);
}

/* First line of /proc/stat: user nice system idle iowait irq softirq steal (proc(5)). */
struct machine_ticks machine_ticks(void)
{
	struct machine_ticks ticks = {0, 0};
	FILE *file = fopen("/proc/stat", "re");
	char line[512];
	char *next;

	if (!file)
		return ticks;
	if (fgets(line, sizeof(line), file) && strncmp(line, "cpu ", 4) == 0) {
		next = line + 4;
		for (int field = 0; field < 8; field++) {
			uint64_t value = strtoull(next, &next, 10);

			ticks.total += value;
			if (field == 7)
				ticks.stolen = value;
		}
	}
	(void)fclose(file);
	return ticks;
}

double machine_load(void)
{
	double load;

	return getloadavg(&load, 1) == 1 ? load : 0;
}
