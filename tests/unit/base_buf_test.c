#include "sandbox/base/buf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>

#include <cmocka.h>
#include <stdint.h>
#include <string.h>

static void an_empty_buffer_reads_as_an_empty_string(void **state)
{
	struct buf buf;

	(void)state;
	buf_init(&buf, 10);
	assert_string_equal(buf_text(&buf), "");
	buf_release(&buf);
	buf_release(&buf);
}

static void contents_are_terminated_after_each_append(void **state)
{
	AUTO_BUF buf;
	struct err err;

	(void)state;
	buf_init(&buf, 1000);
	for (int i = 0; i < 300; i++) {
		assert_int_equal(buf_append(&buf, "xyz", 3, &err), 0);
		assert_int_equal(strlen(buf.data), buf.length);
	}
	assert_int_equal(buf.length, 900);
	assert_int_equal(buf_append(&buf, "a\0b", 3, &err), 0);
	assert_int_equal(buf.length, 903);
}

static void exactly_the_maximum_fits_and_one_byte_more_does_not(void **state)
{
	AUTO_BUF buf;
	struct err err = {0};

	(void)state;
	buf_init(&buf, 4);
	assert_int_equal(buf_append_str(&buf, "abcd", &err), 0);
	assert_int_equal(buf_append(&buf, "e", 1, &err), -1);
	assert_int_equal(err.kind, ERR_LIMIT);
	assert_string_equal(err.text, "more than 4 bytes");
	assert_string_equal(buf_text(&buf), "abcd");
	assert_int_equal(buf_append(&buf, NULL, 0, &err), 0);
	buf_clear(&buf);
	assert_string_equal(buf_text(&buf), "");
	assert_int_equal(buf_append_str(&buf, "efgh", &err), 0);
}

static void a_length_near_the_end_of_the_address_space_does_not_wrap(void **state)
{
	AUTO_BUF buf;
	struct err err = {0};

	(void)state;
	buf_init(&buf, 100);
	assert_int_equal(buf_append_str(&buf, "abc", &err), 0);
	assert_int_equal(buf_append(&buf, "x", SIZE_MAX, &err), -1);
	assert_int_equal(buf_append(&buf, "x", SIZE_MAX - 2, &err), -1);
	assert_string_equal(buf_text(&buf), "abc");
}

static void a_printed_text_that_does_not_fit_changes_nothing(void **state)
{
	AUTO_BUF buf;
	struct err err = {0};

	(void)state;
	buf_init(&buf, 8);
	assert_int_equal(buf_printf(&buf, &err, "%d-%s", 12, "ab"), 0);
	assert_int_equal(buf_printf(&buf, &err, "%s", "wxyz"), -1);
	assert_int_equal(err.kind, ERR_LIMIT);
	assert_string_equal(buf_text(&buf), "12-ab");
	assert_int_equal(buf_printf(&buf, &err, "%s", "xyz"), 0);
	assert_string_equal(buf_text(&buf), "12-abxyz");
}

static void the_tail_is_what_came_last(void **state)
{
	AUTO_BUF buf;
	struct err err;

	(void)state;
	buf_init(&buf, 100);
	buf_keep_tail(&buf, 3);
	assert_int_equal(buf_append_str(&buf, "0123456789", &err), 0);
	buf_keep_tail(&buf, 20);
	assert_string_equal(buf_text(&buf), "0123456789");
	buf_keep_tail(&buf, 3);
	assert_string_equal(buf_text(&buf), "789");
	buf_keep_tail(&buf, 0);
	assert_string_equal(buf_text(&buf), "");
}

static void taking_the_string_leaves_an_empty_buffer_of_the_same_maximum(void **state)
{
	AUTO_BUF buf;
	struct err err;
	char *taken;

	(void)state;
	buf_init(&buf, 5);
	taken = buf_take(&buf, &err);
	assert_string_equal(taken, "");
	free(taken);
	assert_int_equal(buf_append_str(&buf, "abcde", &err), 0);
	taken = buf_take(&buf, &err);
	assert_string_equal(taken, "abcde");
	free(taken);
	assert_int_equal(buf.length, 0);
	assert_int_equal(buf_append_str(&buf, "fghij", &err), 0);
	assert_int_equal(buf_append_str(&buf, "k", &err), -1);
}

static void it_behaves_as_a_plain_array_would(void **state)
{
	char model[513];
	size_t length = 0;
	unsigned seed = 7;
	AUTO_BUF buf;
	struct err err;

	(void)state;
	buf_init(&buf, sizeof(model) - 1);
	for (int step = 0; step < 20000; step++) {
		char bytes[64];
		size_t count;

		seed = seed * 1664525u + 1013904223u;
		count = (seed >> 16) % sizeof(bytes);
		memset(bytes, (int)('a' + (seed >> 8) % 26), sizeof(bytes));
		if (seed >> 29 == 0) {
			buf_keep_tail(&buf, count);
			if (count < length) {
				memmove(model, model + length - count, count);
				length = count;
			}
		} else if (length + count < sizeof(model)) {
			memcpy(model + length, bytes, count);
			length += count;
			assert_int_equal(buf_append(&buf, bytes, count, &err), 0);
		} else {
			assert_int_equal(buf_append(&buf, bytes, count, &err), -1);
		}
		assert_int_equal(buf.length, length);
		assert_memory_equal(buf_text(&buf), model, length);
		assert_int_equal(buf_text(&buf)[length], '\0');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_buffer_reads_as_an_empty_string),
		cmocka_unit_test(contents_are_terminated_after_each_append),
		cmocka_unit_test(exactly_the_maximum_fits_and_one_byte_more_does_not),
		cmocka_unit_test(a_length_near_the_end_of_the_address_space_does_not_wrap),
		cmocka_unit_test(a_printed_text_that_does_not_fit_changes_nothing),
		cmocka_unit_test(the_tail_is_what_came_last),
		cmocka_unit_test(taking_the_string_leaves_an_empty_buffer_of_the_same_maximum),
		cmocka_unit_test(it_behaves_as_a_plain_array_would),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
