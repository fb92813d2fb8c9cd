/*
 * A cell in a directory of its own, in each tier this user can have. As root, cases for the tiers
 * of ordinary users run in a child that has become one.
 */
#ifndef TESTS_UNIT_SANDBOX_FIXTURE_H
#define TESTS_UNIT_SANDBOX_FIXTURE_H

#include "sandbox/sandbox.h"

#include "sandbox/base/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>

#include <cmocka.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define FIXTURE_USER 65534 /* nobody */
#define FIXTURE_PATIENCE_NS UINT64_C(30000000000)

struct fixture {
	struct sandbox_machine machine;
	struct sandbox_cell cell;
	struct sandbox_room room;
	const void *subject; /* what the case's state was: begins with its tier */
	bool opened;
	char place[64];
	char tree[128];
	char scratch[128];
	char other[128]; /* the other side's tree, with a file "secret" */
};

static inline void fixture_put(const char *directory, const char *name, const char *text)
{
	char path[256];
	struct err err;

	(void)snprintf(path, sizeof(path), "%s/%s", directory, name);
	assert_int_equal(io_replace_file(path, text, strlen(text), 0644, &err), 0);
}

/* The directory has a blank in its name: paths are never words of a shell here. */
static inline int fixture_make(struct fixture *fixture)
{
	(void)snprintf(fixture->place, sizeof(fixture->place), "/tmp/duel cell.XXXXXX");
	if (!mkdtemp(fixture->place) || chmod(fixture->place, 0755) < 0)
		return -1;
	(void)snprintf(fixture->tree, sizeof(fixture->tree), "%s/base tree", fixture->place);
	(void)snprintf(fixture->other, sizeof(fixture->other), "%s/cand tree", fixture->place);
	(void)snprintf(fixture->scratch, sizeof(fixture->scratch), "%s/scratch", fixture->place);
	if (mkdir(fixture->tree, 0755) < 0 || mkdir(fixture->other, 0755) < 0 ||
		mkdir(fixture->scratch, 0755) < 0)
		return -1;
	fixture_put(fixture->other, "secret", "of the other side");
	fixture_put(fixture->tree, "own", "of this side");
	return 0;
}

/* usage: a case's setup. *state is the tier it is for. */
static inline int fixture_begin(void **state)
{
	const enum sandbox_tier *tier = *state;
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct err err = {0};

	if (!fixture)
		return -1;
	fixture->subject = tier;
	*state = fixture;
	if (sandbox_probe(&fixture->machine, *tier, &err) < 0) {
		print_message("# %s\n", err.text);
		return 0; /* fixture_open() skips */
	}
	return fixture_make(fixture);
}

static inline int fixture_end(void **state)
{
	struct fixture *fixture = *state;
	struct err err = {0};
	int result = 0;

	if (fixture->opened && sandbox_close(&fixture->cell, &err) < 0)
		result = -1;
	if (fixture->place[0] != '\0' && io_remove_tree(fixture->place, &err) < 0)
		result = -1;
	if (result < 0)
		print_error("%s\n", err.text);
	free(fixture);
	/* LeakSanitizer reads our memory as a debugger would. */
	(void)prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	return result;
}

/* The cell of a case. Skips the case where this machine does not grant the tier. */
static inline struct fixture *fixture_open(void **state, enum sandbox_profile profile)
{
	struct fixture *fixture = *state;
	struct err err = {0};

	if (fixture->place[0] == '\0')
		skip();
	fixture->room.profile = profile;
	fixture->room.tree = fixture->tree;
	fixture->room.scratch = fixture->scratch;
	if (sandbox_give(&fixture->machine, SANDBOX_BASELINE, fixture->tree, &err) < 0 ||
		sandbox_give(&fixture->machine, SANDBOX_BASELINE, fixture->scratch, &err) < 0 ||
		sandbox_give(&fixture->machine, SANDBOX_CANDIDATE, fixture->other, &err) < 0 ||
		sandbox_open(&fixture->cell, &fixture->machine, &fixture->room, &err) < 0)
		fail_msg("%s", err.text);
	fixture->opened = true;
	return fixture;
}

