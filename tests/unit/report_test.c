/*
 * The four formats against golden texts, and against everything that could act in one of them.
 * `report_test --accept` writes the golden texts anew (make golden): look at the diff.
 */
#include "tests/unit/report_random.h"

#include "runner/report/markdown_escape.h"
#include "runner/report/report.h"
#include "sandbox/base/io.h"
#include "sandbox/base/text.h"

#include <cjson/cJSON.h>

#define RANDOM_REPORTS 300
#define PATH_ROOM 80
#define CSV_COLUMNS 21
#define TABLE_BARS 8
#define BAR "&#124;"

static void set(char **field, const char *text)
{
	MUST(report_set(field, text, SCHEMA_TEXT_BYTES_MAX, &must_err));
}

static void add_pairs(struct report_benchmark *benchmark, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		MUST(report_add_pair(benchmark, i, (int32_t)i, &must_err));
}

static struct report_benchmark *add(struct report *report, const char *name, enum verdict verdict,
	double ratio, const char *reason)
{
	struct report_benchmark *benchmark;

	MUST(report_add_benchmark(report, &benchmark, &must_err));
	set(&benchmark->name, name);
	set(&benchmark->worker, "bench/bench");
	set(&benchmark->reason, reason);
	benchmark->verdict = verdict;
	benchmark->limit = 1.02;
	benchmark->alpha = 0.005;
	if (ratio <= 0)
		return benchmark;
	benchmark->cpu = (struct report_ratio){ratio, ratio - 0.0125, ratio + 0.0125};
	benchmark->smallest_loss = 1.03125;
	benchmark->baseline_ns = 12500;
	benchmark->candidate_ns = 12500 * ratio;
	benchmark->baseline_wall_ns = 12750;
	benchmark->candidate_wall_ns = 12750 * ratio;
	benchmark->iterations = 4;
	benchmark->bytes = 4096;
	add_pairs(benchmark, 16);
	return benchmark;
}

static void fill_run(struct report *report)
{
	report_init(report);
	set(&report->duel_version, "0.1.0");
	set(&report->started, "2026-01-02T03:04:05Z");
	report->seed = 18446744073709551615u;
	set(&report->baseline.commit, "0123456789abcdef0123456789abcdef01234567");
	set(&report->baseline.ref, "merge base of HEAD and main");
	set(&report->baseline.subject, "Start");
	set(&report->candidate.commit, "fedcba9876543210fedcba9876543210fedcba98");
	set(&report->candidate.ref, "HEAD");
	set(&report->candidate.subject, "Faster! @octocat closes #12 | <b>");
	set(&report->machine.cpu, "Example CPU");
	set(&report->machine.kernel, "6.1.0");
	set(&report->machine.tier, "userns");
	MUST(report_note(report->machine.missing, &must_err, "memory limit"));
	report->machine.cores = 2;
	report->machine.load_start = 0.25;
	report->machine.load_end = 1.5;
	report->limits.cpu = 1.02;
	report->limits.across = 1.005;
	report->limits.confidence = 0.99;
	report->limits.budget_s = 20;
	set(&report->limits.source, "the baseline's duel.json");
	report->null_trusted = true;
	report->noise_floor = 0.00390625;
	report->time.total = 12.5;
	report->time.samples = 8.25;
}

/* One benchmark of each verdict. */
static void fill_regressed(struct report *report)
{
	struct report_benchmark *benchmark;

	fill_run(report);
	report->verdict = RUN_REGRESSED;
	(void)add(report, "parse: records", VERDICT_SAME, 1.0, "");
	add(report, "generate: prose", VERDICT_SLOWER, 1.25, "")->confirmed = true;
	benchmark = add(report, "options: [x](y) `z` | @org", VERDICT_UNSETTLED, 1.03125,
		"layout not varied: built by go; a slowdown seen by time alone may be layout");
	benchmark->layout = LAYOUT_FIXED;
	set(&benchmark->layout_reason, "built by go");
	(void)add(report, "scan: \"quoted\", in two", VERDICT_FASTER, 0.75, "");
	benchmark = add(report, "crash", VERDICT_ERROR, 0, "candidate: killed by signal 11");
	MUST(report_set_log(&benchmark->log, "first line\n\t```\nlast line\n", &must_err));
	(void)add(report, "=1+1", VERDICT_ADDED, 0, "");
	(void)add(report, "gone", VERDICT_REMOVED, 0, "");
	report->across_verdict = VERDICT_SAME;
	report->across = (struct report_ratio){1.0015, 0.9985, 1.0045};
	MUST(report_note(report->gate_changes, &must_err, "cpu: 1.02, the candidate has 1.5"));
	MUST(report_note(report->notes, &must_err, "1 changed file is not committed"));
}

