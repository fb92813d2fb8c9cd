#include "tests/unit/report_random.h"

#include "runner/artifact/base64.h"
#include "runner/artifact/read.h"
#include "runner/artifact/write.h"
#include "sandbox/base/io.h"

#include <math.h>
#include <sys/stat.h>

#define ROUNDS 300
#define PATH_ROOM 64

static void what_is_written_is_read_back_member_by_member(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		AUTO_BUF bytes = {.bytes_max = SCHEMA_COMPRESSED_BYTES_MAX};
		struct report written, got;

		random_report(&written, seed);
		MUST(artifact_encode(&bytes, &written, &must_err));
		MUST(artifact_decode(&got, bytes.data, bytes.length, &must_err));
		assert_same_reports(&written, &got);
		report_release(&written);
		report_release(&got);
	}
}

static void an_empty_report_is_read_back(void **state)
{
	AUTO_BUF bytes = {.bytes_max = SCHEMA_COMPRESSED_BYTES_MAX};
	struct report written, got;

	(void)state;
	report_init(&written);
	MUST(artifact_encode(&bytes, &written, &must_err));
	MUST(artifact_decode(&got, bytes.data, bytes.length, &must_err));
	assert_same_reports(&written, &got);
	report_release(&written);
	report_release(&got);
}

static void a_file_is_replaced_whole_or_not_at_all(void **state)
{
	char folder[] = "/tmp/duel-artifact-XXXXXX", path[PATH_ROOM], nowhere[PATH_ROOM];
	struct report written, got;
	struct err err = {0};
	struct stat status;

	(void)state;
	assert_non_null(mkdtemp(folder));
	(void)snprintf(path, sizeof(path), "%s/run.json.zst", folder);
	(void)snprintf(nowhere, sizeof(nowhere), "%s/no/run.json.zst", folder);
	random_report(&written, 7);
	MUST(artifact_write(path, &written, &must_err));
	MUST(artifact_write(path, &written, &must_err));
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0644);
	MUST(artifact_read(&got, path, &must_err));
	assert_same_reports(&written, &got);
	report_release(&got);
	assert_int_equal(artifact_write(nowhere, &written, &err), -1);
	assert_int_equal(err.kind, ERR_OS);
	assert_int_equal(artifact_read(&got, nowhere, &err), -1);
	assert_int_equal(err.kind, ERR_OS);
	report_release(&got);
	report_release(&written);
	MUST(io_remove_tree(folder, &must_err));
}

static void thirty_one_benchmarks_of_64_pairs_stay_below_100_kb(void **state)
{
	AUTO_BUF bytes = {.bytes_max = SCHEMA_COMPRESSED_BYTES_MAX};
	struct report report;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 3);
	random_report(&report, 3);
	while (report.benchmarks_count < 31)
		random_benchmark(&rng, &report, 64);
	MUST(artifact_encode(&bytes, &report, &must_err));
	print_message("31 benchmarks with 64 pairs: %zu bytes\n", bytes.length);
	assert_in_range(bytes.length, 1000, 100000);
	report_release(&report);
}

static void what_does_not_fit_is_refused_with_a_way_out(void **state)
{
	AUTO_BUF bytes = {.bytes_max = SCHEMA_COMPRESSED_BYTES_MAX};
	struct err err = {0};
	struct report report;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 5);
	report_init(&report);
	while (report.benchmarks_count < 1300)
		random_benchmark(&rng, &report, SCHEMA_PAIRS_MAX);
	assert_int_equal(artifact_encode(&bytes, &report, &err), -1);
	assert_int_equal(err.kind, ERR_LIMIT);
	assert_string_equal(err.text, "the run does not fit an artifact (4 MiB, 16 MiB "
				      "uncompressed): measure fewer benchmarks with --only, or in "
				      "shards");
	report_release(&report);
}

static void odd_figures_are_brought_into_their_range(void **state)
{
	AUTO_BUF bytes = {.bytes_max = SCHEMA_COMPRESSED_BYTES_MAX};
	struct report_benchmark *benchmark;
	struct report written, got;

	(void)state;
	report_init(&written);
	MUST(report_add_benchmark(&written, &benchmark, &must_err));
	MUST(report_set(&benchmark->name, "a", SCHEMA_NAME_BYTES_MAX, &must_err));
	benchmark->cpu = (struct report_ratio){1, 0, INFINITY};
	benchmark->smallest_loss = NAN;
	benchmark->bytes = UINT64_MAX;
	written.machine.steal = -1;
	MUST(artifact_encode(&bytes, &written, &must_err));
	MUST(artifact_decode(&got, bytes.data, bytes.length, &must_err));
	assert_true(got.benchmarks[0].cpu.high == SCHEMA_RATIO_MAX);
	assert_true(got.benchmarks[0].smallest_loss == 0);
	assert_true(got.benchmarks[0].bytes == SCHEMA_COUNT_MAX);
	assert_true(got.machine.steal == 0);
	report_release(&written);
	report_release(&got);
}

static void texts_are_cut_at_a_character_and_made_printable(void **state)
{
	struct report report;

	(void)state;
	report_init(&report);
	MUST(report_set(&report.failure, "a\x1b[31m\nb\xff", SCHEMA_TEXT_BYTES_MAX, &must_err));
	assert_string_equal(report.failure, "a?[31m b?");
	MUST(report_set(&report.failure, "aü", 2, &must_err));
	assert_string_equal(report.failure, "a");
	MUST(report_set(&report.failure, "aü", 3, &must_err));
	assert_string_equal(report.failure, "aü");
	MUST(report_set_log(&report.failure_log, "one\n\ttwo\x07", &must_err));
	assert_string_equal(report.failure_log, "one\n\ttwo?");
	report_release(&report);
}

