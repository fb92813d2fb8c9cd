/*
 * A small project for tests of relinking: built the way projects do, with the link recorder in
 * place, then relinked, each new layout checked against the original and all before it.
 */
#ifndef TESTS_UNIT_LAYOUT_PROJECT_H
#define TESTS_UNIT_LAYOUT_PROJECT_H

#include "runner/layout/layout.h"

#include "runner/layout/symbols.h"
#include "sandbox/base/io.h"

#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#define LINKS 24 /* at most */
#define LINKS_FEW 8
#define TARGETS_MAX 4
#define PROCESSES_MAX 64

static struct err err;
static char root[64], tree[96], scratch[96];
static uint64_t link_ns, links_made, prepare_ns, prepared;

/* --- the host: plain child processes -----------------------------------------------------------
 */

static struct {
	pid_t pid;
	int output_fd;
} processes[PROCESSES_MAX];

static void become(const struct layout_command *command, int output_fd)
{
	for (const char *const *env = command->env; env && *env; env++)
		(void)putenv((char *)(uintptr_t)*env);
	if (chdir(command->cwd) < 0 || dup2(output_fd, 1) < 0 || dup2(output_fd, 2) < 0)
		_exit(126);
	(void)execvp(command->argv[0], (char *const *)(uintptr_t)command->argv);
	_exit(127);
}

static int start(
	void *payload, const struct layout_command *command, unsigned *process, struct err *error)
{
	unsigned slot = 0;

	(void)payload;
	while (processes[slot].pid)
		assert_true(++slot < PROCESSES_MAX);
	processes[slot].output_fd = memfd_create("output", MFD_CLOEXEC);
	processes[slot].pid = fork();
	if (processes[slot].pid == 0)
		become(command, processes[slot].output_fd);
	*process = slot;
	return processes[slot].pid < 0 ? err_errno(error, ERR_OS, "fork") : 0;
}

static int wait_for(
	void *payload, unsigned process, struct buf *output, int *wait_status, struct err *error)
{
	pid_t pid = processes[process].pid;
	int fd = processes[process].output_fd;

	(void)payload;
	processes[process].pid = 0;
	if (waitpid(pid, wait_status, 0) != pid || lseek(fd, 0, SEEK_SET) != 0)
		return err_errno(error, ERR_OS, "wait");
	if (io_read_all(output, fd, error) < 0)
		return -1;
	return close(fd);
}

static struct layout_host host = {.start = start, .wait = wait_for};

/* Run a shell command in the tree; its exit status, what it printed in `output`. */
static int shell(const char *command, const char *const *env, struct buf *output)
{
	const char *argv[] = {"/bin/sh", "-ec", command, NULL};
	struct layout_command run = {.argv = argv, .env = env, .cwd = tree};
	unsigned process;
	int status;

	assert_int_equal(start(NULL, &run, &process, &err), 0);
	assert_int_equal(wait_for(NULL, process, output, &status, &err), 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* --- a project ---------------------------------------------------------------------------------
 */

static const struct {
	const char *name, *text;
} sources[] = {
	{"main.c",
		"#include <stdio.h>\n"
		"unsigned first(unsigned), second(unsigned), third(unsigned);\n"
		"__attribute__((noinline)) static unsigned own(unsigned x) { return x * 31 + 7; }\n"
		"int main(int argc, char **argv)\n"
		"{\n"
		"	unsigned x = (unsigned)argc;\n"
		"	(void)argv;\n"
		"	for (int i = 0; i < 1000; i++)\n"
		"		x = own(third(second(first(x))));\n"
		"	printf(\"%u\\n\", x);\n"
		"	return 0;\n"
		"}\n"},
	{"first.c",
		"__attribute__((noinline)) static unsigned twin(unsigned x) { return x ^ x >> 3; "
		"}\n"
		"__attribute__((cold)) unsigned seldom(unsigned x) { return x / 3; }\n"
		"unsigned first(unsigned x) { return x % 97 == 3 ? seldom(x) : twin(x) + 1; }\n"},
	{"second.c",
		"__attribute__((noinline)) static unsigned twin(unsigned x) { return x * 5; }\n"
		"__attribute__((hot)) unsigned second(unsigned x) { return twin(x) + (x >> 7); }\n"
		"unsigned unused(unsigned x) { return x - 1; }\n"},
	{"third.c", "static unsigned table[8];\n"
		    "__attribute__((constructor)) static void fill(void)\n"
		    "{\n"
		    "	for (unsigned i = 0; i < 8; i++)\n"
		    "		table[i] = i * i;\n"
		    "}\n"
		    "unsigned third(unsigned x) { return x + table[x % 8]; }\n"},
	{"Makefile", "CFLAGS = -O2\n"
		     "all: bench other\n"
		     "libparts.a: first.o second.o third.o\n\t$(AR) rcs $@ $^\n"
		     "bench: main.o libparts.a\n\t$(CC) -o $@ main.o -L. -lparts\n"
		     "other: main.o libparts.a\n\t$(CC) -o $@ main.o libparts.a -s\n"},
	{"CMakeLists.txt", "cmake_minimum_required(VERSION 3.10)\n"
			   "project(parts C)\n"
			   "add_library(parts SHARED first.c second.c third.c)\n"
			   "set_target_properties(parts PROPERTIES VERSION 1.2 SOVERSION 1)\n"
			   "add_executable(bench main.c)\n"
			   "target_link_libraries(bench parts)\n"},
	{"fixed.map", "{ global: *; };\n"},
};

static void write_project(void)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < ARRAY_LENGTH(sources); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", tree, sources[i].name);
		assert_int_equal(
			io_replace_file(path, sources[i].text, strlen(sources[i].text), 0644, &err),
			0);
	}
}

