/*
 * The benchmarks of a worker: registered before main(), named, set up, measured.
 *
 * Included by duel-worker.h. All memory is static: the heap belongs to the benchmark, and both
 * versions must find it alike.
 */
#ifndef DUEL_CASES_H
#define DUEL_CASES_H

#ifndef DUEL_MAIN
#error "include duel.h, not duel-cases.h"
#endif

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef CLOCK_THREAD_CPUTIME_ID
#error "include duel.h ahead of all other includes where DUEL_MAIN is defined"
#endif

#define DUEL_COMMAND_BYTES_MAX 4096
#define DUEL_REPLY_BYTES_MAX 65536
#define DUEL_NAME_BYTES_MAX 200
#define DUEL_BENCHMARKS_MAX 4096
#define DUEL_SAMPLES_MAX 1024
#define DUEL_ITERATIONS_MAX 4294967295ul
#define DUEL_HEAP_BYTES_MAX 1048576ul
#define DUEL_TEXT_BYTES 300

struct duel_case_ {
	const struct duel_benchmark *benchmark;
	void *state;
	long value;
	unsigned long long items;
	unsigned long long bytes;
	clockid_t clock;
	int is_ready;
	char name[DUEL_NAME_BYTES_MAX + 1];
};

struct duel_sample_ {
	unsigned long long cpu_ns;
	unsigned long long wall_ns;
};

static struct {
	struct duel_benchmark *first;
	struct duel_benchmark *last;
	void *heap;              /* DUEL_HEAP's allocation, kept for ever */
	struct duel_case_ *open; /* whom duel_bytes() and duel_items() are about */
	size_t cases_count;
	int failed;
	int in_fd;
	int out_fd;
	size_t in_start; /* bytes of `in` already used up */
	size_t in_end;
	size_t out_length;
	char text[DUEL_TEXT_BYTES]; /* of the failure */
	char in[DUEL_COMMAND_BYTES_MAX];
	char out[DUEL_REPLY_BYTES_MAX];
	struct duel_sample_ samples[DUEL_SAMPLES_MAX];
	struct duel_case_ cases[DUEL_BENCHMARKS_MAX];
} duel_;

/* The earliest priority open to programs: ahead of every other allocation of the program's own. */
__attribute__((constructor(101))) static void duel_shift_heap_(void)
{
	const char *text = getenv("DUEL_HEAP");
	unsigned long bytes = text ? strtoul(text, NULL, 10) : 0;

	if (bytes > 0 && bytes <= DUEL_HEAP_BYTES_MAX)
		duel_.heap = malloc(bytes);
}

void duel_register(struct duel_benchmark *benchmark)
{
	if (duel_.last)
		duel_.last->next = benchmark;
	else
		duel_.first = benchmark;
	duel_.last = benchmark;
}

void duel_bytes(unsigned long long bytes_per_iteration)
{
	if (duel_.open)
		duel_.open->bytes = bytes_per_iteration;
}

void duel_items(unsigned long long items_per_iteration)
{
	if (duel_.open)
		duel_.open->items = items_per_iteration;
}

/* Note the first failure; control characters would break the line it is sent in. */
void duel_error(const char *text)
{
	size_t i;

	if (duel_.failed)
		return;
	duel_.failed = 1;
	snprintf(duel_.text, sizeof(duel_.text), "%s", text ? text : "failed");
	for (i = 0; duel_.text[i]; i++) {
		if ((unsigned char)duel_.text[i] < 0x20 || duel_.text[i] == 0x7f)
			duel_.text[i] = ' ';
	}
}

static void duel_error_about_(const char *what, const char *about)
{
	char text[DUEL_TEXT_BYTES];

	snprintf(text, sizeof(text), "%s%.250s", what, about);
	duel_error(text);
}

/* Write the name with "{}" replaced by the value. Returns 0, or -1 with the failure noted. */
static int duel_name_case_(struct duel_case_ *it)
{
	const char *name = it->benchmark->name;
	const char *hole = it->benchmark->values ? strstr(name, "{}") : NULL;
	int length;
	int i;

	if (hole)
		length = snprintf(it->name, sizeof(it->name), "%.*s%ld%s", (int)(hole - name), name,
			it->value, hole + 2);
	else
		length = snprintf(it->name, sizeof(it->name), "%s", name);
	for (i = 0; i < length && i < DUEL_NAME_BYTES_MAX; i++) {
		if ((unsigned char)it->name[i] < 0x20 || it->name[i] == 0x7f)
			duel_error_about_("a benchmark's name holds a control character: ", name);
	}
	if (length <= 0 || length > DUEL_NAME_BYTES_MAX)
		duel_error_about_("a benchmark's name must have 1 to 200 bytes: ", name);
	for (i = 0; i < (int)duel_.cases_count; i++) {
		if (strcmp(duel_.cases[i].name, it->name) == 0)
			duel_error_about_("two benchmarks have the same name: ", it->name);
	}
	return duel_.failed ? -1 : 0;
}