static void fill_failed(struct report *report)
{
	fill_run(report);
	report->verdict = RUN_FAILED;
	set(&report->failure, "candidate: build: exit status 2");
	MUST(report_set_log(&report->failure_log,
		"cc -c x.c\nx.c:1: error: `y` undeclared\n::error::no\n", &must_err));
}

static void fill_skipped(struct report *report)
{
	report_init(report);
	report->verdict = RUN_SKIPPED;
	set(&report->failure, "no watched file differs between the versions");
}

struct golden {
	const char *file;
	void (*fill)(struct report *report);
	enum report_format format;
	struct report_view view;
};

static const struct golden goldens[] = {
	{"regressed.txt", fill_regressed, REPORT_TEXT, {0}},
	{"regressed-verbose.txt", fill_regressed, REPORT_TEXT, {.verbose = true}},
	{"regressed-color.txt", fill_regressed, REPORT_TEXT, {.color = true}},
	{"regressed.md", fill_regressed, REPORT_MARKDOWN, {0}},
	{"regressed.json", fill_regressed, REPORT_JSON, {0}},
	{"regressed.csv", fill_regressed, REPORT_CSV, {0}},
	{"failed.txt", fill_failed, REPORT_TEXT, {0}},
	{"failed.md", fill_failed, REPORT_MARKDOWN, {0}},
	{"skipped.txt", fill_skipped, REPORT_TEXT, {0}},
	{"skipped.md", fill_skipped, REPORT_MARKDOWN, {0}},
};

static void render(struct buf *out, const struct golden *golden)
{
	struct report report;

	golden->fill(&report);
	if (golden->format == REPORT_TEXT)
		MUST(report_text(out, &report, &golden->view, &must_err));
	else
		MUST(report_render(out, golden->format, &report, &must_err));
	report_release(&report);
}

static void golden_path(char path[PATH_ROOM], const struct golden *golden)
{
	(void)snprintf(path, PATH_ROOM, "tests/golden/%s", golden->file);
}

static void every_format_is_its_golden_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(goldens); i++) {
		AUTO_BUF got = {.bytes_max = REPORT_BYTES_MAX};
		AUTO_BUF wanted = {.bytes_max = REPORT_BYTES_MAX};
		char path[PATH_ROOM];

		golden_path(path, &goldens[i]);
		MUST(io_read_file(&wanted, path, &must_err));
		render(&got, &goldens[i]);
		if (strcmp(buf_text(&got), buf_text(&wanted)) != 0)
			fail_msg("%s differs from:\n%s", path, buf_text(&got));
	}
}

static int accept_goldens(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(goldens); i++) {
		AUTO_BUF got = {.bytes_max = REPORT_BYTES_MAX};
		char path[PATH_ROOM];
		struct err err = {0};

		golden_path(path, &goldens[i]);
		render(&got, &goldens[i]);
		if (io_replace_file(path, got.data, got.length, 0644, &err) < 0) {
			(void)fprintf(stderr, "%s\n", err.text);
			return 1;
		}
	}
	return 0;
}

/* What would act in Markdown, wherever it stood outside of code. */
static const char *const active[] = {"@", "http", "www.", "![", "](", "#12", "GH-12",
	":smile:", "\\", "~", "$", "&", "<img", "<!--", "-->", "=1", "0123456789abcdef0123"};

static size_t run_length(const char *text, char c)
{
	size_t length = 0;

	while (text[length] == c)
		length++;
	return length;
}

/* Behind the piece of code that begins at `at` (CommonMark: closed by a run of equal length). */
static const char *skip_code(const char *at, const char *line)
{
	size_t fence = run_length(at, '`');

	for (at += fence; *at;) {
		size_t length = run_length(at, '`');

		if (length == fence)
			return at + length;
		at += length ? length : 1;
	}
	fail_msg("code does not end: %s", line);
	return at;
}

