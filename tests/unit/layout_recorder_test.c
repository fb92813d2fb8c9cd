/*
 * The link recorder never breaks a build, and records what makes a program, nothing else.
 */
#include "tests/unit/layout_project.h"

#include "runner/layout/links.h"

#include <dirent.h>

/* Run a command with the recorder in place; what it printed must contain `expected`. */
static void expect_output(const char *command, int status, const char *expected)
{
	AUTO_BUF output = {.bytes_max = 100000};
	char *env[LAYOUT_ENVIRONMENT + 1] = {NULL};

	assert_int_equal(layout_environment(env, scratch, getenv("PATH"), &err), 0);
	assert_int_equal(shell(command, (const char *const *)env, &output), status);
	if (!strstr(buf_text(&output), expected))
		fail_msg("'%s' is not in: %s", expected, buf_text(&output));
	for (size_t i = 0; i < LAYOUT_ENVIRONMENT; i++)
		free(env[i]);
}

static void expect_records(size_t count)
{
	char path[PATH_MAX];
	struct links links;
	AUTO_FD fd = -1;

	(void)snprintf(path, sizeof(path), "%s/links", scratch);
	fd = open(path, O_RDONLY | O_DIRECTORY);
	assert_int_equal(links_read(&links, fd, &err), 0);
	assert_int_equal(links.count, count);
	assert_int_equal(links.refused, 0);
	links_release(&links);
}

static size_t count_stored(void)
{
	char path[PATH_MAX];
	size_t count = 0;
	DIR *store;

	(void)snprintf(path, sizeof(path), "%s/links/store", scratch);
	store = opendir(path);
	assert_non_null(store);
	for (struct dirent *entry; (entry = readdir(store));)
		count += entry->d_name[0] != '.';
	(void)closedir(store);
	return count;
}

static void a_link_that_fails_fails_as_without(void **state)
{
	(void)state;
	need("gcc");
	expect_output("gcc -o bench main.c", 1, "undefined reference to `first'");
	expect_records(0);
}

static void questions_to_the_linker_are_not_recorded(void **state)
{
	(void)state;
	need("gcc ld");
	expect_output("gcc "
		      "-O2 -o a.out main.c first.c second.c third.c; "
		      "ld --version >/dev/null; ld -v; ld -m elf_x86_64 -v; ld --help >/dev/null; "
		      "ld -r -o parts.o a.out 2>/dev/null || echo partial",
		0, "ld");
	expect_records(1);
}

static void without_a_place_for_records_links_go_on(void **state)
{
	(void)state;
	need("gcc");
	expect_output("gcc -c main.c first.c second.c third.c; export DUEL_LINKS=/nonexistent; "
		      "gcc -o bench *.o && ./bench; unset DUEL_LINKS; gcc -o bench *.o && echo ok",
		0, "ok");
	expect_output("rm -r \"$DUEL_LINKS/store\"; gcc -o bench *.o && echo ok", 0, "ok");
	expect_output(
		"rm -r \"$DUEL_LINKS\"; echo no >\"$DUEL_LINKS\"; gcc -o bench *.o && echo ok", 0,
		"ok");
}

static void the_next_linker_on_the_compilers_path_is_run(void **state)
{
	(void)state;
	expect_output("mkdir cross; printf '#!/bin/sh\\necho cross \"$@\"\\n' >cross/ld; "
		      "chmod +x cross/ld; COMPILER_PATH=$COMPILER_PATH:$PWD/cross ld x.o",
		0, "cross x.o");
}

static void a_linker_that_is_missing_is_named(void **state)
{
	(void)state;
	expect_output("ln -s duel-ld \"$COMPILER_PATH/ld.none\"; ld.none x.o || exit 7", 7,
		"duel-ld: there is no linker called");
}

static void an_input_of_many_links_is_kept_once(void **state)
{
	(void)state;
	need("gcc");
	expect_output("gcc -O2 -c main.c first.c second.c third.c; gcc -o one *.o; gcc -o two *.o; "
		      "echo ok",
		0, "ok");
	expect_records(2);
	/* four objects and, of the same contents, two programs */
	assert_int_equal(count_stored(), 5);
}

static void only_linkers_of_this_machine_get_a_name(void **state)
{
	(void)state;
	expect_output("for p in \"$COMPILER_PATH\"/*; do p=${p##*/}; [ $p = duel-ld ] || "
		      "[ -x /usr/bin/$p ] || [ -x /usr/local/bin/$p ] || [ -x /bin/$p ] || "
		      "echo $p; done; echo end",
		0, "end\n");
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, make, remove_all)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_link_that_fails_fails_as_without),
		CASE(questions_to_the_linker_are_not_recorded),
		CASE(without_a_place_for_records_links_go_on),
		CASE(the_next_linker_on_the_compilers_path_is_run),
		CASE(a_linker_that_is_missing_is_named),
		CASE(an_input_of_many_links_is_kept_once),
		CASE(only_linkers_of_this_machine_get_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
