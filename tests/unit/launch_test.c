#include "tests/workers/fake_sandbox.h"
#include "tests/workers/test_launch.h"

#include "runner/worker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static struct err err;

/* Where the worker's C library and heap lie when started with these offsets. */
static void places(const struct launch_offsets *offsets, char *text, size_t bytes)
{
	AUTO_BUF maps = {.bytes_max = 1u << 20};
	struct test_launch test;
	struct worker worker;
	char path[64];
	const char *line;

	test_launch_make(&test, "steady", NULL, NULL);
	assert_int_equal(worker_start(&worker, &test.launch, offsets, -1, &err), 0);
	(void)snprintf(path, sizeof(path), "/proc/%d/maps", worker.process.pid);
	assert_int_equal(io_read_file(&maps, path, &err), 0);
	line = strstr(buf_text(&maps), "/libc");
	assert_non_null(line);
	while (line > maps.data && line[-1] != '\n')
		line--;
	(void)snprintf(text, bytes, "%.12s", line);
	line = strstr(buf_text(&maps), "[heap]");
	while (line && line > maps.data && line[-1] != '\n')
		line--;
	(void)snprintf(text + strlen(text), bytes - strlen(text), " %.12s", line ? line : "none");
	worker_release(&worker);
	assert_int_equal(sandbox_kill_all(&test.cell, &err), 0);
}

static void the_same_offsets_give_the_same_addresses(void **state)
{
	struct launch_offsets offsets;
	char one[64], other[64];
	struct rng rng;

	(void)state;
	if (!launch_can_fix_addresses())
		skip();
	rng_seed(&rng, 1);
	launch_draw_offsets(&offsets, &rng);
	places(&offsets, one, sizeof(one));
	places(&offsets, other, sizeof(other));
	assert_string_equal(one, other);
	/* Another stack limit moves what the loader maps. */
	offsets.stack_bytes += (uint64_t)1 << 20;
	places(&offsets, other, sizeof(other));
	assert_string_not_equal(one, other);
}

static void offsets_are_within_their_ranges_and_aligned(void **state)
{
	struct launch_offsets offsets;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 2);
	for (int i = 0; i < 10000; i++) {
		launch_draw_offsets(&offsets, &rng);
		assert_true(offsets.same_addresses);
		assert_in_range(
			offsets.stack_bytes, (256u << 20) + 4096, (256u << 20) + 65535u * 4096u);
		assert_int_equal(offsets.stack_bytes % 4096, 0);
		assert_in_range(offsets.environment_bytes, 0, 4080);
		assert_int_equal(offsets.environment_bytes % 16, 0);
		assert_in_range(offsets.heap_bytes, 0, 8176);
		assert_int_equal(offsets.heap_bytes % 16, 0);
	}
}

static void the_padding_is_as_long_as_it_should_be(void **state)
{
	struct launch_offsets offsets = {.environment_bytes = 4080};
	char padding[LAUNCH_PADDING_BYTES];

	(void)state;
	launch_make_padding(&offsets, padding);
	assert_int_equal(strlen(padding), strlen("DUEL_PAD=") + 4080);
	offsets.environment_bytes = 0;
	launch_make_padding(&offsets, padding);
	assert_string_equal(padding, "DUEL_PAD=");
	offsets.environment_bytes = 1000000;
	launch_make_padding(&offsets, padding);
	assert_int_equal(strlen(padding), LAUNCH_PADDING_BYTES - 1);
}

static void arguments_are_passed_on_as_they_are(void **state)
{
	const char *const given[] = {"./bench", "fast", NULL};
	const struct launch launch = {.argv = given};
	const char *argv[LAUNCH_ARGV_LENGTH];

	(void)state;
	assert_int_equal(launch_make_argv(&launch, argv, &err), 0);
	assert_string_equal(argv[0], "./bench");
	assert_string_equal(argv[1], "fast");
	assert_null(argv[2]);
}

static void too_many_arguments_are_refused(void **state)
{
	const char *given[LAUNCH_ARGS_MAX + 2] = {NULL};
	struct launch launch = {.argv = given};
	const char *argv[LAUNCH_ARGV_LENGTH];

	(void)state;
	for (size_t i = 0; i < LAUNCH_ARGS_MAX; i++)
		given[i] = "x";
	assert_int_equal(launch_make_argv(&launch, argv, &err), 0);
	given[LAUNCH_ARGS_MAX] = "x";
	assert_int_equal(launch_make_argv(&launch, argv, &err), -1);
	assert_int_equal(err.kind, ERR_LIMIT);
}

static int setup(void **state)
{
	(void)state;
	fake_setup();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_offsets_give_the_same_addresses),
		cmocka_unit_test(offsets_are_within_their_ranges_and_aligned),
		cmocka_unit_test(the_padding_is_as_long_as_it_should_be),
		cmocka_unit_test(arguments_are_passed_on_as_they_are),
		cmocka_unit_test(too_many_arguments_are_refused),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
