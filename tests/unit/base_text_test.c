#include "sandbox/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

static void numbers_are_digits_only_and_in_range(void **state)
{
	static const char *const refused[] = {
		"", "-1", "+1", " 1", "1 ", "0x10", "1.0", "1e3", "\xd9\xa1", "12a"};
	uint64_t value = 77;

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(refused); i++)
		assert_false(text_to_u64(refused[i], UINT64_MAX, &value));
	assert_int_equal(value, 77);
	assert_true(text_to_u64("0", 0, &value));
	assert_int_equal(value, 0);
	assert_true(text_to_u64("007", 7, &value));
	assert_int_equal(value, 7);
}

static void numbers_stop_exactly_at_the_largest(void **state)
{
	uint64_t value = 0;

	(void)state;
	assert_true(text_to_u64("18446744073709551615", UINT64_MAX, &value));
	assert_true(value == UINT64_MAX);
	assert_false(text_to_u64("18446744073709551616", UINT64_MAX, &value));
	assert_false(text_to_u64("99999999999999999999", UINT64_MAX, &value));
	assert_false(text_to_u64("184467440737095516150", UINT64_MAX, &value));
	assert_true(text_to_u64("100", 100, &value));
	assert_false(text_to_u64("101", 100, &value));
	assert_false(text_to_u64("5", 4, &value));
	assert_false(text_to_u64("1", 0, &value));
	assert_true(text_to_u64("19", 19, &value));
	assert_false(text_to_u64("20", 19, &value));
}

static void decimals_are_finite_and_decimal(void **state)
{
	static const char *const refused[] = {"", " 1", "+1", "1 ", "nan", "inf", "-inf", "0x1p3",
		"0X10", "1e999", "-1e999", "1e-999", "1,5", "1.5x", "e", ".", "-", "1e",
		"infinity"};
	double value = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(refused); i++)
		assert_false(text_to_double(refused[i], &value));
	assert_true(text_to_double("1.02", &value));
	assert_true(fabs(value - 1.02) < 1e-15);
	assert_true(text_to_double("-.5", &value));
	assert_true(fabs(value + 0.5) < 1e-15);
	assert_true(text_to_double("1E3", &value));
	assert_true(fabs(value - 1000) < 1e-9);
}

static bool plain(const char *text)
{
	return text_is_plain(text, strlen(text));
}

static void well_formed_utf8_is_plain(void **state)
{
	(void)state;
	assert_true(plain(""));
	assert_true(plain("parse: small"));
	assert_true(plain("größe ∑ 漢字 😀"));
	assert_true(plain("\xf0\x90\x80\x80"));
	assert_true(plain("\xed\x9f\xbf"));
}

static void malformed_utf8_is_refused(void **state)
{
	static const char *const refused[] = {
		"\x80",             /* a continuation alone */
		"a\xc3",            /* cut */
		"\xc0\xaf",         /* overlong, two bytes */
		"\xe0\x80\xaf",     /* overlong, three */
		"\xf0\x80\x80\xaf", /* overlong, four */
		"\xed\xa0\x80",     /* a surrogate */
		"\xf4\x90\x80\x80", /* above U+10FFFF */
		"\xf5\x80\x80\x80",
		"\xff",
		"\xe2\x82(",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(refused); i++)
		assert_false(plain(refused[i]));
	assert_false(text_is_plain("a\0b", 3));
	assert_false(text_is_plain("\xe2\x82\xac", 2));
}

static void what_acts_on_a_reader_is_refused(void **state)
{
	static const char *const refused[] = {
		"a\nb", "a\tb", "\033[31m", "\x7f", "\xc2\x9b",     /* controls, C1 too */
		"\xe2\x80\xae", "\xe2\x81\xa6", "\xd8\x9c",         /* bidirectional */
		"\xe2\x80\x8b", "\xef\xbb\xbf", "\xc2\xad",         /* zero width */
		"\xe2\x80\xa8", "\xf3\xa0\x81\x81", "\xef\xbf\xbe", /* line separator, tags */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LENGTH(refused); i++)
		assert_false(plain(refused[i]));
}

static void made_printable_text_is_always_plain(void **state)
{
	unsigned seed = 12345;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		char text[24];

		for (size_t i = 0; i < sizeof(text) - 1; i++) {
			seed = seed * 1664525u + 1013904223u;
			text[i] = (char)(unsigned char)(seed >> 24);
		}
		text[sizeof(text) - 1] = '\0';
		text_make_printable(text);
		assert_true(plain(text));
	}
}

static void printable_text_keeps_what_was_harmless(void **state)
{
	char mixed[] = "ok \xc3\xa9\tx\ny\x1b[0m\xe2\x80\xae!";
	char lines[] = "a\tb\r\nc\x07";

	(void)state;
	text_make_printable(mixed);
	assert_string_equal(mixed, "ok \xc3\xa9 x y?[0m?\?\?!");
	text_make_printable_lines(lines);
	assert_string_equal(lines, "a\tb?\nc?");
}

static void copies_are_bounded_and_terminated(void **state)
{
	char small[4];

	(void)state;
	assert_true(text_copy(small, sizeof(small), "abc"));
	assert_string_equal(small, "abc");
	assert_false(text_copy(small, sizeof(small), "abcd"));
	assert_string_equal(small, "abc");
	assert_true(text_copy(small, sizeof(small), ""));
	assert_string_equal(small, "");
	assert_false(text_copy(small, 1, "x"));
	assert_string_equal(small, "");
}

