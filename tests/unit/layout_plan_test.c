/*
 * From a record and what the linker and ar said about it to the response file of a new link.
 */
#include "runner/layout/links.h"
#include "runner/layout/record.h"
#include "runner/layout/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SLOTS_MAX 16

static struct err err;

/* An archive and what `ar tP` says of it. */
struct listing {
	const char *path, *members;
	bool is_thin;
};

/* The words of a record, "|" between them. "/tmp/..." has a copy, as has "changed.o". */
static void read_words(
	struct words *words, struct links_record *record, const char *text, bool always)
{
	AUTO_BUF bytes = {.bytes_max = 10000};
	static const char start[] = RECORD_MAGIC
		"\0linker=/usr/bin/ld\0cwd=/tree\0output=o\0stored=1\0";

	assert_int_equal(buf_append(&bytes, start, sizeof(start) - 1, &err), 0);
	while (*text) {
		size_t length = strcspn(text, "|");

		if (strncmp(text, "/tmp/", 5) == 0)
			assert_int_equal(buf_append(&bytes, "temporary=aa", 13, &err), 0);
		if (strncmp(text, "changed", 7) == 0)
			assert_int_equal(buf_append(&bytes, "copy=bb", 8, &err), 0);
		assert_int_equal(buf_append_str(&bytes, "arg=", &err), 0);
		assert_int_equal(buf_append(&bytes, text, length, &err), 0);
		assert_int_equal(buf_append(&bytes, "", 1, &err), 0);
		text += length + (text[length] == '|');
	}
	assert_int_equal(links_parse(record, bytes.data, bytes.length, &err), 0);
	assert_int_equal(words_make(words, record, "/copies", always, &err), 0);
}

static void list_members(struct archives *archives, const struct listing *listings)
{
	for (; listings && listings->path; listings++)
		for (size_t i = 0; i < archives->count; i++) {
			struct archive *archive = &archives->items[i];

			if (strcmp(archive->path, listings->path) != 0)
				continue;
			archive->is_thin = listings->is_thin;
			assert_int_equal(
				archive_split(&archive->members, listings->members, &err), 0);
		}
}

/* The response file as one line, words with "|" between them; pads are "<c16>", "<f05>". */
static void join(char *line, size_t line_bytes, const char *text)
{
	size_t used = 0;

	line[0] = '\0';
	while (*text) {
		size_t length = strcspn(text, "\n");
		bool is_pad = strncmp(text, "/pads/", 6) == 0;
		int wrote = snprintf(line + used, line_bytes - used, "%s%s%.*s%s", used ? "|" : "",
			is_pad ? "<" : "", (int)(is_pad ? 3 : length), text + (is_pad ? 6 : 0),
			is_pad ? ">" : "");

		assert_true(wrote > 0 && (size_t)wrote < line_bytes - used);
		used += (size_t)wrote;
		text += length + (text[length] == '\n');
	}
}

static void expect_plan(const char *words_text, const char *trace_text,
	const struct listing *listings, const char *expected)
{
	static const struct replay_places places = {"/pads", "/out", "/resolution"};
	unsigned fine[SLOTS_MAX];
	struct links_record record;
	struct words words;
	struct archive_names trace;
	struct archives archives;
	struct replay replay;
	struct draw draw = {.fine = fine};
	AUTO_BUF text = {.bytes_max = 100000};
	char line[4000];

	read_words(&words, &record, words_text, false);
	assert_int_equal(archive_split(&trace, trace_text, &err), 0);
	assert_int_equal(archive_read_trace(&archives, &trace, &err), 0);
	list_members(&archives, listings);
	assert_int_equal(
		replay_make(&replay,
			&(struct replay_facts){&words, &archives, &trace, "/tree", "/m"}, &err),
		0);
	assert_in_range(replay.slots, 1, SLOTS_MAX);
	draw.slots = replay.slots;
	draw_make_trial(&draw);
	assert_int_equal(replay_text(&text, &replay, &draw, &places, &err), 0);
	join(line, sizeof(line), buf_text(&text));
	assert_string_equal(line, expected);
	replay_release(&replay);
	archive_release_all(&archives);
	archive_names_release(&trace);
	words_release(&words);
	links_record_release(&record);
}

static void own_objects_get_a_pad_and_the_systems_do_not(void **state)
{
	(void)state;
	expect_plan("-pie|/usr/lib/crt1.o|main.o|/usr/lib/../../home/x.o|-lc|/usr/lib/crtn.o", "",
		NULL,
		"-S|-o|/out|-pie|<c16>|/usr/lib/crt1.o|<f05>|main.o|<f05>|/usr/lib/../../home/x.o|"
		"-lc|/usr/lib/crtn.o|<f05>");
}