static void a_log_keeps_its_end(void **state)
{
	static char long_log[SCHEMA_LOG_BYTES_MAX + 20];
	struct report report;

	(void)state;
	report_init(&report);
	memset(long_log, 'x', sizeof(long_log) - 1);
	memcpy(long_log + sizeof(long_log) - 5, "end\n", 5);
	/* The cut falls into the character, which is left out. */
	memcpy(long_log + sizeof(long_log) - 1 - SCHEMA_LOG_BYTES_MAX - 1, "ü", 2);
	MUST(report_set_log(&report.failure_log, long_log, &must_err));
	assert_int_equal(strlen(report.failure_log), SCHEMA_LOG_BYTES_MAX - 1);
	assert_string_equal(report.failure_log + SCHEMA_LOG_BYTES_MAX - 5, "end\n");
	assert_int_equal(report.failure_log[0], 'x');
	report_release(&report);
}

static void too_many_notes_say_that_some_are_left_out(void **state)
{
	struct report report;

	(void)state;
	report_init(&report);
	for (int i = 0; i < 2 * SCHEMA_NOTES_MAX; i++)
		MUST(report_note(report.notes, &must_err, "note %d", i));
	assert_string_equal(report.notes[0], "note 0");
	assert_string_equal(report.notes[SCHEMA_NOTES_MAX - 2], "further notes left out");
	assert_null(report.notes[SCHEMA_NOTES_MAX - 1]);
	report_release(&report);
}

static void benchmarks_and_pairs_have_a_maximum_and_stay_where_they_are(void **state)
{
	struct report_benchmark *first, *last;
	struct err err = {0};
	struct report report;

	(void)state;
	report_init(&report);
	MUST(report_add_benchmark(&report, &first, &must_err));
	while (report.benchmarks_count < SCHEMA_BENCHMARKS_MAX)
		MUST(report_add_benchmark(&report, &last, &must_err));
	assert_ptr_equal(first, report.benchmarks);
	assert_int_equal(report_add_benchmark(&report, &last, &err), -1);
	assert_int_equal(err.kind, ERR_LIMIT);
	for (uint32_t i = 0; i < SCHEMA_PAIRS_MAX; i++) {
		MUST(report_add_pair(first, i, (int32_t)i, &must_err));
		MUST(report_add_null(first, (int32_t)i, &must_err));
	}
	assert_int_equal(report_add_pair(first, 0, 0, &err), -1);
	assert_int_equal(report_add_null(first, 0, &err), -1);
	assert_int_equal(first->visits[SCHEMA_PAIRS_MAX - 1], SCHEMA_PAIRS_MAX - 1);
	report_release(&report);
}

static void base64_is_the_standards(void **state)
{
	/* "foobarfoobar" and its parts, RFC 4648 section 10, as numbers of four bytes. */
	static const uint32_t numbers[] = {0x626f6f66, 0x6f667261, 0x7261626f};
	AUTO_STR three = base64_pack(numbers, 3);
	AUTO_STR two = base64_pack(numbers, 2);
	AUTO_STR one = base64_pack(numbers, 1);
	AUTO_STR none = base64_pack(NULL, 0);

	(void)state;
	assert_string_equal(three, "Zm9vYmFyZm9vYmFy");
	assert_string_equal(two, "Zm9vYmFyZm8=");
	assert_string_equal(one, "Zm9vYg==");
	assert_string_equal(none, "");
}

static void base64_reads_back_what_it_packed_and_nothing_else(void **state)
{
	static const char *const refused[] = {"Zm9vYg=", "Zm9vYg", "Zm9vYh==", "Zm9v",
		"Zm9vYg==Zm9v", "Zm 9vYg=", "Zm9vY===", "====", "Zm9vYmFyZm9=", "Zm9vYg=a",
		"Zm9v\xc3\xbc==", "Z"};
	uint32_t numbers[3];
	size_t count;

	(void)state;
	assert_true(base64_unpack("Zm9vYmFyZm9vYmFy", numbers, 3, &count));
	assert_int_equal(count, 3);
	assert_int_equal(numbers[2], 0x7261626f);
	assert_false(base64_unpack("Zm9vYmFyZm9vYmFy", numbers, 2, &count));
	assert_true(base64_unpack("", numbers, 0, &count));
	assert_int_equal(count, 0);
	for (size_t i = 0; i < ARRAY_LENGTH(refused); i++)
		if (base64_unpack(refused[i], numbers, 3, &count))
			fail_msg("'%s' was taken", refused[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_back_member_by_member),
		cmocka_unit_test(an_empty_report_is_read_back),
		cmocka_unit_test(a_file_is_replaced_whole_or_not_at_all),
		cmocka_unit_test(thirty_one_benchmarks_of_64_pairs_stay_below_100_kb),
		cmocka_unit_test(what_does_not_fit_is_refused_with_a_way_out),
		cmocka_unit_test(odd_figures_are_brought_into_their_range),
		cmocka_unit_test(texts_are_cut_at_a_character_and_made_printable),
		cmocka_unit_test(a_log_keeps_its_end),
		cmocka_unit_test(too_many_notes_say_that_some_are_left_out),
		cmocka_unit_test(benchmarks_and_pairs_have_a_maximum_and_stay_where_they_are),
		cmocka_unit_test(base64_is_the_standards),
		cmocka_unit_test(base64_reads_back_what_it_packed_and_nothing_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
