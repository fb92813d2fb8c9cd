/*
 * Artifacts made to hurt: each is refused as hostile with one exact sentence, and costs no more
 * than the limits allow.
 */
#include "tests/unit/report_random.h"

#include "runner/artifact/document.h"
#include "runner/artifact/read.h"
#include "runner/artifact/write.h"
#include "sandbox/base/io.h"
#include "sandbox/base/text.h"

#include <sys/resource.h>
#include <zstd.h>

#define BOMB_BYTES ((size_t)512 << 20)
#define CHUNK_BYTES ((size_t)1 << 20)
#define WIDE_WINDOW_LOG 27

/* Refused, as it must be: the kind, the exit status behind it, one printable line. */
static void assert_refused(const void *bytes, size_t length, const char *what, const char *message)
{
	struct report report;
	struct err err = {0};

	if (artifact_decode(&report, bytes, length, &err) == 0)
		fail_msg("%s: taken", what);
	if (err.kind != ERR_HOSTILE || err_exit_status((enum err_kind)err.kind) != 6)
		fail_msg("%s: kind %d: %s", what, err.kind, err.text);
	if (!text_is_plain(err.text, strlen(err.text)))
		fail_msg("%s: a message that cannot be shown: %s", what, err.text);
	if (message && strcmp(err.text, message) != 0)
		fail_msg("%s: said: %s", what, err.text);
	assert_int_equal(report.benchmarks_count, 0);
	assert_null(report.benchmarks);
}

static char *compressed(const void *text, size_t text_length, size_t *length)
{
	size_t room = ZSTD_compressBound(text_length);
	char *frame = malloc(room);

	assert_non_null(frame);
	*length = ZSTD_compress(frame, room, text, text_length, 1);
	assert_false(ZSTD_isError(*length));
	return frame;
}

static void assert_text_refused(
	const char *text, size_t text_length, const char *what, const char *message)
{
	size_t length;
	AUTO_STR frame = compressed(text, text_length, &length);

	assert_refused(frame, length, what, message);
}

/* A run with one benchmark of two pairs. */
static void make_document(struct buf *text)
{
	struct report_benchmark *benchmark;
	struct report report;

	report_init(&report);
	MUST(report_add_benchmark(&report, &benchmark, &must_err));
	MUST(report_set(&benchmark->name, "b", SCHEMA_NAME_BYTES_MAX, &must_err));
	benchmark->limit = 1.25;
	benchmark->alpha = 0.25;
	benchmark->pairs_min = 2;
	benchmark->pairs_max = 64;
	MUST(report_add_pair(benchmark, 0, 1, &must_err));
	MUST(report_add_pair(benchmark, 1, 2, &must_err));
	MUST(document_write(text, &report, DOCUMENT_ARTIFACT, &must_err));
	report_release(&report);
}

struct change {
	const char *find, *put, *message;
};