/* Turn what was registered into the list. Returns 0, or -1 with the failure noted. */
static int duel_make_cases_(void)
{
	const struct duel_benchmark *from;
	struct duel_case_ *it;
	size_t i;
	size_t count;

	for (from = duel_.first; from; from = from->next) {
		count = from->values ? from->values_count : 1;
		for (i = 0; i < count; i++) {
			if (duel_.cases_count == DUEL_BENCHMARKS_MAX) {
				duel_error("a worker holds at most 4096 benchmarks");
				return -1;
			}
			it = &duel_.cases[duel_.cases_count];
			it->benchmark = from;
			it->value = from->values ? from->values[i] : 0;
			it->clock = CLOCK_THREAD_CPUTIME_ID;
			if (duel_name_case_(it) != 0)
				return -1;
			duel_.cases_count++;
		}
	}
	return 0;
}

static void duel_set_up_(struct duel_case_ *it)
{
	duel_.failed = 0;
	duel_.open = it;
	it->state = it->benchmark->setup ? it->benchmark->setup(it->value) : NULL;
	it->is_ready = !duel_.failed;
}

static void duel_tear_down_(struct duel_case_ *it)
{
	duel_.failed = 0;
	duel_.open = it;
	it->is_ready = 0;
	if (it->benchmark->teardown)
		it->benchmark->teardown(it->state);
}

static unsigned long long duel_clock_ns_(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (unsigned long long)now.tv_sec * 1000000000ull + (unsigned long long)now.tv_nsec;
}

/* Not inlined: the loop's code is the same wherever it is called from. */
__attribute__((noinline)) static void duel_loop_(
	const struct duel_case_ *it, unsigned long iterations)
{
	void (*call)(void *state, long value) = it->benchmark->call;
	void *state = it->state;
	long value = it->value;

	for (; iterations > 0; iterations--)
		call(state, value);
}

/* The CPU clock is read innermost: its readings mark the region for tools that count. */
static struct duel_sample_ duel_measure_(const struct duel_case_ *it, unsigned long iterations)
{
	unsigned long long wall_ns = duel_clock_ns_(CLOCK_MONOTONIC);
	unsigned long long cpu_ns = duel_clock_ns_(it->clock);
	struct duel_sample_ sample;

	duel_loop_(it, iterations);
	sample.cpu_ns = duel_clock_ns_(it->clock) - cpu_ns;
	sample.wall_ns = duel_clock_ns_(CLOCK_MONOTONIC) - wall_ns;
	return sample;
}

static void duel_burst_(const struct duel_case_ *it, unsigned long iterations, size_t samples)
{
	size_t i;

	for (i = 0; i < samples && !duel_.failed; i++)
		duel_.samples[i] = duel_measure_(it, iterations);
}

/* The burst's CPU time by this thread's clock, *process_ns by the process's. */
static unsigned long long duel_timed_burst_(const struct duel_case_ *it, unsigned long iterations,
	size_t samples, unsigned long long *process_ns)
{
	unsigned long long before_ns = duel_clock_ns_(CLOCK_PROCESS_CPUTIME_ID);
	unsigned long long thread_ns = duel_clock_ns_(CLOCK_THREAD_CPUTIME_ID);

	duel_burst_(it, iterations, samples);
	thread_ns = duel_clock_ns_(CLOCK_THREAD_CPUTIME_ID) - thread_ns;
	*process_ns = duel_clock_ns_(CLOCK_PROCESS_CPUTIME_ID) - before_ns;
	return thread_ns;
}

/* By the process's clock a burst cannot be shorter than by the thread's, unless the kernel keeps
 * that clock only up to its last tick: it does while a limit on CPU time or a profiling timer is
 * set. */
static int duel_is_late_(size_t samples, unsigned long long thread_ns)
{
	unsigned long long sum_ns = 0;
	size_t i;

	for (i = 0; i < samples; i++)
		sum_ns += duel_.samples[i].cpu_ns;
	return sum_ns + thread_ns / 50 + 20000 < thread_ns;
}

/*
 * Take the samples. Where the process's clock ran clearly ahead of this thread's, other threads do
 * the work: that benchmark is measured by the process's clock from now on, and again at once.
 */
static void duel_run_(struct duel_case_ *it, unsigned long iterations, size_t samples)
{
	unsigned long long process_ns;
	unsigned long long thread_ns;

	duel_.failed = 0;
	duel_.open = it;
	thread_ns = duel_timed_burst_(it, iterations, samples, &process_ns);
	if (it->clock == CLOCK_THREAD_CPUTIME_ID &&
		process_ns > thread_ns + thread_ns / 50 + 20000) {
		it->clock = CLOCK_PROCESS_CPUTIME_ID;
		thread_ns = duel_timed_burst_(it, iterations, samples, &process_ns);
	}
	if (it->clock == CLOCK_PROCESS_CPUTIME_ID && duel_is_late_(samples, thread_ns)) {
		it->clock = CLOCK_THREAD_CPUTIME_ID;
		duel_burst_(it, iterations, samples);
	}
}

/* What a sample of no work reads: the smallest of many, so that subtracting never overshoots. */
static unsigned long long duel_overhead_ns_(void)
{
	struct duel_case_ nothing = duel_.cases[0];
	unsigned long long smallest = ~0ull;
	struct duel_sample_ sample;
	static const struct duel_benchmark none = {"", NULL, NULL, NULL, NULL, 0, 0, NULL};
	int i;

	nothing.benchmark = &none;
	nothing.clock = CLOCK_THREAD_CPUTIME_ID;
	for (i = 0; i < 100; i++) {
		sample = duel_measure_(&nothing, 0);
		if (sample.cpu_ns < smallest)
			smallest = sample.cpu_ns;
	}
	return smallest;
}

#endif