/* What of one line is neither code nor a bar written as an entity. */
static void outside_of_code(const char *line, char *out)
{
	const char *at = line;

	while (*at) {
		if (*at == '`')
			at = skip_code(at, line);
		else if (strncmp(at, BAR, strlen(BAR)) == 0)
			at += strlen(BAR);
		else
			*out++ = *at++;
	}
	*out = '\0';
}

static void assert_inert_line(const char *line)
{
	AUTO_STR outside = malloc(strlen(line) + 1);
	const char *tag;
	size_t bars = 0;

	assert_non_null(outside);
	outside_of_code(line, outside);
	for (size_t i = 0; i < ARRAY_LENGTH(active); i++)
		if (strstr(outside, active[i]))
			fail_msg("'%s' acts in: %s", active[i], line);
	for (tag = strchr(outside, '<'); tag; tag = strchr(tag + 1, '<'))
		assert_true(
			strncmp(tag, "<details>", 9) == 0 || strncmp(tag, "</details>", 10) == 0 ||
			strncmp(tag, "<summary>", 9) == 0 || strncmp(tag, "</summary>", 10) == 0);
	/* A table is cut into cells before its code is looked at. */
	for (const char *at = line; *at; at++)
		bars += *at == '|';
	if (bars != 0 && bars != TABLE_BARS)
		fail_msg("%zu bars in: %s", bars, line);
}

/* Blocks of code are stepped over; each has to end. */
static void assert_inert(char *page)
{
	size_t fence = 0;
	char *rest = page;

	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
		size_t length = run_length(line, '`');

		assert_true(text_is_plain(line, strlen(line)) || (fence > 0 && strchr(line, '\t')));
		if (fence == 0 && length >= 3 && strcmp(line + length, "text") == 0)
			fence = length;
		else if (fence > 0 && length >= fence && !line[length])
			fence = 0;
		else if (fence == 0)
			assert_inert_line(line);
	}
	assert_int_equal(fence, 0);
}

static void nothing_foreign_acts_in_markdown(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= RANDOM_REPORTS; seed++) {
		AUTO_BUF page = {.bytes_max = REPORT_BYTES_MAX};
		struct report report;

		random_report(&report, seed);
		MUST(report_markdown(&page, &report, &must_err));
		assert_int_equal(strncmp(buf_text(&page), "## duel: ", 9), 0);
		assert_non_null(strstr(buf_text(&page), report_verdict_name(report.verdict)));
		assert_inert(page.data);
		report_release(&report);
	}
}

static void what_cannot_be_shown_is_taken_out_of_code(void **state)
{
	static const struct {
		const char *text, *shown;
	} texts[] = {
		{"plain", "`plain`"},
		{"", ""},
		{"a`b", "``a`b``"},
		{"`", "`` ` ``"},
		{"``x", "``` ``x ```"},
		{" a ", "`  a  `"},
		{"   ", "`   `"},
		{"a|b", "`a`&#124;`b`"},
		{"||", "&#124;&#124;"},
		{"@octocat", "`@octocat`"},
		{"\xe2\x80\xae"
		 "abc",
			"`???abc`"},
		{"\x1b[31m", "`?[31m`"},
		{"a\nb\tc", "`a b c`"},
		{"\xff", "`?`"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
		AUTO_BUF out = {.bytes_max = 100};

		MUST(markdown_escape_code(&out, texts[i].text, &must_err));
		assert_string_equal(buf_text(&out), texts[i].shown);
	}
}

static void a_log_stays_in_its_block(void **state)
{
	AUTO_BUF out = {.bytes_max = 200};

	(void)state;
	MUST(markdown_escape_block(&out, "a\n```\n````text\n<img>\x1b", &must_err));
	assert_string_equal(buf_text(&out), "\n`````text\na\n```\n````text\n<img>?\n`````\n\n");
}

/* The record's fields are counted and looked at; gives where the next record begins. */
static const char *check_record(const char *at)
{
	size_t fields = 0;

	for (;; at++) {
		const char *first = at + (*at == '"');

		/* A number is written by us; only then may a minus begin a field, and none does. */
		if (strchr("=+-@", *first) && *first)
			fail_msg("a formula: %.40s", at);
		if (*at == '"') {
			for (at++; *at != '"' || at[1] == '"'; at++) {
				assert_int_not_equal(*at, '\0');
				at += *at == '"';
			}
			at++;
		} else {
			at += strcspn(at, ",\r\n\"");
		}
		fields++;
		if (*at != ',')
			break;
	}
	assert_int_equal(fields, CSV_COLUMNS);
	assert_int_equal(strncmp(at, "\r\n", 2), 0);
	return at + 2;
}

static void csv_has_one_whole_record_a_benchmark(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= RANDOM_REPORTS; seed++) {
		AUTO_BUF table = {.bytes_max = REPORT_BYTES_MAX};
		struct report report;
		uint32_t records = 0;

		random_report(&report, seed);
		MUST(report_csv(&table, &report, &must_err));
		for (const char *at = buf_text(&table); *at; records++)
			at = check_record(at);
		assert_int_equal(records, report.benchmarks_count + 1);
		report_release(&report);
	}
}