static void outputs_and_reports_are_left_out(void **state)
{
	(void)state;
	expect_plan("-o|bench|-obench|--output=bench|-Map|x.map|-Map=y.map|--dependency-file=d|-s|"
		    "--strip-all|-t|--trace|-plugin-opt=obj-path=z|--gdb-index|a.o",
		"", NULL, "-S|-o|/out|<c16>|<f05>|a.o|<f05>");
}

static void values_of_options_are_no_inputs(void **state)
{
	(void)state;
	expect_plan("-m|elf_x86_64|-soname|lib.o|--defsym|a=b|-z|now|-L|dir|-rpath=x|-T|t.ld|a.o",
		"", NULL,
		"-S|-o|/"
		"out|-m|elf_x86_64|-soname|lib.o|--defsym|a=b|-z|now|-L|dir|-rpath=x|-T|t.ld|"
		"<c16>|<f05>|a.o|<f05>");
}

static void what_is_gone_is_replaced_by_its_copy(void **state)
{
	(void)state;
	expect_plan("/tmp/cc1.o|changed.o|/tmp/libx.so|-T|/tmp/script", "", NULL,
		"-S|-o|/out|<c16>|<f05>|/copies/aa|<f05>|changed.o|<f05>|/tmp/libx.so|-T|/copies/"
		"aa|"
		"<f05>");
}

static void copies_of_all_can_be_asked_for(void **state)
{
	struct links_record record;
	struct words words;

	(void)state;
	read_words(&words, &record, "changed.o|a.o", true);
	assert_string_equal(words.items[0].text, "/copies/bb");
	assert_string_equal(words.items[1].text, "a.o");
	words_release(&words);
	links_record_release(&record);
}

static void the_plugins_scratch_file_is_named_anew(void **state)
{
	(void)state;
	expect_plan("-plugin-opt=-fresolution=/tmp/r|-plugin-opt|-fresolution=/tmp/r|a.o", "", NULL,
		"-S|-o|/out|-plugin-opt=-fresolution=/resolution|-plugin-opt|-fresolution=/"
		"resolution|<c16>|<f05>|a.o|<f05>");
}

static void members_are_named_before_their_archive_in_the_order_of_the_trace(void **state)
{
	static const struct listing listings[] = {{"libx.a", "f.o\ng.o\nh.o\n", false}, {0}};

	(void)state;
	expect_plan("a.o|libx.a|libx.a", "a.o\nlibx.a\n(libx.a)h.o\n(libx.a)f.o\n", listings,
		"-S|-o|/out|<c16>|<f05>|a.o|<f05>|/m/0.0/h.o|<f05>|/m/0.0/f.o|libx.a|libx.a|<f05>");
}

static void a_library_is_found_by_what_the_trace_says(void **state)
{
	static const struct listing listings[] = {{"./libx.a", "f.o\n", false}, {0}};

	(void)state;
	expect_plan("a.o|-L.|-lx", "a.o\n./libx.a(f.o)\n", listings,
		"-S|-o|/out|<c16>|<f05>|a.o|-L.|<f05>|/m/0.0/f.o|-lx|<f05>");
	expect_plan("a.o|-lx", "a/libx.a(f.o)\nb/libx.a(f.o)\n", NULL,
		"-S|-o|/out|<c16>|<f05>|a.o|-lx|<f05>");
	expect_plan("a.o|-lc", "/usr/lib/libc.a(f.o)\n", NULL,
		"-S|-o|/out|<c16>|<f05>|a.o|<f05>|-lc|<f05>");
}

static void a_whole_archive_is_replaced_by_its_members(void **state)
{
	static const struct listing listings[] = {{"libx.a", "f.o\ng.o\nf.o\n", false}, {0}};

	(void)state;
	expect_plan("--push-state|--whole-archive|libx.a|--pop-state|a.o", "libx.a\n", listings,
		"-S|-o|/out|--push-state|--whole-archive|<c16>|<f05>|/m/0.1/f.o|<f05>|/m/0.0/g.o|"
		"<f05>|/m/0.2/f.o|--pop-state|<f05>|a.o|<f05>");
}