static char *find_recorder(void)
{
	static char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 32);

	assert_true(length > 0);
	path[length] = '\0';
	(void)strcpy(strrchr(path, '/'), "/../duel-ld");
	return path;
}

static int make(void **state)
{
	(void)state;
	(void)strcpy(root, "/tmp/duel-layout.XXXXXX");
	assert_non_null(mkdtemp(root));
	(void)snprintf(tree, sizeof(tree), "%s/a tree", root);
	(void)snprintf(scratch, sizeof(scratch), "%s/scratch", root);
	assert_int_equal(mkdir(tree, 0755), 0);
	assert_int_equal(mkdir(scratch, 0755), 0);
	host.tree_outside = host.tree_inside = tree;
	host.scratch_outside = host.scratch_inside = scratch;
	write_project();
	assert_int_equal(layout_install(scratch, find_recorder(), &err), 0);
	return 0;
}

static int remove_all(void **state)
{
	(void)state;
	return io_remove_tree(root, &err);
}

/* --- checks ------------------------------------------------------------------------------------
 */

struct project {
	const char *needs; /* programs, for a shell's `command -v` */
	const char *build;
	const char *targets[TARGETS_MAX]; /* NULL-terminated */
	const char *run;
	unsigned links; /* layouts to make; 0 = LINKS_FEW */
};

static void need(const char *programs)
{
	AUTO_BUF output = {.bytes_max = 10000};
	char command[200];

	(void)snprintf(command, sizeof(command),
		"for p in %s; do command -v $p || { echo $p is missing; exit 1; }; done", programs);
	if (shell(command, NULL, &output) == 0)
		return;
	print_message("# needs %s, which this machine does not have all of\n", programs);
	if (getenv("DUEL_MUST_WORK") && strcmp(getenv("DUEL_MUST_WORK"), "1") == 0)
		fail_msg("needs %s", programs);
	skip();
}

static void build(const char *command)
{
	AUTO_BUF output = {.bytes_max = 1000000};
	char *env[LAYOUT_ENVIRONMENT + 1] = {NULL};

	assert_int_equal(layout_environment(env, scratch, getenv("PATH"), &err), 0);
	if (shell(command, (const char *const *)env, &output) != 0)
		fail_msg("%s", buf_text(&output));
	for (size_t i = 0; i < LAYOUT_ENVIRONMENT; i++)
		free(env[i]);
}

static size_t count_targets(const struct project *project)
{
	size_t count = 0;

	while (project->targets[count])
		count++;
	return count;
}

static void open_side(struct layout_side *side, const struct project *project)
{
	struct layout_side *sides[] = {side};
	uint64_t before = io_now_ns();

	assert_int_equal(
		layout_open(side, &host, project->targets, count_targets(project), 42, &err), 0);
	if (layout_prepare(sides, 1, &err) < 0)
		fail_msg("%s", err.text);
	prepare_ns += io_now_ns() - before;
	prepared += count_targets(project);
}

static void read_symbols(struct symbols *symbols, int fd)
{
	struct elf_file file;

	assert_int_equal(elf_file_open(&file, fd, &err), 0);
	assert_int_equal(symbols_read(symbols, &file, &err), 0);
	elf_file_release(&file);
}

static void put(const char *target, int fd)
{
	AUTO_BUF bytes = {.bytes_max = 64 << 20};
	char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s", tree, target);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(io_read_all(&bytes, fd, &err), 0);
	assert_int_equal(io_replace_file(path, bytes.data, bytes.length, 0755, &err), 0);
}

/* What is known of one target's layouts so far. */
struct history {
	struct symbols original;     /* empty where the build stripped it */
	uint64_t seen[LINKS];        /* layouts */
	unsigned *phases;            /* of each function, met in this block of four: a bit each */
	size_t functions, strangers; /* functions, and those that did not meet all phases */
};