static const struct change changes[] = {
	{"\"format\":\"duel\"", "\"format\":\"tar\"", "format: this is no document of duel"},
	{"\"major\":1", "\"major\":2",
		"written by a newer duel (format 2.0, this one reads 1.x): upgrade duel"},
	{"\"major\":1", "\"major\":0", "format 0.0, this duel reads 1.x"},
	{"\"major\":1", "\"major\":1.5", "major: no version number"},
	{"\"major\":1", "\"major\":1e999", "major: no version number"},
	{"\"major\":1", "\"major\":1,\"major\":1", "major: written twice"},
	{"\"major\":1,", "", "major: missing"},
	{"\"steal\":0", "\"steal\":NaN", NULL},
	{"\"steal\":0", "\"steal\":nan", NULL},
	{"\"steal\":0", "\"steal\":1e999", "machine.steal: not a number from 0 to 1"},
	{"\"steal\":0", "\"steal\":-0.5", "machine.steal: not a number from 0 to 1"},
	{"\"steal\":0", "\"steal\":null", "machine.steal: not a number from 0 to 1"},
	{"\"steal\":0", "\"steal\":0,\"steal\":0", "machine.steal: written twice"},
	{"\"steal\":0", "\"steal\":0,\"\\u202e\":0", "machine.???: unknown member"},
	{"\"cores\":0", "\"cores\":0.5", "machine.cores: not a whole number from 0 to 4294967295"},
	{"\"cores\":0", "\"cores\":4294967296",
		"machine.cores: not a whole number from 0 to 4294967295"},
	{"\"kernel\":\"\"", "\"kernel\":[]", "machine.kernel: not a string"},
	{"\"kernel\":\"\"", "\"kernel\":\"\\u001b[2J\"",
		"machine.kernel: holds characters that cannot be shown"},
	{"\"kernel\":\"\"", "\"kernel\":\"\\u202e\"",
		"machine.kernel: holds characters that cannot be shown"},
	{"\"kernel\":\"\"", "\"kernel\":\"\xff\"",
		"machine.kernel: holds characters that cannot be shown"},
	{"\"kernel\":\"\"", "\"kernel\":\"\xed\xa0\x80\"",
		"machine.kernel: holds characters that cannot be shown"},
	{"\"notes\":[]", "\"notes\":{}", "notes: not a list"},
	{"\"notes\":[]", "\"notes\":[[]]", "notes: not a string"},
	{"\"verdict\":\"passed\"", "\"verdict\":\"won\"", "verdict: not one of its words"},
	{"\"verdict\":\"passed\"", "\"verdict\":7", "verdict: not one of its words"},
	{"\"failure\":\"\"", "\"failure\":\"x\"", "failure: of a run that passed"},
	{"\"seed\":\"0\"", "\"seed\":\"18446744073709551616\"",
		"seed: not a whole number in a string"},
	{"\"across\":{\"ratio\":0,", "\"across\":{\"ratio\":1,",
		"across: the ratio lies outside its interval"},
	{"\"across\":{", "\"across\":{\"x\":1,",
		"across: a member that is unknown or written twice"},
	{"\"limits\":{", "\"limits\":[],\"more\":{", "more: unknown member"},
	{"\"strict\":false", "\"strict\":0", "limits.strict: neither true nor false"},
	{"\"name\":\"b\"", "\"name\":\"\"", "benchmarks[0].name: empty"},
	{"\"name\":\"b\"", "\"name\":\"b\\u0000c\"", NULL},
	{"\"limit\":1.25", "\"limit\":1",
		"benchmarks[0].limit, alpha, pairs_min or pairs_max: out of range"},
	{"\"pairs_max\":64", "\"pairs_max\":1",
		"benchmarks[0].limit, alpha, pairs_min or pairs_max: out of range"},
	{"\"alpha\":0.25", "\"alpha\":0",
		"benchmarks[0].limit, alpha, pairs_min or pairs_max: out of range"},
	{"\"pairs\":\"AQAAAAIAAAA=\"", "\"pairs\":\"AQAAAA==\"",
		"benchmarks[0]: 1 pairs, but 2 visits"},
	{"\"pairs\":\"AQAAAAIAAAA=\"", "\"pairs\":\"AQAAAAIAAA==\"",
		"benchmarks[0].pairs: not 32-bit numbers in base64, or too many"},
	{"\"pairs\":\"AQAAAAIAAAA=\"", "\"pairs\":[1,2]",
		"benchmarks[0].pairs: not 32-bit numbers in base64, or too many"},
	{"\"visits\":\"AAAAAAEAAAA=\"", "\"visits\":\"AQAAAAAAAAA=\"",
		"benchmarks[0].visits: not in order"},
	{"\"benchmarks\":[{", "\"benchmarks\":[7,{", "benchmarks[0]: no object"},
};

/* The caller frees it. */
static char *changed(const char *text, const struct change *change)
{
	const char *at = strstr(text, change->find);
	char *out = NULL;

	if (!at)
		fail_msg("%s is not in %s", change->find, text);
	assert_true(asprintf(&out, "%.*s%s%s", (int)(at - text), text, change->put,
			    at + strlen(change->find)) > 0);
	return out;
}

