#include "runner/side.h"

#include "sandbox/base/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct sandbox_machine machine;
static struct workspace workspace;
static struct config config;
static struct side side;
static struct err err;

/* A worker as a script is one: protocol 1, two benchmarks. */
static const char script[] =
	"#!/bin/sh\n"
	"eval \"exec 8<&$DUEL_IN 9>&$DUEL_OUT\"\n"
	"echo 'duel 1 thread 0' >&9\n"
	"while read -r word rest <&8; do case $word in\n"
	"list) printf 'benchmark 0 - one\\nbenchmark 1 counts_only two\\nend 2\\n' >&9 ;;\n"
	"quit) exit 0 ;;\n*) echo error unknown command >&9 ;;\n"
	"esac; done\n";

static int setup(void **state)
{
	(void)state;
	err = (struct err){0};
	return workspace_make(&workspace, &err);
}

static int teardown(void **state)
{
	int result;

	(void)state;
	result = side_close(&side, &err);
	config_release(&config);
	/* LeakSanitizer reads our memory as a debugger would. */
	(void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	return workspace_remove(&workspace, &err) < 0 ? -1 : result;
}

/* A file of the candidate's tree. */
static void put(const char *name, const void *bytes, size_t length)
{
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/%s", workspace.sides[1].tree, name);
	assert_int_equal(io_replace_file(path, bytes, length, 0755, &err), 0);
}

static void put_text(const char *name, const char *text)
{
	put(name, text, strlen(text));
}

/* One of the workers that stand beside this test. */
static void put_program(const char *name, const char *program)
{
	AUTO_BUF bytes = {.bytes_max = 64u << 20};
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 100);

	assert_true(length > 0);
	path[length] = '\0';
	(void)strcpy(strrchr(path, '/'), "/workers/");
	(void)strcat(path, program);
	assert_int_equal(io_read_file(&bytes, path, &err), 0);
	put(name, bytes.data, bytes.length);
}

/* Open the candidate with these benchmarks of duel.json; 0 or -1 with err. */
static int open_side(const char *benchmarks)
{
	char text[1000];

	(void)snprintf(text, sizeof(text), "{ \"benchmarks\": [ %s ] }", benchmarks);
	if (config_parse(&config, text, strlen(text), "duel.json", &err) < 0 ||
		sandbox_give(&machine, SANDBOX_CANDIDATE, workspace.sides[1].tree, &err) < 0 ||
		sandbox_give(&machine, SANDBOX_CANDIDATE, workspace.sides[1].scratch, &err) < 0 ||
		sandbox_give(&machine, SANDBOX_CANDIDATE, workspace.sides[1].run, &err) < 0)
		fail_msg("%s", err.text);
	side = (struct side){.side = SANDBOX_CANDIDATE, .paths = &workspace.sides[1]};
	return side_open(&side, &machine, &config, 1, &err);
}

static void expect_open(const char *benchmarks)
{
	if (open_side(benchmarks) < 0)
		fail_msg("%s", err.text);
}

static void all_programs_are_asked_and_their_code_is_found(void **state)
{
	struct plan_listing listing = {0};

	(void)state;
	put_program("steady", "steady");
	put_text("tool", "#!/bin/sh\nexit 0\n");
	expect_open("{ \"worker\": \"steady\" }, { \"name\": \"a tool\", \"command\": "
		    "[\"./tool\"] }");
	assert_int_equal(side.sources_count, 2);
	assert_int_equal(side.targets_count, 1);
	assert_string_equal(side.targets[0], "steady");
	assert_int_equal(side_list(&side, &listing, &err), 0);
	assert_int_equal(listing.count, 32);
	assert_string_equal(listing.items[0].name, "hash: 100 words");
	assert_int_equal(listing.items[0].source, 0);
	assert_string_equal(listing.items[31].name, "a tool");
	assert_int_equal(listing.items[31].source, 1);
	assert_int_equal(listing.items[31].id, 0);
	plan_listing_release(&listing);
}

static void a_script_has_no_code_of_the_tree(void **state)
{
	struct plan_listing listing = {0};

	(void)state;
	put_text("script", script);
	expect_open("{ \"worker\": \"script\" }");
	assert_int_equal(side.targets_count, 0);
	assert_int_equal(side_list(&side, &listing, &err), 0);
	assert_int_equal(listing.count, 2);
	assert_false(listing.items[0].counts_only);
	assert_true(listing.items[1].counts_only);
	plan_listing_release(&listing);
}

static void code_that_two_programs_share_is_a_target_once(void **state)
{
	(void)state;
	put_program("steady", "steady");
	expect_open("{ \"worker\": \"steady\" }, { \"worker\": \"steady\" }");
	assert_int_equal(side.sources_count, 2);
	assert_int_equal(side.targets_count, 1);
}

static void a_worker_that_was_not_built_is_named(void **state)
{
	(void)state;
	assert_int_equal(open_side("{ \"worker\": \"bench/none\" }"), -1);
	assert_int_equal(err.kind, ERR_BENCH);
	assert_non_null(strstr(err.text, "candidate: bench/none: "));
}

static void of_a_worker_that_fails_the_output_is_kept(void **state)
{
	(void)state;
	put_text("script", "#!/bin/sh\necho cannot find my data\nexit 4\n");
	assert_int_equal(open_side("{ \"worker\": \"script\" }"), -1);
	assert_int_equal(err.kind, ERR_BENCH);
	assert_non_null(strstr(err.text, "candidate: script: "));
	assert_string_equal(side.tail, "cannot find my data\n");
}

static void nothing_a_program_started_lives_on(void **state)
{
	unsigned count = 9;

	(void)state;
	put_text("script", script);
	put_text("daemon", "#!/bin/sh\n(setsid sleep 1000 &)\nexec ./script\n");
	expect_open("{ \"worker\": \"daemon\" }");
	assert_int_equal(sandbox_population(&side.run_cell, &count, &err), 0);
	assert_int_equal(count, 0);
}

static void a_request_to_stop_ends_it(void **state)
{
	volatile sig_atomic_t stop = 1;

	(void)state;
	put_text("script", script);
	expect_open("{ \"worker\": \"script\" }");
	assert_int_equal(side_close(&side, &err), 0);
	side.stop = &stop;
	assert_int_equal(side_open(&side, &machine, &config, 1, &err), -1);
	assert_string_equal(err.text, "interrupted while starting the programs");
	side.stop = NULL;
}

static int probe(void **state)
{
	(void)state;
	if (sandbox_probe(&machine, SANDBOX_TIER_AUTO, &err) == 0)
		return 0;
	print_error("%s\n", err.text);
	return -1;
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(all_programs_are_asked_and_their_code_is_found),
		CASE(a_script_has_no_code_of_the_tree),
		CASE(code_that_two_programs_share_is_a_target_once),
		CASE(a_worker_that_was_not_built_is_named),
		CASE(of_a_worker_that_fails_the_output_is_kept),
		CASE(nothing_a_program_started_lives_on),
		CASE(a_request_to_stop_ends_it),
	};

	return cmocka_run_group_tests(tests, probe, NULL);
}