static void names_match_shell_patterns(void **state)
{
	(void)state;
	assert_true(text_matches("*", ""));
	assert_true(text_matches("parse: *", "parse: small"));
	assert_true(text_matches("client: *TCP*", "client: keep-alive TCP 4"));
	assert_true(text_matches("a?c", "abc"));
	assert_true(text_matches("**", "a/b"));
	assert_true(text_matches("a*b*c", "a/b/b-c"));
	assert_false(text_matches("parse", "parse: small"));
	assert_false(text_matches("a?c", "ac"));
	assert_false(text_matches("", "x"));
	assert_true(text_matches("", ""));
}

static void a_star_in_a_path_stays_in_its_part(void **state)
{
	(void)state;
	assert_true(text_matches_path("*.c", "a.c"));
	assert_false(text_matches_path("*.c", "src/a.c"));
	assert_true(text_matches_path("src/*.c", "src/a.c"));
	assert_false(text_matches_path("src/*.c", "src/x/a.c"));
	assert_false(text_matches_path("src?a.c", "src/a.c"));
	assert_true(text_matches_path("*/*/c", "a/b/c"));
	assert_false(text_matches_path("*/c", "a/b/c"));
}

static void a_double_star_takes_whole_parts_or_none(void **state)
{
	(void)state;
	assert_true(text_matches_path("src/**", "src/a/b/c.c"));
	assert_true(text_matches_path("**", "a/b"));
	assert_true(text_matches_path("**/x.c", "x.c"));
	assert_true(text_matches_path("**/x.c", "a/b/x.c"));
	assert_false(text_matches_path("**/x.c", "a/box.c"));
	assert_true(text_matches_path("src/**/x.c", "src/x.c"));
	assert_true(text_matches_path("src/**/x.c", "src/a/b/x.c"));
	assert_false(text_matches_path("src/**/x.c", "src/ax.c"));
	assert_false(text_matches_path("src/**/x.c", "srcx.c"));
	assert_true(text_matches_path("**/a*b/**/c", "x/acb/y/z/c"));
	assert_true(text_matches_path("**/a*b/**/c", "axb/c"));
	assert_false(text_matches_path("**/a*b/**/c", "a/b/c"));
	assert_true(text_matches_path("a**/b", "ax/y/b"));
	assert_true(text_matches_path("**/*.h", "include/duel.h"));
}

static void a_folder_matches_all_below_it_and_only_that(void **state)
{
	(void)state;
	assert_true(text_matches_path("duel/", "duel/bench.c"));
	assert_true(text_matches_path("duel/", "duel/a/b"));
	assert_false(text_matches_path("duel/", "duel"));
	assert_false(text_matches_path("duel/", "duels/a"));
	assert_true(text_matches_path("*/data/", "x/data/y/z"));
	assert_false(text_matches_path("*/data/", "x/y/data/z"));
	assert_true(text_matches_path("**/data/", "x/y/data/z"));
	assert_false(text_matches_path("**/data/", "x/y/mydata/z"));
}

static void names_are_bytes(void **state)
{
	(void)state;
	assert_true(text_matches_path("a b/*\n*", "a b/x\ny"));
	assert_true(text_matches_path("*.\xff", "\xfe.\xff"));
}

static void a_pattern_made_to_be_slow_is_not(void **state)
{
	char text[4001];
	char pattern[401];

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (size_t i = 0; i + 1 < sizeof(pattern); i += 2)
		memcpy(pattern + i, "a*", 2);
	pattern[sizeof(pattern) - 2] = 'b';
	pattern[sizeof(pattern) - 1] = '\0';
	/* Exponential backtracking would not end within anybody's patience. */
	assert_false(text_matches(pattern, text));
	assert_false(text_matches_path(pattern, text));
}

static void the_nearest_word_is_found_when_it_is_near(void **state)
{
	static const char *const names[] = {"benchmarks", "build", "budget_s", "limits"};

	(void)state;
	assert_string_equal(text_nearest("benchmark", names, 4), "benchmarks");
	assert_string_equal(text_nearest("limit", names, 4), "limits");
	assert_string_equal(text_nearest("biuld", names, 4), "build");
	assert_null(text_nearest("completely", names, 4));
	assert_null(text_nearest("x", names, 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_digits_only_and_in_range),
		cmocka_unit_test(numbers_stop_exactly_at_the_largest),
		cmocka_unit_test(decimals_are_finite_and_decimal),
		cmocka_unit_test(well_formed_utf8_is_plain),
		cmocka_unit_test(malformed_utf8_is_refused),
		cmocka_unit_test(what_acts_on_a_reader_is_refused),
		cmocka_unit_test(made_printable_text_is_always_plain),
		cmocka_unit_test(printable_text_keeps_what_was_harmless),
		cmocka_unit_test(copies_are_bounded_and_terminated),
		cmocka_unit_test(names_match_shell_patterns),
		cmocka_unit_test(a_star_in_a_path_stays_in_its_part),
		cmocka_unit_test(a_double_star_takes_whole_parts_or_none),
		cmocka_unit_test(a_folder_matches_all_below_it_and_only_that),
		cmocka_unit_test(names_are_bytes),
		cmocka_unit_test(a_pattern_made_to_be_slow_is_not),
		cmocka_unit_test(the_nearest_word_is_found_when_it_is_near),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