static void each_wrong_member_is_named(void **state)
{
	AUTO_BUF text = {.bytes_max = SCHEMA_BYTES_MAX};

	(void)state;
	make_document(&text);
	for (size_t i = 0; i < ARRAY_LENGTH(changes); i++) {
		AUTO_STR broken = changed(buf_text(&text), &changes[i]);

		assert_text_refused(broken, strlen(broken), changes[i].put, changes[i].message);
	}
}

static void a_benchmark_there_twice_is_named(void **state)
{
	AUTO_BUF text = {.bytes_max = SCHEMA_BYTES_MAX};
	AUTO_STR twice = NULL;
	const char *object;

	(void)state;
	make_document(&text);
	object = strstr(buf_text(&text), "\"benchmarks\":[") + strlen("\"benchmarks\":[");
	assert_true(asprintf(&twice, "%.*s%.*s,%s", (int)(object - text.data), text.data,
			    (int)strlen(object) - 2, object, object) > 0);
	assert_text_refused(twice, strlen(twice), "twice", "benchmarks: 'b' is there twice");
}

static void a_newer_minor_is_taken_and_its_members_passed_over(void **state)
{
	AUTO_BUF text = {.bytes_max = SCHEMA_BYTES_MAX};
	AUTO_STR newer = NULL;
	AUTO_STR more = NULL;
	struct report report;
	size_t length;

	(void)state;
	make_document(&text);
	newer = changed(buf_text(&text), &(struct change){"\"minor\":0", "\"minor\":7", NULL});
	more = changed(newer,
		&(struct change){"\"name\":\"b\"", "\"new\":[{\"x\":{}}],\"name\":\"b\"", NULL});
	{
		AUTO_STR frame = compressed(more, strlen(more), &length);

		MUST(artifact_decode(&report, frame, length, &must_err));
	}
	assert_int_equal(report.minor, 7);
	assert_int_equal(report.benchmarks[0].pairs_count, 2);
	report_release(&report);
}

/* `count` times `unit`, between two texts. The caller frees it. */
static char *repeated(
	const char *before, const char *unit, size_t count, const char *after, size_t *length)
{
	size_t head = strlen(before), each = strlen(unit), tail = strlen(after);
	char *text = malloc(head + each * count + tail + 1);

	assert_non_null(text);
	memcpy(text, before, head);
	for (size_t i = 0; i < count; i++)
		memcpy(text + head + i * each, unit, each);
	memcpy(text + head + count * each, after, tail + 1);
	*length = head + count * each + tail;
	return text;
}

static void depth_and_number_of_values_are_bounded_before_parsing(void **state)
{
	static const struct {
		const char *before, *unit;
		size_t count;
		const char *message;
	} texts[] = {
		{"", "[", 17, "byte 16: brackets are nested too deep"},
		{"", "{\"a\":", 100000, "byte 80: brackets are nested too deep"},
		{"[", "0,", 500000, "byte 999998: too many values"},
		{"[", "[],", 250000, NULL},
	};
	size_t length;

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
		AUTO_STR text = repeated(
			texts[i].before, texts[i].unit, texts[i].count, "0]", &length);

		assert_text_refused(text, length, texts[i].unit, texts[i].message);
	}
}

