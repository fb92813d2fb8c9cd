#include "runner/worker_lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct err err;

#define NOT_PROTOCOL "does not speak the worker protocol: expected "

static int hello(const char *line, struct worker_hello *out)
{
	memset(&err, 0, sizeof(err));
	return worker_lines_hello(line, strlen(line), out, &err);
}

static int benchmark(const char *line, size_t id, struct worker_benchmark *out)
{
	memset(&err, 0, sizeof(err));
	return worker_lines_benchmark(line, strlen(line), id, out, &err);
}

static int samples(const char *line, size_t id, size_t count, struct worker_sample *out)
{
	memset(&err, 0, sizeof(err));
	return worker_lines_samples(line, strlen(line), id, count, out, &err);
}

static void a_hello_names_clock_and_overhead(void **state)
{
	struct worker_hello out;

	(void)state;
	assert_int_equal(hello("duel 1 thread 1252", &out), 0);
	assert_int_equal(out.clock, WORKER_CLOCK_THREAD);
	assert_int_equal(out.overhead_ns, 1252);
	assert_int_equal(hello("duel 1 process 0", &out), 0);
	assert_int_equal(out.clock, WORKER_CLOCK_PROCESS);
}

static void a_bad_hello_is_quoted(void **state)
{
	static const char *const bad[] = {"", "duel", "duel 1", "duel 1 thread", "duel 1 thread ",
		"duel 1 thread -1", "duel 1 thread 1 ", "duel 1 thread 1 2", "duel 1 cycles 1",
		"duel x thread 1", "duel 1  thread 1", " duel 1 thread 1",
		"duel 1 thread 99999999999999999999999999"};
	struct worker_hello out;

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
		assert_int_equal(hello(bad[i], &out), -1);
		assert_int_equal(err.kind, ERR_BENCH);
	}
	assert_int_equal(hello("Hello, world\x1b[2J", &out), -1);
	assert_string_equal(err.text,
		NOT_PROTOCOL "\"duel 1 thread|process OVERHEAD_NS\", got \"Hello, world?[2J\"");
}

static void another_version_of_the_protocol_is_named(void **state)
{
	struct worker_hello out;

	(void)state;
	assert_int_equal(hello("duel 2 whatever", &out), -1);
	assert_string_equal(
		err.text, "speaks version 2 of the worker protocol; this duel knows version 1");
}

static void a_zero_byte_hides_nothing(void **state)
{
	static const char line[] = "duel 1 thread 5\0 6";
	struct worker_hello out;

	(void)state;
	assert_int_equal(worker_lines_hello(line, sizeof(line) - 1, &out, &err), -1);
	assert_null(worker_lines_error("error x\0y", 9));
}

static void a_benchmark_line_has_id_flags_and_name(void **state)
{
	struct worker_benchmark out;

	(void)state;
	assert_int_equal(benchmark("benchmark 0 - parse: small  file", 0, &out), 0);
	assert_string_equal(out.name, "parse: small  file");
	assert_false(out.counts_only);
	assert_int_equal(
		benchmark("benchmark 7 later,counts_only,x \xc3\xa9t\xc3\xa9", 7, &out), 0);
	assert_true(out.counts_only);
	assert_string_equal(out.name, "\xc3\xa9t\xc3\xa9");
	assert_int_equal(benchmark("benchmark 1 counts_onlyx name", 1, &out), 0);
	assert_false(out.counts_only);
}

static void a_wrong_id_in_a_list_is_refused(void **state)
{
	struct worker_benchmark out;

	(void)state;
	assert_int_equal(benchmark("benchmark 4 - x", 3, &out), -1);
	assert_string_equal(err.text,
		NOT_PROTOCOL "\"benchmark 3 FLAGS NAME\" or \"end 3\", got \"benchmark 4 - x\"");
}

static void names_are_plain_and_bounded(void **state)
{
	struct worker_benchmark out;
	char line[300];

	(void)state;
	assert_int_equal(benchmark("benchmark 0 - ", 0, &out), -1);
	assert_int_equal(benchmark("benchmark 0 -  ", 0, &out), 0);
	assert_int_equal(benchmark("benchmark 0 - a\x1b[0m", 0, &out), -1);
	assert_string_equal(
		err.text, "the name of benchmark 0 of its list is not plain UTF-8 text");
	(void)snprintf(line, sizeof(line), "benchmark 0 - %0200d", 7);
	assert_int_equal(benchmark(line, 0, &out), 0);
	(void)snprintf(line, sizeof(line), "benchmark 0 - %0201d", 7);
	assert_int_equal(benchmark(line, 0, &out), -1);
	assert_string_equal(
		err.text, "the name of benchmark 0 of its list is longer than 200 bytes");
}