static inline bool fixture_has_namespaces(const struct fixture *fixture)
{
	return fixture->machine.tier == SANDBOX_TIER_ROOT ||
	       fixture->machine.tier == SANDBOX_TIER_USERNS;
}

static inline struct sandbox_command fixture_command(const char *const *argv)
{
	return (struct sandbox_command){
		.argv = argv, .stdin_fd = -1, .stdout_fd = -1, .stderr_fd = -1, .cpu = -1};
}

static inline void fixture_start(struct fixture *fixture, const struct sandbox_command *command,
	struct sandbox_process *process)
{
	struct err err = {0};

	memset(process, 0, sizeof(*process));
	if (sandbox_start(&fixture->cell, command, process, &err) < 0)
		fail_msg("%s", err.text);
}

static inline struct sandbox_exit fixture_wait(
	struct fixture *fixture, struct sandbox_process *process)
{
	struct sandbox_exit end = {0};
	struct err err = {0};

	if (sandbox_wait(&fixture->cell, process, io_now_ns() + FIXTURE_PATIENCE_NS, &end, &err) <
		0)
		fail_msg("%s", err.text);
	sandbox_forget(process);
	return end;
}

/* Run to the end; what it wrote to stdout and stderr is in output (may be NULL). */
static inline int fixture_run_command(
	struct fixture *fixture, struct sandbox_command *command, struct buf *output)
{
	struct sandbox_process process;
	struct sandbox_exit end;
	struct err err = {0};
	int ends[2];

	assert_int_equal(io_pipe(ends, &err), 0);
	command->stdout_fd = command->stderr_fd = ends[1];
	fixture_start(fixture, command, &process);
	(void)close(ends[1]);
	if (output) {
		buf_release(output);
		buf_init(output, 1u << 20);
		assert_int_equal(io_read_all(output, ends[0], &err), 0);
	}
	end = fixture_wait(fixture, &process);
	(void)close(ends[0]);
	return end.wait_status;
}

static inline int fixture_shell(struct fixture *fixture, const char *script, struct buf *output)
{
	const char *const argv[] = {"sh", "-c", script, NULL};
	struct sandbox_command command = fixture_command(argv);

	return fixture_run_command(fixture, &command, output);
}

/* Run the script, expect this output and exit status 0. */
static inline void fixture_expect(struct fixture *fixture, const char *script, const char *text)
{
	AUTO_BUF output = {0};
	int status = fixture_shell(fixture, script, &output);

	assert_string_equal(buf_text(&output), text);
	assert_int_equal(status, 0);
}

static inline unsigned fixture_population(struct fixture *fixture)
{
	unsigned count = 0;
	struct err err = {0};

	if (sandbox_population(&fixture->cell, &count, &err) < 0)
		fail_msg("%s", err.text);
	return count;
}

/* The tests of one tier, for cmocka's table. */
#define FIXTURE_CASE(tier, function)                                        \
	{                                                                   \
#tier ": " #function, function, fixture_begin, fixture_end, \
			(void *)(uintptr_t)&fixture_tiers[tier]             \
	}
static const enum sandbox_tier fixture_tiers[] = {[SANDBOX_TIER_FLAT] = SANDBOX_TIER_FLAT,
	[SANDBOX_TIER_UID] = SANDBOX_TIER_UID,
	[SANDBOX_TIER_USERNS] = SANDBOX_TIER_USERNS,
	[SANDBOX_TIER_ROOT] = SANDBOX_TIER_ROOT};

/* Run a group of tests as an ordinary user, in a child where we are root. The failures' number. */
static inline int fixture_as_user(int (*group)(void))
{
	int status;
	pid_t child;

	if (geteuid() != 0)
		return group();
	(void)fflush(stdout);
	child = fork();
	if (child == 0) {
		int failed = 100;

		if (setgroups(0, NULL) == 0 &&
			setresgid(FIXTURE_USER, FIXTURE_USER, FIXTURE_USER) == 0 &&
			setresuid(FIXTURE_USER, FIXTURE_USER, FIXTURE_USER) == 0)
			failed = group();
		(void)fflush(stdout);
		_exit(failed);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
		return 100;
	return WEXITSTATUS(status);
}

#endif