static void note_phases(struct history *history, const struct symbols *symbols, unsigned number)
{
	if (!history->phases) {
		history->functions = symbols->count;
		history->phases = calloc(symbols->count, sizeof(*history->phases));
		assert_non_null(history->phases);
	}
	assert_int_equal(symbols->count, history->functions);
	for (size_t i = 0; i < symbols->count; i++) {
		history->phases[i] |= 1u << (symbols->items[i].address / 16 % 4);
		if (number % 4 != 3)
			continue;
		history->strangers += history->phases[i] != 15;
		history->phases[i] = 0;
	}
}

/* One target of one new layout against those before. */
static void check_target(const char *target, int fd, struct history *history, unsigned number)
{
	struct symbols symbols;

	read_symbols(&symbols, fd);
	assert_true(symbols.count > 0);
	if (history->original.count) {
		assert_true(symbols_are_same(&history->original, &symbols));
		assert_int_equal(symbols_unmoved(&history->original, &symbols), 0);
	}
	note_phases(history, &symbols, number);
	history->seen[number] = symbols_layout(&symbols);
	for (size_t i = 0; i < number; i++)
		assert_true(history->seen[i] != history->seen[number]);
	symbols_release(&symbols);
	put(target, fd);
}

static void check_set(struct layout_set *set, const struct project *project,
	struct history *histories, const char *printed)
{
	AUTO_BUF output = {.bytes_max = 10000};

	for (size_t i = 0; i < set->made; i++)
		check_target(project->targets[i], set->fds[i], &histories[i], set->number);
	assert_int_equal(shell(project->run, NULL, &output), 0);
	assert_string_equal(buf_text(&output), printed);
	layout_set_release(set);
}

static void read_originals(const struct project *project, struct history *histories)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < count_targets(project); i++) {
		AUTO_FD fd = -1;

		(void)snprintf(path, sizeof(path), "%s/%s", tree, project->targets[i]);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		read_symbols(&histories[i].original, fd);
	}
}

/* Two links at a time, as on a two-core machine. */
static void check_links(struct layout_side *side, const struct project *project,
	struct history *histories, const char *printed)
{
	unsigned links = project->links ? project->links : LINKS_FEW;
	struct layout_set sets[2];

	for (unsigned number = 0; number < links; number += 2) {
		uint64_t before = io_now_ns();

		for (unsigned i = 0; i < 2; i++)
			if (layout_link_start(side, number + i, &sets[i], &err) < 0)
				fail_msg("%s", err.text);
		for (unsigned i = 0; i < 2; i++)
			if (layout_link_finish(side, &sets[i], &err) < 0)
				fail_msg("%s", err.text);
		link_ns += io_now_ns() - before;
		links_made += 2 * side->count;
		for (unsigned i = 0; i < 2; i++)
			check_set(&sets[i], project, histories, printed);
	}
}

/* Start-up code has the coarse pad alone; most of a static libc is aligned to more. */
static void check_phases(const struct project *project, struct history *histories)
{
	for (size_t i = 0; i < count_targets(project); i++) {
		unsigned blocks = (project->links ? project->links : LINKS_FEW) / 4;
		bool has_libc = histories[i].functions > 100;
		size_t allowed = (has_libc ? histories[i].functions : 1) * blocks;

		if (histories[i].strangers > allowed)
			fail_msg("%s: %zu of %zu times a function missed a 16-byte phase",
				project->targets[i], histories[i].strangers,
				histories[i].functions * blocks);
	}
}

static inline void expect_varied(const struct project *project)
{
	struct history histories[TARGETS_MAX] = {{.phases = NULL}};
	AUTO_BUF printed = {.bytes_max = 10000};
	struct layout_side side;

	need(project->needs);
	build(project->build);
	assert_int_equal(shell(project->run, NULL, &printed), 0);
	read_originals(project, histories);
	open_side(&side, project);
	assert_string_equal(layout_reason(&side), "");
	assert_true(layout_is_varied(&side));
	check_links(&side, project, histories, buf_text(&printed));
	check_phases(project, histories);
	for (size_t i = 0; i < TARGETS_MAX; i++) {
		symbols_release(&histories[i].original);
		free(histories[i].phases);
	}
	layout_release(&side);
}

static inline void expect_reason(const struct project *project, const char *reason)
{
	struct layout_side side;

	need(project->needs);
	build(project->build);
	open_side(&side, project);
	/* The linker's own words follow where the reason ends in a blank. */
	if (reason[strlen(reason) - 1] == ' ')
		side.reason[strlen(reason)] = '\0';
	assert_string_equal(layout_reason(&side), reason);
	assert_false(layout_is_varied(&side));
	layout_release(&side);
}

static inline void say_costs(void)
{
	if (links_made)
		print_message("# %.1f ms a relink and target, %.1f ms to prepare a target\n",
			(double)link_ns / (double)links_made / 1e6,
			(double)prepare_ns / (double)prepared / 1e6);
}

#endif
