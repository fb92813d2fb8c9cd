/*
 * FORMAT.md, schema.json and fields.h say the same: an independent validator takes what the writer
 * writes and refuses what the reader refuses.
 */
#include "tests/unit/report_random.h"

#include "runner/artifact/document.h"
#include "runner/artifact/parse.h"
#include "sandbox/base/io.h"

#include <sys/wait.h>

#define SCHEMA "runner/artifact/schema.json"
#define FORMAT "runner/artifact/FORMAT.md"
#define DOCUMENTS 60
#define PATH_ROOM 80

/* Exit status of the validator on these files, at most DOCUMENTS of them; NULL behind the last. */
static int validate(char *const *paths)
{
	const char *argv[DOCUMENTS + 4] = {"python3", "tests/artifact/validate.py", SCHEMA};
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	for (size_t i = 0; paths[i]; i++)
		argv[3 + i] = paths[i];
	if (child == 0) {
		(void)execvp(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool validator_is_here(void)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		(void)execlp("python3", "python3", "-c", "import jsonschema", NULL);
		_exit(127);
	}
	return waitpid(child, &status, 0) == child && status == 0;
}

static void write_document(const char *path, uint64_t seed)
{
	AUTO_BUF text = {.bytes_max = SCHEMA_BYTES_MAX};
	struct report report;

	random_report(&report, seed);
	MUST(document_write(&text, &report, DOCUMENT_ARTIFACT, &must_err));
	MUST(io_replace_file(path, text.data, text.length, 0600, &must_err));
	report_release(&report);
}

static void the_validator_takes_what_the_writer_writes(void **state)
{
	char folder[] = "/tmp/duel-schema-XXXXXX", paths[DOCUMENTS][PATH_ROOM];
	char *list[DOCUMENTS + 1] = {0};

	(void)state;
	if (!validator_is_here())
		skip();
	assert_non_null(mkdtemp(folder));
	for (unsigned i = 0; i < DOCUMENTS; i++) {
		(void)snprintf(paths[i], PATH_ROOM, "%s/%u.json", folder, i);
		write_document(paths[i], i + 1);
		list[i] = paths[i];
	}
	assert_int_equal(validate(list), 0);
	MUST(io_remove_tree(folder, &must_err));
}

/* A whole document, and in it what stands for what breaks it. */
struct broken {
	const char *what, *find, *put;
};

static const struct broken broken[] = {
	{"another format", "\"format\":\"duel\"", "\"format\":\"dual\""},
	{"another major", "\"major\":1", "\"major\":2"},
	{"an unknown member", "\"major\":1", "\"major\":1,\"extra\":0"},
	{"a missing member", "\"null_trusted\":false,", ""},
	{"an unknown verdict", "\"verdict\":\"failed\"", "\"verdict\":\"won\""},
	{"a number for a text", "\"failure\":\"no\"", "\"failure\":7"},
	{"a seed as a number", "\"seed\":\"9\"", "\"seed\":9"},
	{"a negative number", "\"noise_floor\":0", "\"noise_floor\":-1"},
	{"a ratio without its end", "\"across\":{\"ratio\":0,\"low\":0,",
		"\"across\":{\"ratio\":0,"},
	{"a flag that is a word", "\"strict\":false", "\"strict\":\"no\""},
	{"a share above 1", "\"steal\":0", "\"steal\":1.5"},
	{"benchmarks that are no list", "\"benchmarks\":[", "\"benchmarks\":0,\"more\":["},
	{"an empty name", "\"name\":\"b\"", "\"name\":\"\""},
	{"too many pairs asked for", "\"pairs_max\":0", "\"pairs_max\":129"},
	{"pairs that are no base64", "\"pairs\":\"\"", "\"pairs\":\"%%%%\""},
	{"a fraction of an item", "\"items\":0", "\"items\":0.5"},
};

/* The caller frees it. NULL where `find` is not there exactly once. */
static char *replaced(const char *text, const struct broken *change)
{
	const char *at = strstr(text, change->find);
	char *out = NULL;

	if (at && !strstr(at + 1, change->find))
		assert_true(asprintf(&out, "%.*s%s%s", (int)(at - text), text, change->put,
				    at + strlen(change->find)) > 0);
	return out;
}

static void make_plain(struct buf *text)
{
	struct report_benchmark *benchmark;
	struct report report;

	report_init(&report);
	report.verdict = RUN_FAILED;
	report.seed = 9;
	MUST(report_set(&report.failure, "no", SCHEMA_TEXT_BYTES_MAX, &must_err));
	MUST(report_add_benchmark(&report, &benchmark, &must_err));
	MUST(report_set(&benchmark->name, "b", SCHEMA_NAME_BYTES_MAX, &must_err));
	MUST(document_write(text, &report, DOCUMENT_ARTIFACT, &must_err));
	report_release(&report);
}

static void what_the_reader_refuses_the_schema_refuses_too(void **state)
{
	char folder[] = "/tmp/duel-schema-XXXXXX", path[PATH_ROOM];
	AUTO_BUF plain = {.bytes_max = SCHEMA_BYTES_MAX};
	char *list[] = {path, NULL};

	(void)state;
	if (!validator_is_here())
		skip();
	assert_non_null(mkdtemp(folder));
	make_plain(&plain);
	(void)snprintf(path, sizeof(path), "%s/broken.json", folder);
	for (size_t i = 0; i < ARRAY_LENGTH(broken); i++) {
		AUTO_STR text = replaced(buf_text(&plain), &broken[i]);
		struct report report;
		struct err err = {0};

		if (!text)
			fail_msg("%s: not once in %s", broken[i].what, buf_text(&plain));
		if (parse_document(&report, text, strlen(text), &err) == 0)
			fail_msg("%s: the reader took it", broken[i].what);
		MUST(io_replace_file(path, text, strlen(text), 0600, &must_err));
		if (validate(list) != 1)
			fail_msg("%s: the schema took it", broken[i].what);
	}
	MUST(io_remove_tree(folder, &must_err));
}

static void assert_explained(const struct fields_section *section, const char *format)
{
	for (size_t i = 0; i < section->count; i++) {
		char quoted[PATH_ROOM];

		(void)snprintf(quoted, sizeof(quoted), "`%s`", section->fields[i].name);
		if (!strstr(format, quoted))
			fail_msg("FORMAT.md does not explain %s", quoted);
	}
}

static void format_md_explains_every_member(void **state)
{
	AUTO_BUF format = {.bytes_max = 1u << 20};

	(void)state;
	MUST(io_read_file(&format, FORMAT, &must_err));
	assert_explained(&fields_root, buf_text(&format));
	assert_explained(&fields_benchmark, buf_text(&format));
	assert_explained(&fields_ratio, buf_text(&format));
	for (size_t i = 0; i < FIELDS_SECTIONS; i++)
		assert_explained(&fields_sections[i], buf_text(&format));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_validator_takes_what_the_writer_writes),
		cmocka_unit_test(what_the_reader_refuses_the_schema_refuses_too),
		cmocka_unit_test(format_md_explains_every_member),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
