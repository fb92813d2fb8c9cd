#include "runner/processor.h"

#include "sandbox/base/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STAT_BYTES_MAX (1u << 20)
#define FIELDS 8 /* user nice system idle iowait irq softirq, and last steal: proc(5) */

int processor_pin(struct processor_pin *pin, int cpu, struct err *err)
{
	cpu_set_t set;

	*pin = (struct processor_pin){.is_pinned = false};
	if (cpu < 0)
		return 0;
	if (sched_getaffinity(0, sizeof(pin->before), &pin->before) < 0)
		return err_errno(err, ERR_OS, "processors");
	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		return err_errno(err, ERR_OS, "pin to processor %d", cpu);
	pin->is_pinned = true;
	return 0;
}

void processor_unpin(struct processor_pin *pin)
{
	/* What was allowed before is allowed now; a processor taken away since then only narrows
	 * it. */
	if (pin->is_pinned)
		(void)sched_setaffinity(0, sizeof(pin->before), &pin->before);
	pin->is_pinned = false;
}

/* Where the system does not say, the first processor stands for all. */
static void read_allowed(cpu_set_t *set)
{
	CPU_ZERO(set);
	if (sched_getaffinity(0, sizeof(*set), set) < 0 || CPU_COUNT(set) == 0)
		CPU_SET(0, set);
}

unsigned processor_count(void)
{
	cpu_set_t set;

	read_allowed(&set);
	return (unsigned)CPU_COUNT(&set);
}

int processor_nth(unsigned n)
{
	cpu_set_t set;
	int cpu = -1;

	read_allowed(&set);
	n %= (unsigned)CPU_COUNT(&set);
	for (unsigned seen = 0; seen <= n; seen += CPU_ISSET((size_t)cpu, &set) != 0)
		cpu++;
	return cpu;
}

void processor_parse_ticks(struct processor_ticks *ticks, const char *text, int cpu)
{
	const char *line;
	char name[32];

	*ticks = (struct processor_ticks){0, 0};
	if (cpu < 0)
		(void)snprintf(name, sizeof(name), "cpu  ");
	else
		(void)snprintf(name, sizeof(name), "cpu%d ", cpu);
	line = strstr(text, name);
	if (!line || (line > text && line[-1] != '\n'))
		return;
	line += strlen(name);
	for (int i = 0; i < FIELDS; i++) {
		char *end;

		ticks->stolen = strtoull(line, &end, 10);
		ticks->all += ticks->stolen;
		if (end == line) {
			*ticks = (struct processor_ticks){0, 0};
			return;
		}
		line = end;
	}
}

void processor_read_ticks(struct processor_ticks *ticks, int cpu)
{
	AUTO_BUF text = {.bytes_max = STAT_BYTES_MAX};
	struct err ignored;

	*ticks = (struct processor_ticks){0, 0};
	if (io_read_file(&text, "/proc/stat", &ignored) == 0)
		processor_parse_ticks(ticks, buf_text(&text), cpu);
}
