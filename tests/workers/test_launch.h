/*
 * Launches of the test workers that stand beside the test's own executable.
 *
 * Included once by a test, after fake_sandbox.h.
 */
#ifndef TESTS_WORKERS_TEST_LAUNCH_H
#define TESTS_WORKERS_TEST_LAUNCH_H

#include "runner/launch.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TEST_SECOND_NS UINT64_C(1000000000)

struct test_launch {
	struct launch launch;
	struct sandbox_cell cell;
	char program[PATH_MAX];
	char tree[PATH_MAX];
	const char *argv[4];
};

/* The folder of test workers: BUILD/tests/workers. */
static void test_launch_folder(char *path, size_t path_bytes)
{
	ssize_t length = readlink("/proc/self/exe", path, path_bytes - 1);

	path[length > 0 ? length : 0] = '\0';
	*strrchr(path, '/') = '\0';
	(void)strncat(path, "/workers", path_bytes - strlen(path) - 1);
}

static void test_launch_make(
	struct test_launch *test, const char *program, const char *what, const char *detail)
{
	*test = (struct test_launch){.argv = {NULL}};
	test_launch_folder(test->tree, sizeof(test->tree));
	(void)snprintf(test->program, sizeof(test->program), "./%s", program);
	memcpy(test->cell.tree, test->tree, sizeof(test->cell.tree));
	test->argv[0] = test->program;
	test->argv[1] = what;
	test->argv[2] = detail;
	test->launch = (struct launch){
		.kind = LAUNCH_WORKER,
		.side = "candidate",
		.label = "duel/bench",
		.cell = &test->cell,
		.tree = test->tree,
		.argv = test->argv,
		.patience = {.hello_ns = 20 * TEST_SECOND_NS,
			.setup_ns = 20 * TEST_SECOND_NS,
			.burst_ns = 20 * TEST_SECOND_NS,
			.farewell_ns = 20 * TEST_SECOND_NS},
	};
}

#endif
