#include "runner/machine_facts.h"

#include "runner/processor.h"
#include "sandbox/base/io.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#define CPU_DIR "/sys/devices/system/cpu"

/* The first line of a small file; false where there is none. */
static bool read_line(const char *path, char *line, size_t line_bytes)
{
	AUTO_BUF contents = {0};
	struct err ignored;

	line[0] = '\0';
	buf_init(&contents, 4096);
	if (io_read_file(&contents, path, &ignored) < 0)
		return false;
	(void)text_copy(line, line_bytes, buf_text(&contents));
	line[strcspn(line, "\n")] = '\0';
	text_make_printable(line);
	return line[0] != '\0';
}

/* 1, 0, or -1 where the file does not say. */
static int read_switch(const char *path)
{
	char line[MACHINE_FACTS_TEXT];

	if (!read_line(path, line, sizeof(line)))
		return -1;
	return line[0] == '1' ? 1 : 0;
}

/* A field of /proc/cpuinfo: "name : value". */
static const char *find_field(const char *text, const char *name)
{
	const char *found = strstr(text, name);

	if (found == NULL)
		return NULL;
	found += strcspn(found, ":\n");
	return *found == ':' ? found + 1 + strspn(found + 1, " ") : NULL;
}

static void read_processor(struct machine_facts *facts)
{
	AUTO_BUF info = {0};
	struct err ignored;
	const char *model;
	const char *flags;

	buf_init(&info, 4u << 20);
	if (io_read_file(&info, "/proc/cpuinfo", &ignored) < 0)
		return;
	model = find_field(buf_text(&info), "model name");
	flags = find_field(buf_text(&info), "flags");
	if (model != NULL)
		(void)snprintf(facts->model, sizeof(facts->model), "%.*s",
			(int)strcspn(model, "\n"), model);
	text_make_printable(facts->model);
	if (flags != NULL) {
		const char *flag = strstr(flags, " hypervisor");

		facts->virtual_machine = flag != NULL && flag < flags + strcspn(flags, "\n");
	}
}

static void read_frequencies(struct machine_facts *facts)
{
	for (int cpu = 0; cpu < facts->processors; cpu++) {
		char path[128];
		char line[MACHINE_FACTS_TEXT];
		uint64_t khz;
		long mhz;

		(void)snprintf(path, sizeof(path), CPU_DIR "/cpu%d/cpufreq/scaling_cur_freq", cpu);
		if (!read_line(path, line, sizeof(line)) || !text_to_u64(line, UINT32_MAX, &khz))
			continue;
		mhz = (long)(khz / 1000);
		if (facts->frequency_mhz[0] == 0 || mhz < facts->frequency_mhz[0])
			facts->frequency_mhz[0] = mhz;
		if (mhz > facts->frequency_mhz[1])
			facts->frequency_mhz[1] = mhz;
	}
}

/* Two drivers, two files: acpi-cpufreq's says what is on, intel_pstate's what is off. */
static int read_boost(void)
{
	int off = read_switch(CPU_DIR "/intel_pstate/no_turbo");

	return off >= 0 ? 1 - off : read_switch(CPU_DIR "/cpufreq/boost");
}

static void read_load(struct machine_facts *facts)
{
	struct processor_ticks ticks;
	char line[MACHINE_FACTS_TEXT];

	facts->load_1min = -1;
	facts->stolen = -1;
	if (read_line("/proc/loadavg", line, sizeof(line))) {
		line[strcspn(line, " ")] = '\0';
		if (!text_to_double(line, &facts->load_1min))
			facts->load_1min = -1;
	}
	processor_read_ticks(&ticks, -1);
	if (ticks.all > 0)
		facts->stolen = (double)ticks.stolen / (double)ticks.all;
}

/* Whether instructions can be counted is found out by counting some. */
static void read_counters(struct machine_facts *facts)
{
	struct perf_event_attr event;
	AUTO_FD fd = -1;

	memset(&event, 0, sizeof(event));
	event.type = PERF_TYPE_HARDWARE;
	event.size = sizeof(event);
	event.config = PERF_COUNT_HW_INSTRUCTIONS;
	event.exclude_kernel = 1;
	event.exclude_hv = 1;
	fd = (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		(void)snprintf(facts->counters, sizeof(facts->counters), "%s", strerror(errno));
}

static void find_valgrind(struct machine_facts *facts)
{
	static const char *const places[] = {"/usr/bin/valgrind", "/usr/local/bin/valgrind"};

	for (size_t i = 0; i < ARRAY_LENGTH(places) && facts->valgrind[0] == '\0'; i++)
		if (access(places[i], X_OK) == 0)
			(void)text_copy(facts->valgrind, sizeof(facts->valgrind), places[i]);
}

void machine_facts_read(struct machine_facts *facts)
{
	struct utsname names;
	cpu_set_t usable;

	memset(facts, 0, sizeof(*facts));
	facts->processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
	if (sched_getaffinity(0, sizeof(usable), &usable) == 0)
		facts->processors_usable = CPU_COUNT(&usable);
	if (uname(&names) == 0)
		(void)text_copy(facts->kernel, sizeof(facts->kernel), names.release);
	(void)read_line(
		CPU_DIR "/cpu0/cpufreq/scaling_governor", facts->governor, sizeof(facts->governor));
	facts->threads_shared = read_switch(CPU_DIR "/smt/active");
	facts->boost = read_boost();
	read_processor(facts);
	read_frequencies(facts);
	read_load(facts);
	read_counters(facts);
	find_valgrind(facts);
}
