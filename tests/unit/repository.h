/*
 * Git repositories for tests: a directory of its own with blanks in its path, and git run in it
 * with fixed identities, dates and no configuration of the machine's.
 */
#ifndef TESTS_UNIT_REPOSITORY_H
#define TESTS_UNIT_REPOSITORY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sandbox/base/io.h"

/*
 * libgit2 1.5 itself leaks where a merge base cannot be found, and on each walk of a configuration;
 * whole stacks are needed to tell these from leaks of ours.
 */
const char *__asan_default_options(void);
const char *__lsan_default_suppressions(void);

const char *__asan_default_options(void)
{
	return "fast_unwind_on_malloc=0";
}

const char *__lsan_default_suppressions(void)
{
	return "leak:git_merge_base\nleak:git_config_foreach_match\n";
}

static inline void repository_environment(void)
{
	static const char *const settings[][2] = {
		{"GIT_CONFIG_GLOBAL", "/dev/null"},
		{"GIT_CONFIG_NOSYSTEM", "1"},
		{"GIT_AUTHOR_NAME", "Ada Author"},
		{"GIT_AUTHOR_EMAIL", "ada@example.org"},
		{"GIT_AUTHOR_DATE", "1700000000 +0200"},
		{"GIT_COMMITTER_NAME", "Carl Committer"},
		{"GIT_COMMITTER_EMAIL", "carl@example.org"},
		{"GIT_COMMITTER_DATE", "1700000100 +0000"},
		{"GIT_CONFIG_COUNT", "3"},
		{"GIT_CONFIG_KEY_0", "init.defaultBranch"},
		{"GIT_CONFIG_VALUE_0", "main"},
		{"GIT_CONFIG_KEY_1", "protocol.file.allow"},
		{"GIT_CONFIG_VALUE_1", "always"},
		{"GIT_CONFIG_KEY_2", "advice.detachedHead"},
		{"GIT_CONFIG_VALUE_2", "false"},
		{"LC_ALL", "C"},
		{"HOME", "/nonexistent"},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(settings); i++)
		(void)setenv(settings[i][0], settings[i][1], 1);
}

/* Run a shell script in the test's directory; it must succeed, and prints only where it does not.
 */
static inline void repository_run(const char *directory, const char *script)
{
	AUTO_BUF command;
	struct err err = {0};

	buf_init(&command, 1u << 20);
	assert_int_equal(buf_printf(&command, &err,
				 "cd '%s' && { set -e; %s\n} >'%s/.log' 2>&1 || { cat '%s/.log'; "
				 "false; }",
				 directory, script, directory, directory),
		0);
	if (system(buf_text(&command)) != 0)
		fail_msg("script failed: %s", script);
}

/* The first line a script prints. */
static inline void repository_ask(
	const char *directory, const char *script, char *out, size_t out_bytes)
{
	AUTO_BUF command;
	struct err err = {0};
	FILE *pipe;

	buf_init(&command, 1u << 20);
	assert_int_equal(buf_printf(&command, &err, "cd '%s' && { %s\n}", directory, script), 0);
	pipe = popen(buf_text(&command), "r");
	assert_non_null(pipe);
	assert_non_null(fgets(out, (int)out_bytes, pipe));
	out[strcspn(out, "\n")] = '\0';
	(void)pclose(pipe);
}

static inline int repository_setup(void **state)
{
	char template[] = "/tmp/duel test XXXXXX";

	repository_environment();
	if (!mkdtemp(template))
		return -1;
	*state = strdup(template);
	return *state ? 0 : -1;
}

static inline int repository_teardown(void **state)
{
	struct err err = {0};
	int result = io_remove_tree(*state, &err);

	if (result < 0)
		print_error("%s\n", err.text);
	free(*state);
	return result;
}

/* "directory/name", freed by the caller. */
static inline char *repository_path(const char *directory, const char *name)
{
	char *path = NULL;

	assert_true(asprintf(&path, "%s/%s", directory, name) > 0);
	return path;
}

/* main: "one", "two"; topic: leaves main at "two", adds "three". HEAD on topic. In "r". */
#define REPOSITORY_TOPIC                                                                   \
	"git init -q r; cd r; echo 1 >a; git add a; git commit -qm one; echo 2 >a; "       \
	"git commit -qam two; git switch -qc topic; echo 3 >a; mkdir src; echo s >src/s; " \
	"git add .; git commit -qm 'three: the change'; git switch -q main; echo m >m; "   \
	"git add m; git commit -qm four; git switch -q topic; cd ..;"

#endif