static void what_is_no_json_is_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} texts[] = {
		{"", "byte 0: this is no JSON"},
		{"{", NULL},
		{"[]", "the document is no object"},
		{"{}", "format: missing"},
		{"{} {}", "byte 3: something behind the document"},
		{"\"\\ud800\"", "byte 1: half a surrogate pair"},
		{"\"\\x\"", "byte 1: an escape that JSON does not have"},
		{"\"abc", "byte 0: a string that does not end"},
		{"\"a\nb\"", "byte 2: a control character in a string"},
		{"\x01", "byte 0: a control character"},
		{"\xff\xfe", "byte 0: this is no JSON"},
		{"{\"format\":\"duel\"/**/}", NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
		assert_text_refused(
			texts[i].text, strlen(texts[i].text), texts[i].text, texts[i].message);
	assert_text_refused("{\0}", 3, "zero byte", "byte 1: a control character");
}

static void huge_base64_is_refused(void **state)
{
	AUTO_BUF text = {.bytes_max = SCHEMA_BYTES_MAX};
	size_t length;
	AUTO_STR huge = repeated("\"nulls\":\"", "AAAA", 3u << 20, "\"", &length);
	AUTO_STR broken = NULL;

	(void)state;
	make_document(&text);
	broken = changed(buf_text(&text), &(struct change){"\"nulls\":\"\"", huge, NULL});
	assert_text_refused(broken, strlen(broken), "12 MiB of base64",
		"benchmarks[0].nulls: not 32-bit numbers in base64, or too many");
}

static void what_is_no_frame_is_refused(void **state)
{
	static const struct {
		const char *bytes;
		size_t length;
		const char *message;
	} files[] = {
		{"", 0, "the file is empty"},
		{"{}", 2, "not a zstd frame: this is no artifact of duel"},
		{"PK\3\4abc", 7, "not a zstd frame: this is no artifact of duel"},
		{"\x28\xb5\x2f\xfd", 4, "damaged: the zstd frame has no whole header"},
		/* A skippable frame, which a decompressor would step over. */
		{"\x50\x2a\x4d\x18\0\0\0\0", 8, "not a zstd frame: this is no artifact of duel"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(files); i++)
		assert_refused(files[i].bytes, files[i].length, files[i].message, files[i].message);
}

static void make_artifact(struct buf *bytes)
{
	struct report report;

	bytes->bytes_max = SCHEMA_COMPRESSED_BYTES_MAX;
	random_report(&report, 11);
	MUST(artifact_encode(bytes, &report, &must_err));
	report_release(&report);
}

static void a_frame_cut_anywhere_is_refused(void **state)
{
	AUTO_BUF bytes = {0};

	(void)state;
	make_artifact(&bytes);
	for (size_t length = 0; length < bytes.length; length++) {
		/* A copy, so that the sanitizer sees whoever reads on. */
		AUTO_STR cut = malloc(length + 1);

		assert_non_null(cut);
		memcpy(cut, bytes.data, length);
		assert_refused(cut, length, "cut", NULL);
	}
}

static void two_frames_and_what_stands_behind_are_refused(void **state)
{
	AUTO_BUF bytes = {0};
	AUTO_BUF twice = {.bytes_max = 2u * SCHEMA_COMPRESSED_BYTES_MAX};
	char message[100];

	(void)state;
	make_artifact(&bytes);
	MUST(buf_append(&twice, bytes.data, bytes.length, &must_err));
	MUST(buf_append(&twice, bytes.data, bytes.length, &must_err));
	(void)snprintf(message, sizeof(message),
		"damaged: %zu bytes behind the end of the document", bytes.length);
	assert_refused(twice.data, twice.length, "two frames", message);
	assert_refused(twice.data, bytes.length + 1, "one byte more",
		"damaged: 1 bytes behind the end of the document");
}

/* A flip in what is compressed breaks the checksum; one in the header may change nothing. */
static void a_flipped_bit_is_refused_or_changes_nothing(void **state)
{
	AUTO_BUF bytes = {0};
	struct report whole;
	unsigned taken = 0;

	(void)state;
	make_artifact(&bytes);
	MUST(artifact_decode(&whole, bytes.data, bytes.length, &must_err));
	for (size_t bit = 0; bit < 8 * bytes.length; bit++) {
		struct report report;
		struct err err = {0};

		bytes.data[bit / 8] = (char)(bytes.data[bit / 8] ^ (1 << bit % 8));
		if (artifact_decode(&report, bytes.data, bytes.length, &err) == 0) {
			assert_same_reports(&whole, &report);
			report_release(&report);
			taken++;
		} else {
			assert_int_equal(err.kind, ERR_HOSTILE);
		}
		bytes.data[bit / 8] = (char)(bytes.data[bit / 8] ^ (1 << bit % 8));
	}
	assert_true(taken < bytes.length / 2);
	report_release(&whole);
}

/* `total` zeros or blanks in one frame that does not say how many. The caller frees it. */
static char *streamed(char byte, size_t total, int window_log, size_t *length)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();
	size_t room = ZSTD_compressBound(total) / 64 + CHUNK_BYTES;
	AUTO_STR chunk = malloc(CHUNK_BYTES);
	char *frame = malloc(room);
	ZSTD_outBuffer out = {frame, room, 0};

	assert_true(context && chunk && frame);
	memset(chunk, byte, CHUNK_BYTES);
	(void)ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
	for (size_t done = 0; done < total; done += CHUNK_BYTES) {
		ZSTD_inBuffer in = {chunk, CHUNK_BYTES, 0};
		ZSTD_EndDirective end = done + CHUNK_BYTES >= total ? ZSTD_e_end : ZSTD_e_continue;
		size_t left;

		do
			left = ZSTD_compressStream2(context, &out, &in, end);
		while (left != 0 && !ZSTD_isError(left) && (end == ZSTD_e_end || in.pos < in.size));
		assert_false(ZSTD_isError(left));
	}
	(void)ZSTD_freeCCtx(context);
	*length = out.pos;
	return frame;
}

static void a_window_too_large_is_refused(void **state)
{
	size_t length;
	AUTO_STR frame = streamed(' ', 4 * CHUNK_BYTES, WIDE_WINDOW_LOG, &length);

	(void)state;
	assert_refused(frame, length, "window",
		"damaged: zstd: Frame requires too much memory for decoding");
}

static void a_bomb_costs_no_more_than_the_limits(void **state)
{
	struct rusage before, after;
	size_t length, honest_length;
	AUTO_STR frame = streamed(' ', BOMB_BYTES, SCHEMA_WINDOW_LOG_MAX, &length);
	AUTO_STR blanks = malloc(SCHEMA_BYTES_MAX + CHUNK_BYTES);
	AUTO_STR honest = NULL;

	(void)state;
	assert_in_range(length, 1, SCHEMA_COMPRESSED_BYTES_MAX);
	assert_non_null(blanks);
	memset(blanks, ' ', SCHEMA_BYTES_MAX + CHUNK_BYTES);
	honest = compressed(blanks, SCHEMA_BYTES_MAX + CHUNK_BYTES, &honest_length);
	assert_int_equal(getrusage(RUSAGE_SELF, &before), 0);
	assert_refused(frame, length, "a bomb", "more than 16777216 bytes uncompressed");
	assert_refused(honest, honest_length, "one that says so",
		"17825792 bytes uncompressed, at most 16777216 are read");
	assert_int_equal(getrusage(RUSAGE_SELF, &after), 0);
	/* The text, its doubling while it grows, and the window: far below what it would be. */
	assert_in_range(after.ru_maxrss - before.ru_maxrss, 0, BOMB_BYTES / 4 / 1024);
}

static void a_file_too_large_is_no_artifact(void **state)
{
	char path[] = "/tmp/duel-hostile-XXXXXX", message[200];
	int fd = mkstemp(path);
	struct report report;
	struct err err = {0};

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, SCHEMA_COMPRESSED_BYTES_MAX + 1), 0);
	assert_int_equal(close(fd), 0);
	assert_int_equal(artifact_read(&report, path, &err), -1);
	(void)snprintf(message, sizeof(message),
		"%s: more than 4 MiB: no artifact of duel is that large", path);
	assert_string_equal(err.text, message);
	assert_int_equal(err.kind, ERR_HOSTILE);
	assert_int_equal(unlink(path), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_wrong_member_is_named),
		cmocka_unit_test(a_benchmark_there_twice_is_named),
		cmocka_unit_test(a_newer_minor_is_taken_and_its_members_passed_over),
		cmocka_unit_test(depth_and_number_of_values_are_bounded_before_parsing),
		cmocka_unit_test(what_is_no_json_is_refused),
		cmocka_unit_test(huge_base64_is_refused),
		cmocka_unit_test(what_is_no_frame_is_refused),
		cmocka_unit_test(a_frame_cut_anywhere_is_refused),
		cmocka_unit_test(two_frames_and_what_stands_behind_are_refused),
		cmocka_unit_test(a_flipped_bit_is_refused_or_changes_nothing),
		cmocka_unit_test(a_window_too_large_is_refused),
		cmocka_unit_test(a_bomb_costs_no_more_than_the_limits),
		cmocka_unit_test(a_file_too_large_is_no_artifact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