static void json_is_parsed_back_without_raw_pairs(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= RANDOM_REPORTS; seed++) {
		AUTO_BUF text = {.bytes_max = REPORT_BYTES_MAX};
		struct report report;
		const cJSON *benchmarks;
		cJSON *root;

		random_report(&report, seed);
		MUST(report_json(&text, &report, &must_err));
		root = cJSON_Parse(buf_text(&text));
		assert_non_null(root);
		assert_string_equal(
			cJSON_GetObjectItem(root, "format")->valuestring, "duel-results");
		benchmarks = cJSON_GetObjectItem(root, "benchmarks");
		assert_int_equal(cJSON_GetArraySize(benchmarks), report.benchmarks_count);
		for (uint32_t i = 0; i < report.benchmarks_count; i++) {
			const cJSON *item = cJSON_GetArrayItem(benchmarks, (int)i);

			assert_string_equal(cJSON_GetObjectItem(item, "name")->valuestring,
				report.benchmarks[i].name);
			assert_int_equal(cJSON_GetObjectItem(item, "pairs_count")->valueint,
				report.benchmarks[i].pairs_count);
			assert_null(cJSON_GetObjectItem(item, "pairs"));
		}
		cJSON_Delete(root);
		report_release(&report);
	}
}

static void text_has_no_control_characters_but_its_own(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= RANDOM_REPORTS; seed++) {
		AUTO_BUF text = {.bytes_max = REPORT_BYTES_MAX};
		struct report report;
		char *rest;

		random_report(&report, seed);
		MUST(report_text(
			&text, &report, &(struct report_view){.verbose = true}, &must_err));
		rest = text.data;
		for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
			for (char *part = strsep(&line, "\t"); part; part = strsep(&line, "\t"))
				assert_true(text_is_plain(part, strlen(part)));
		report_release(&report);
	}
}

static void formats_go_by_name_and_by_ending(void **state)
{
	(void)state;
	assert_int_equal(report_format_by_name("markdown"), REPORT_MARKDOWN);
	assert_int_equal(report_format_by_name("Text"), REPORT_FORMATS);
	assert_int_equal(report_format_by_path("a/b.md"), REPORT_MARKDOWN);
	assert_int_equal(report_format_by_path("b.json"), REPORT_JSON);
	assert_int_equal(report_format_by_path("b.json.zst"), REPORT_FORMATS);
	assert_int_equal(report_format_by_path(".csv"), REPORT_FORMATS);
}

static void a_full_buffer_is_an_error_in_every_format(void **state)
{
	struct report report;

	(void)state;
	fill_regressed(&report);
	for (unsigned format = 0; format < REPORT_FORMATS; format++) {
		AUTO_BUF small = {.bytes_max = 200};
		struct err err = {0};

		assert_int_equal(
			report_render(&small, (enum report_format)format, &report, &err), -1);
		assert_int_equal(err.kind, ERR_LIMIT);
	}
	report_release(&report);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_is_its_golden_text),
		cmocka_unit_test(nothing_foreign_acts_in_markdown),
		cmocka_unit_test(what_cannot_be_shown_is_taken_out_of_code),
		cmocka_unit_test(a_log_stays_in_its_block),
		cmocka_unit_test(csv_has_one_whole_record_a_benchmark),
		cmocka_unit_test(json_is_parsed_back_without_raw_pairs),
		cmocka_unit_test(text_has_no_control_characters_but_its_own),
		cmocka_unit_test(formats_go_by_name_and_by_ending),
		cmocka_unit_test(a_full_buffer_is_an_error_in_every_format),
	};

	if (argc > 1 && strcmp(argv[1], "--accept") == 0)
		return accept_goldens();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