static void the_end_of_a_list_counts_it(void **state)
{
	(void)state;
	assert_true(worker_lines_is_end("end 3", 5));
	assert_false(worker_lines_is_end("ending 3", 8));
	assert_int_equal(worker_lines_end("end 3", 5, 3, &err), 0);
	assert_int_equal(worker_lines_end("end 4", 5, 3, &err), -1);
	assert_string_equal(err.text, NOT_PROTOCOL "\"end 3\", got \"end 4\"");
}

static void samples_come_in_pairs_of_numbers(void **state)
{
	struct worker_sample out[2];

	(void)state;
	assert_int_equal(samples("samples 5 2 10 11 20 21", 5, 2, out), 0);
	assert_int_equal(out[0].cpu_ns, 10);
	assert_int_equal(out[0].wall_ns, 11);
	assert_int_equal(out[1].cpu_ns, 20);
	assert_int_equal(out[1].wall_ns, 21);
}

static void bad_samples_are_refused(void **state)
{
	static const char *const bad[] = {"samples 5 2 10 11 20", "samples 5 2 10 11 20 ",
		"samples 5 2 10 11 20 21 22", "samples 5 2 10 11 20 21 ", "samples 4 2 10 11 20 21",
		"samples 5 3 10 11 20 21 30 31", "samples 5 2 10 11 -20 21",
		"samples 5 2 10 11 1e3 21", "samples 5 2 10 11 nan 21", "samples 5 2 10 11 20.5 21",
		"samples 5 2 10  11 20 21", "samples 5 2 10 11 18446744073709551617 21",
		"samples 5 2 10 11 0x10 21", "done 5", ""};
	struct worker_sample out[2];

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
		assert_int_equal(samples(bad[i], 5, 2, out), -1);
	assert_int_equal(samples("samples 5 2 10 11 -20 21", 5, 2, out), -1);
	assert_string_equal(err.text, NOT_PROTOCOL
		"\"samples 5 2\" and 2 times \"CPU_NS WALL_NS\", got \"samples 5 2 10 11 -20 21\"");
}

static void set_up_and_teardown_answer_with_their_id(void **state)
{
	struct worker_ready out;

	(void)state;
	assert_int_equal(worker_lines_ready("ready 1 3 412", 13, 1, &out, &err), 0);
	assert_int_equal(out.items, 3);
	assert_int_equal(out.bytes, 412);
	assert_int_equal(worker_lines_ready("ready 2 3 412", 13, 1, &out, &err), -1);
	assert_int_equal(worker_lines_ready("ready 1 3", 9, 1, &out, &err), -1);
	assert_int_equal(worker_lines_done("done 1", 6, 1, &err), 0);
	assert_int_equal(worker_lines_done("done 1 2", 8, 1, &err), -1);
	assert_int_equal(worker_lines_done("done 0", 6, 1, &err), -1);
}

static void an_error_line_gives_its_text(void **state)
{
	(void)state;
	assert_string_equal(worker_lines_error("error no such file", 18), "no such file");
	assert_string_equal(worker_lines_error("error", 5), "no reason given");
	assert_null(worker_lines_error("errors 5", 8));
	assert_null(worker_lines_error("done 1", 6));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hello_names_clock_and_overhead),
		cmocka_unit_test(a_bad_hello_is_quoted),
		cmocka_unit_test(another_version_of_the_protocol_is_named),
		cmocka_unit_test(a_zero_byte_hides_nothing),
		cmocka_unit_test(a_benchmark_line_has_id_flags_and_name),
		cmocka_unit_test(a_wrong_id_in_a_list_is_refused),
		cmocka_unit_test(names_are_plain_and_bounded),
		cmocka_unit_test(the_end_of_a_list_counts_it),
		cmocka_unit_test(samples_come_in_pairs_of_numbers),
		cmocka_unit_test(bad_samples_are_refused),
		cmocka_unit_test(set_up_and_teardown_answer_with_their_id),
		cmocka_unit_test(an_error_line_gives_its_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