static void of_members_of_one_name_all_are_named_or_none(void **state)
{
	static const struct listing listings[] = {{"libx.a", "f.o\nf.o\ng.o\n", false}, {0}};

	(void)state;
	expect_plan("libx.a", "(libx.a)f.o\n(libx.a)g.o\n", listings,
		"-S|-o|/out|<c16>|<f05>|/m/0.0/g.o|libx.a|<f05>");
	expect_plan("libx.a", "(libx.a)f.o\n(libx.a)f.o\n", listings,
		"-S|-o|/out|<c16>|<f05>|/m/0.1/f.o|<f05>|/m/0.2/f.o|libx.a|<f05>");
}

static void a_thin_archives_members_are_files(void **state)
{
	static const struct listing listings[] = {{"l/libx.a", "l/f.o\nl/g.o\n", true}, {0}};

	(void)state;
	expect_plan("l/libx.a", "l/libx.a\n./l/g.o\n", listings,
		"-S|-o|/out|<c16>|<f05>|l/g.o|l/libx.a|<f05>");
	expect_plan("l/libx.a", "l/libx.a(f.o)\n", listings,
		"-S|-o|/out|<c16>|<f05>|l/f.o|l/libx.a|<f05>");
}

static void names_of_members_lead_nowhere_else(void **state)
{
	static const struct listing listings[] = {
		{"libx.a", "../../etc/x.o\n", false}, {"liby.a", "-o\n", false}, {0}};

	(void)state;
	expect_plan("libx.a|liby.a", "(libx.a)../../etc/x.o\n(liby.a)-o\n", listings,
		"-S|-o|/out|<c16>|<f05>|libx.a|<f05>|liby.a|<f05>");
}

static void no_pad_is_put_where_none_would_be_linked(void **state)
{
	(void)state;
	expect_plan("--start-lib|a.o|--end-lib|-b|binary|data|-b|elf64-x86-64|b.o", "", NULL,
		"-S|-o|/out|--start-lib|a.o|--end-lib|-b|binary|data|-b|elf64-x86-64|<c16>|<f05>|"
		"b.o|<f05>");
}

static void hidden_libraries_are_left_whole(void **state)
{
	static const struct listing listings[] = {{"libx.a", "f.o\n", false}, {0}};

	(void)state;
	expect_plan("--exclude-libs|ALL|libx.a", "(libx.a)f.o\n", listings,
		"-S|-o|/out|--exclude-libs|ALL|<c16>|<f05>|libx.a|<f05>");
}

static void words_are_written_so_that_linkers_read_them_as_they_are(void **state)
{
	(void)state;
	expect_plan("a b.o|\"q\\.o|'.o|@x.o|$HOME|#y.o", "", NULL,
		"-S|-o|/out|<c16>|<f05>|a\\ "
		"b.o|<f05>|\\\"q\\\\.o|<f05>|\\'.o|<f05>|\\@x.o|<f05>|\\$"
		"HOME|<f05>|\\#y.o|<f05>");
}

static void a_trace_of_nonsense_is_no_archive(void **state)
{
	struct archive_names trace;
	struct archives archives;

	(void)state;
	assert_int_equal(
		archive_split(&trace, "()x\n(\n)\n(a)\n()\nx()\n.a\n\n(((\nplain\n", &err), 0);
	assert_int_equal(archive_read_trace(&archives, &trace, &err), 0);
	assert_int_equal(archives.count, 0);
	archive_release_all(&archives);
	archive_names_release(&trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_objects_get_a_pad_and_the_systems_do_not),
		cmocka_unit_test(outputs_and_reports_are_left_out),
		cmocka_unit_test(values_of_options_are_no_inputs),
		cmocka_unit_test(what_is_gone_is_replaced_by_its_copy),
		cmocka_unit_test(copies_of_all_can_be_asked_for),
		cmocka_unit_test(the_plugins_scratch_file_is_named_anew),
		cmocka_unit_test(members_are_named_before_their_archive_in_the_order_of_the_trace),
		cmocka_unit_test(a_library_is_found_by_what_the_trace_says),
		cmocka_unit_test(a_whole_archive_is_replaced_by_its_members),
		cmocka_unit_test(of_members_of_one_name_all_are_named_or_none),
		cmocka_unit_test(a_thin_archives_members_are_files),
		cmocka_unit_test(names_of_members_lead_nowhere_else),
		cmocka_unit_test(no_pad_is_put_where_none_would_be_linked),
		cmocka_unit_test(hidden_libraries_are_left_whole),
		cmocka_unit_test(words_are_written_so_that_linkers_read_them_as_they_are),
		cmocka_unit_test(a_trace_of_nonsense_is_no_archive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
