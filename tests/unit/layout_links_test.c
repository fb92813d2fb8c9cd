#include "runner/layout/links.h"

#include "runner/layout/record.h"
#include "sandbox/base/io.h"

#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static struct err err;
static struct links_record record;
static char folder[64];

#define START RECORD_MAGIC "\0linker=/usr/bin/ld\0cwd=/tree\0output=bench\0stored=12ab-3\0"
#define TEN "0123456789"
#define TOO_LONG TEN TEN TEN TEN TEN TEN TEN TEN "01"
/* All bytes of a literal but the zero that C adds: a record's fields bring their own. */
#define PARSE(literal) links_parse(&record, literal, sizeof(literal) - 1, &err)

static void a_record_is_taken_apart(void **state)
{
	(void)state;
	assert_int_equal(PARSE(START "env=LANG=C\0temporary=ab-1\0arg=/tmp/x.o\0copy=cd-2\0"
				     "arg=y.o\0arg=-lz\0"),
		0);
	assert_string_equal(record.linker, "/usr/bin/ld");
	assert_string_equal(record.cwd, "/tree");
	assert_string_equal(record.output, "bench");
	assert_string_equal(record.stored, "12ab-3");
	assert_int_equal(record.env_count, 1);
	assert_string_equal(record.env[0], "LANG=C");
	assert_null(record.env[1]);
	assert_int_equal(record.args_count, 3);
	assert_string_equal(record.args[0].copy, "ab-1");
	assert_true(record.args[0].is_temporary);
	assert_string_equal(record.args[1].copy, "cd-2");
	assert_false(record.args[1].is_temporary);
	assert_string_equal(record.args[2].text, "-lz");
	assert_null(record.args[2].copy);
	links_record_release(&record);
}

static void a_damaged_record_is_refused(void **state)
{
	(void)state;
	assert_int_equal(links_parse(&record, NULL, 0, &err), -1);
	assert_int_equal(PARSE("duel-link 2\0linker=/l\0"), -1);
	assert_string_equal(err.text, "a link record is damaged");
	assert_int_equal(PARSE(START "arg=no end"), -1);
	assert_string_equal(err.text, "a link record is damaged");
	assert_int_equal(PARSE(START "\0arg=x\0"), -1);
	assert_string_equal(err.text, "a link record has an unknown field");
	assert_int_equal(PARSE(START), -1);
	assert_string_equal(err.text, "a link record is incomplete");
	assert_int_equal(PARSE(START "arg=x\0copy=ab-1\0"), -1);
	assert_string_equal(err.text, "a link record is incomplete");
	assert_int_equal(PARSE(START "arg=x\0cwd=/y\0"), -1);
	assert_string_equal(err.text, "a link record says something twice");
	assert_int_equal(PARSE(START "copy=ab-1\0copy=ab-2\0arg=x\0"), -1);
	assert_int_equal(PARSE(START "env=novalue\0arg=x\0"), -1);
	assert_string_equal(err.text, "a link record has a bad environment");
	assert_int_equal(err.kind, ERR_BUILD);
	assert_null(record.bytes);
}

static void a_copy_is_always_one_of_the_store(void **state)
{
	static const char *const bad[] = {"", "../x", "/etc/passwd", "a/b", ".", "..", "AB-1",
		"ab_1", "ab-1\n", TOO_LONG "1"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
		assert_false(links_is_stored_name(bad[i]));
	assert_true(links_is_stored_name("0123abcdef-3f"));
	assert_int_equal(PARSE(START "copy=../x\0arg=x\0"), -1);
	assert_string_equal(err.text, "a link record names no copy of the store");
	assert_int_equal(
		PARSE(RECORD_MAGIC "\0linker=/l\0cwd=/\0output=o\0stored=../o\0arg=x\0"), -1);
	assert_string_equal(err.text, "a link record is incomplete");
}

static void relative_places_are_refused(void **state)
{
	(void)state;
	assert_int_equal(PARSE(RECORD_MAGIC "\0linker=ld\0cwd=/\0output=o\0stored=1\0arg=x\0"), -1);
	assert_int_equal(PARSE(RECORD_MAGIC "\0linker=/l\0cwd=.\0output=o\0stored=1\0arg=x\0"), -1);
}

/* START and then `count` times `field`. */
static int parse_many(const char *field, size_t count)
{
	AUTO_BUF text = {.bytes_max = 64 << 20};

	assert_int_equal(buf_append(&text, START, sizeof(START) - 1, &err), 0);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(buf_append(&text, field, strlen(field) + 1, &err), 0);
	return links_parse(&record, text.data, text.length, &err);
}

static void lengths_and_counts_have_limits(void **state)
{
	AUTO_BUF field = {.bytes_max = 1 << 20};

	(void)state;
	assert_int_equal(parse_many("arg=x", RECORD_ARGS_MAX), 0);
	assert_int_equal(record.args_count, RECORD_ARGS_MAX);
	links_record_release(&record);
	assert_int_equal(parse_many("arg=x", RECORD_ARGS_MAX + 1), -1);
	assert_string_equal(err.text, "a link record has too many arguments");
	assert_int_equal(parse_many("env=A=b", LINKS_ENV_MAX + 1), -1);
	assert_int_equal(buf_append_str(&field, "arg=", &err), 0);
	while (field.length <= LINKS_TEXT_BYTES_MAX)
		assert_int_equal(buf_append_str(&field, "0123456789", &err), 0);
	assert_int_equal(parse_many(buf_text(&field), 1), -1);
	assert_string_equal(err.text, "a link record has too long a field");
	assert_int_equal(parse_many("arg=0123456789012345678901234567890123456789", 1 << 18), -1);
	assert_string_equal(err.text, "a link record is too long");
}

static void put(const char *name, const char *bytes, size_t length)
{
	char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	assert_int_equal(io_replace_file(path, bytes, length, 0644, &err), 0);
}

static void a_directory_is_read_in_order_of_names_and_bad_records_are_counted(void **state)
{
	static const char one[] = START "arg=one\0", two[] = START "arg=two\0";
	struct links links;
	char path[PATH_MAX];
	AUTO_FD fd = open(folder, O_RDONLY | O_DIRECTORY);

	(void)state;
	put("0002.link", two, sizeof(two) - 1);
	put("0001.link", one, sizeof(one) - 1);
	put("0003.link", "nonsense", 8);
	put("0004.link.part", two, sizeof(two) - 1);
	(void)snprintf(path, sizeof(path), "%s/0005.link", folder);
	assert_int_equal(symlink("0001.link", path), 0);
	(void)snprintf(path, sizeof(path), "%s/0006.link", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(links_read(&links, fd, &err), 0);
	assert_int_equal(links.count, 2);
	assert_int_equal(links.refused, 3);
	assert_string_equal(links.items[0].args[0].text, "one");
	assert_string_equal(links.items[1].args[0].text, "two");
	links_release(&links);
}

static int make(void **state)
{
	(void)state;
	(void)strcpy(folder, "/tmp/duel-links.XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_all(void **state)
{
	(void)state;
	return io_remove_tree(folder, &err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_is_taken_apart),
		cmocka_unit_test(a_damaged_record_is_refused),
		cmocka_unit_test(a_copy_is_always_one_of_the_store),
		cmocka_unit_test(relative_places_are_refused),
		cmocka_unit_test(lengths_and_counts_have_limits),
		cmocka_unit_test(a_directory_is_read_in_order_of_names_and_bad_records_are_counted),
	};

	return cmocka_run_group_tests(tests, make, remove_all);
}
