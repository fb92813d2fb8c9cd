/*
 * duel.h: benchmarks in C (C99 to C23) and C++ (C++11 on) for duel.
 *
 * Header-only, needs libc and nothing else. It turns a program into a worker (the protocol is in
 * PROTOCOL.md); started by hand the same program runs every benchmark once and prints what an
 * iteration costs. One source file of the program defines DUEL_MAIN before it includes this file,
 * ahead of all other includes, and gets main(). Example, a whole program:
 *
 *	#define DUEL_MAIN
 *	#include "duel.h"
 *	DUEL_BENCHMARK("sum: 1,000 numbers")
 *	{
 *		unsigned long sum = 0;
 *		for (unsigned long i = 0; i < 1000; i++)
 *			duel_keep(sum += i * i);
 *	}
 *
 * Benchmarks are listed in the order of the file, files in the order of the link. Names are unique
 * in the program, UTF-8 without control characters, at most 200 bytes. Put benchmarks into objects,
 * not into archives: a linker leaves out members of an archive that nobody asks for.
 *
 * A benchmark's block is one iteration. It is called through a function pointer, thousands of times
 * between two readings of the clock, so it must not change what the next iteration finds.
 */
#ifndef DUEL_H
#define DUEL_H

#if defined(DUEL_MAIN) && !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE 1 /* clock_gettime() under a strict -std=; the default elsewhere */
#endif

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Flag of a benchmark: never judge it by time, only by what can be counted exactly. */
#define DUEL_COUNTS_ONLY 1u

/* What the macros below fill in; `next` belongs to the harness. */
struct duel_benchmark {
	const char *name;
	void (*call)(void *state, long value);
	void *(*setup)(long value);
	void (*teardown)(void *state);
	const long *values; /* NULL: one benchmark, value 0 */
	size_t values_count;
	unsigned flags;
	struct duel_benchmark *next;
};

/* Called by the macros before main(); defined where DUEL_MAIN is. */
void duel_register(struct duel_benchmark *benchmark);

/*
 * What one iteration handles, for throughput in reports. Call them in the set-up function (or in
 * the block: the last call counts). 0 = not said. Example:
 *
 *	static void *make_text(long value)
 *	{
 *		char *text = (char *)calloc(1, (size_t)value + 1);
 *		duel_bytes((unsigned long long)value);
 *		return text;
 *	}
 */
void duel_bytes(unsigned long long bytes_per_iteration);
void duel_items(unsigned long long items_per_iteration);

/*
 * Report that the benchmark cannot be set up or has computed nonsense: the measurement ends with
 * this text (copied; NULL = "failed"; the first one counts). Returns to its caller. Example:
 *
 *	DUEL_BENCHMARK("parse: empty object")
 *	{
 *		if (strlen("{}") != 2)
 *			duel_error("the parser refused {}");
 *	}
 */
void duel_error(const char *text);

/*
 * Use a number or pointer in a way that the optimiser cannot see through: what went into it must
 * have been computed, and memory it may point to must have been written. Example:
 *
 *	DUEL_BENCHMARK("square root")
 *	{
 *		double square = 2.0;
 *		duel_keep(square);
 *		duel_keep(square * square);
 *	}
 */
#define duel_keep(value) __asm__ volatile("" : : "rm"(value) : "memory")

/*
 * DUEL_BENCHMARK(name) { block }
 * DUEL_BENCHMARK(name, flags) { block }
 *
 * A benchmark that needs nothing made beforehand. Example:
 *
 *	DUEL_BENCHMARK("client: round trip", DUEL_COUNTS_ONLY)
 *	{
 *		FILE *null = fopen("/dev/null", "r");
 *		if (null)
 *			fclose(null);
 *	}
 */
#define DUEL_BENCHMARK(...)                                             \
	DUEL_DEFINE_(__LINE__, (void), (), DUEL_FIRST_(__VA_ARGS__, 0), \
		DUEL_SECOND_(__VA_ARGS__, 0, 0), NULL, NULL, NULL, 0)

/*
 * DUEL_BENCHMARK_WITH(name, setup, teardown) { block }
 * DUEL_BENCHMARK_WITH(name, setup, teardown, flags) { block }
 *
 * `void *setup(long value)` makes what the block gets as `state`, outside of all measuring;
 * `void teardown(void *state)` ends it. Either may be NULL. `value` is 0 here. Example:
 *
 *	DUEL_BENCHMARK_WITH("strlen", make_text, free)
 *	{
 *		duel_keep(strlen((const char *)state));
 *	}
 */
#define DUEL_BENCHMARK_WITH(name, setup, ...)                          \
	DUEL_DEFINE_(__LINE__, DUEL_PARAMETERS_, (state, value), name, \
		DUEL_SECOND_(__VA_ARGS__, 0, 0), setup, DUEL_FIRST_(__VA_ARGS__, 0), NULL, 0)

/*
 * DUEL_BENCHMARK_FOR(name, (values), setup, teardown) { block }
 * DUEL_BENCHMARK_FOR(name, (values), setup, teardown, flags) { block }
 *
 * One benchmark for each value (of type long). "{}" in the name stands for the value; set-up and
 * block get it as `value`, the block its `state` as above. Example:
 *
 *	DUEL_BENCHMARK_FOR("clear: {} bytes", (64, 4096), make_text, free)
 *	{
 *		memset(state, 0, (size_t)value);
 *		duel_keep(state);
 *	}
 */
#define DUEL_BENCHMARK_FOR(name, list, setup, ...)                                   \
	static const long DUEL_JOIN_(duel_values_, __LINE__)[] = {DUEL_STRIP_ list}; \
	DUEL_DEFINE_(__LINE__, DUEL_PARAMETERS_, (state, value), name,               \
		DUEL_SECOND_(__VA_ARGS__, 0, 0), setup, DUEL_FIRST_(__VA_ARGS__, 0), \
		DUEL_JOIN_(duel_values_, __LINE__),                                  \
		sizeof(DUEL_JOIN_(duel_values_, __LINE__)) / sizeof(long))

/* Below here: how. Names that end in an underscore are nobody's business. */

#define DUEL_FIRST_(first, ...) first
#define DUEL_SECOND_(first, second, ...) second
#define DUEL_STRIP_(...) __VA_ARGS__
#define DUEL_PASTE_(left, right) left##right
#define DUEL_JOIN_(left, right) DUEL_PASTE_(left, right)
#define DUEL_PARAMETERS_ (void *state __attribute__((unused)), long value __attribute__((unused)))
#define DUEL_DEFINE_(id, parameters, arguments, name, flags, setup, teardown, values, count)    \
	static void DUEL_JOIN_(duel_block_, id) parameters;                                     \
	static void DUEL_JOIN_(duel_call_, id) DUEL_PARAMETERS_                                 \
	{                                                                                       \
		DUEL_JOIN_(duel_block_, id) arguments;                                          \
	}                                                                                       \
	static struct duel_benchmark DUEL_JOIN_(duel_benchmark_, id) = {                        \
		name, DUEL_JOIN_(duel_call_, id), setup, teardown, values, count, flags, NULL}; \
	__attribute__((constructor)) static void DUEL_JOIN_(duel_add_, id)(void)                \
	{                                                                                       \
		duel_register(&DUEL_JOIN_(duel_benchmark_, id));                                \
	}                                                                                       \
	static void DUEL_JOIN_(duel_block_, id) parameters

#ifdef __cplusplus
}
#endif

#ifdef DUEL_MAIN
#include "duel-worker.h"
#endif

#endif
