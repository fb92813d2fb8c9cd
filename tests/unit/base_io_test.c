#include "sandbox/base/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

struct place {
	char path[64];
	int home; /* the directory we came from */
};

/* Each case works in an empty directory of its own, with relative names. */
static int enter_place(void **state)
{
	static struct place place;

	(void)snprintf(place.path, sizeof(place.path), "/tmp/duel-io.XXXXXX");
	place.home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!mkdtemp(place.path) || chdir(place.path) < 0)
		return -1;
	*state = &place;
	return 0;
}

static int leave_place(void **state)
{
	const struct place *place = *state;
	struct err err;

	if (fchdir(place->home) < 0 || close(place->home) < 0)
		return -1;
	return io_remove_tree(place->path, &err);
}

static int entries_count(const char *path)
{
	DIR *dir = opendir(path);
	int count = 0;

	assert_non_null(dir);
	while (readdir(dir))
		count++;
	(void)closedir(dir);
	return count - 2;
}

static void put(const char *path, const char *text)
{
	struct err err;

	assert_int_equal(io_replace_file(path, text, strlen(text), 0644, &err), 0);
}

static void assert_holds(const char *path, const char *text)
{
	AUTO_BUF buf = {.bytes_max = 10000};
	struct err err = {0};

	if (io_read_file(&buf, path, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(buf_text(&buf), text);
}

static void a_file_is_replaced_whole(void **state)
{
	struct stat status;

	(void)state;
	put("f", "first, longer");
	put("f", "second");
	assert_holds("f", "second");
	assert_int_equal(entries_count("."), 1);
	assert_int_equal(stat("f", &status), 0);
	assert_int_equal(status.st_mode & 0777, 0644);
}

static void what_a_killed_process_left_beside_is_no_obstacle(void **state)
{
	char beside[64];

	(void)state;
	(void)snprintf(beside, sizeof(beside), "f.%d.part", getpid());
	put(beside, "half");
	put("f", "whole");
	assert_holds("f", "whole");
	assert_int_equal(entries_count("."), 1);
}

static void a_replacement_that_fails_leaves_the_old_file_and_nothing_else(void **state)
{
	struct rlimit limit, small;
	struct err err = {0};
	char bytes[4096] = {0};
	int result;

	(void)state;
	put("f", "old");
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	small = (struct rlimit){.rlim_cur = 1000, .rlim_max = limit.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	result = io_replace_file("f", bytes, sizeof(bytes), 0644, &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(result, -1);
	assert_int_equal(err.kind, ERR_OS);
	assert_int_equal(err.os_errno, EFBIG);
	assert_non_null(strstr(err.text, "f."));
	assert_holds("f", "old");
	assert_int_equal(entries_count("."), 1);
}

static void a_place_is_tried_and_left_as_it_was(void **state)
{
	const struct place *place = *state;
	struct err err;

	assert_int_equal(io_check_replaceable("f", &err), 0);
	assert_int_equal(entries_count("."), 0);
	assert_int_equal(mkdir("d", 0755), 0);
	assert_int_equal(io_check_replaceable("d", &err), -1);
	assert_string_equal(err.text, "d: Is a directory");
	assert_int_equal(io_check_replaceable("missing/f", &err), -1);
	assert_int_equal(err.os_errno, ENOENT);
	assert_int_equal(entries_count(place->path), 1);
}

static void a_replacement_of_a_directory_fails_and_leaves_nothing(void **state)
{
	struct err err = {0};

	(void)state;
	assert_int_equal(mkdir("d", 0755), 0);
	assert_int_equal(io_replace_file("d", "x", 1, 0644, &err), -1);
	assert_int_equal(err.kind, ERR_OS);
	assert_int_equal(entries_count("."), 1);
	assert_int_equal(io_replace_file("missing/f", "x", 1, 0644, &err), -1);
	assert_int_equal(err.os_errno, ENOENT);
	assert_int_equal(entries_count("."), 1);
}

static void a_file_larger_than_the_buffer_allows_is_refused_by_name(void **state)
{
	AUTO_BUF buf = {.bytes_max = 5};
	struct err err = {0};

	(void)state;
	put("f", "123456");
	assert_int_equal(io_read_file(&buf, "f", &err), -1);
	assert_int_equal(err.kind, ERR_LIMIT);
	assert_string_equal(err.text, "f: more than 5 bytes");
}

static void only_regular_files_are_read(void **state)
{
	AUTO_BUF buf = {.bytes_max = 100};
	struct err err = {0};

	(void)state;
	assert_int_equal(mkdir("d", 0755), 0);
	assert_int_equal(io_read_file(&buf, "d", &err), -1);
	assert_string_equal(err.text, "d is a directory");
	assert_int_equal(mkfifo("pipe", 0600), 0);
	assert_int_equal(io_read_file(&buf, "pipe", &err), -1);
	assert_string_equal(err.text, "pipe is no regular file");
	assert_int_equal(io_read_file(&buf, "missing", &err), -1);
	assert_string_equal(err.text, "open missing: No such file or directory");
}

static void reading_stops_at_the_deadline(void **state)
{
	uint64_t started_ns = io_now_ns();
	struct err err = {0};
	int ends[2];
	size_t got;
	char byte;

	(void)state;
	assert_int_equal(io_pipe(ends, &err), 0);
	assert_int_equal(io_read_some(ends[0], &byte, 1, started_ns + 20000000, &got, &err), -1);
	assert_int_equal(err.kind, ERR_LIMIT);
	assert_true(io_now_ns() - started_ns >= 20000000);
	assert_int_equal(io_read_some(ends[0], &byte, 1, 0, &got, &err), -1);
	assert_int_equal(err.kind, ERR_LIMIT);
	assert_int_equal(io_write_all(ends[1], "x", 1, &err), 0);
	assert_int_equal(io_read_some(ends[0], &byte, 1, 0, &got, &err), 0);
	assert_int_equal(got, 1);
	(void)close(ends[1]);
	assert_int_equal(io_read_some(ends[0], &byte, 1, UINT64_MAX, &got, &err), 0);
	assert_int_equal(got, 0);
	(void)close(ends[0]);
}

static void pipes_do_not_leak_into_children(void **state)
{
	struct err err;
	int ends[2];

	(void)state;
	assert_int_equal(io_pipe(ends, &err), 0);
	assert_int_equal(fcntl(ends[0], F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	assert_int_equal(fcntl(ends[1], F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static void a_write_nobody_reads_is_an_error_not_a_signal(void **state)
{
	void (*before)(int) = signal(SIGPIPE, SIG_IGN);
	struct err err = {0};
	int ends[2];

	(void)state;
	assert_int_equal(io_pipe(ends, &err), 0);
	(void)close(ends[0]);
	assert_int_equal(io_write_all(ends[1], "x", 1, &err), -1);
	assert_int_equal(err.os_errno, EPIPE);
	(void)close(ends[1]);
	(void)signal(SIGPIPE, before);
}

static void long_writes_arrive_whole_through_a_small_pipe(void **state)
{
	AUTO_BUF buf = {.bytes_max = 1 << 20};
	static char bytes[300000];
	struct err err = {0};
	int ends[2];
	pid_t child;

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 31);
	assert_int_equal(io_pipe(ends, &err), 0);
	child = fork();
	if (child == 0)
		_exit(io_write_all(ends[1], bytes, sizeof(bytes), &err) < 0);
	(void)close(ends[1]);
	assert_int_equal(io_read_all(&buf, ends[0], &err), 0);
	assert_int_equal(buf.length, sizeof(bytes));
	assert_memory_equal(buf.data, bytes, sizeof(bytes));
	assert_int_equal(waitpid(child, NULL, 0), child);
	(void)close(ends[0]);
}

static void directories_are_made_with_their_parents(void **state)
{
	struct err err = {0};
	struct stat status;

	(void)state;
	assert_int_equal(io_make_dirs("a/b//c/", 0755, &err), 0);
	assert_int_equal(stat("a/b/c", &status), 0);
	assert_int_equal(io_make_dirs("a/b/c", 0755, &err), 0);
	put("a/file", "");
	assert_int_equal(io_make_dirs("a/file", 0755, &err), -1);
	assert_string_equal(err.text, "create directory a/file: Not a directory");
	assert_int_equal(io_make_dirs("a/file/x", 0755, &err), -1);
	assert_int_equal(err.kind, ERR_OS);
}

static void a_tree_is_removed_whatever_its_permissions(void **state)
{
	struct err err = {0};

	(void)state;
	assert_int_equal(io_make_dirs("t/closed/inner", 0755, &err), 0);
	put("t/closed/inner/f", "x");
	put("t/readonly", "x");
	assert_int_equal(chmod("t/readonly", 0), 0);
	assert_int_equal(chmod("t/closed/inner", 0), 0);
	assert_int_equal(chmod("t/closed", 0500), 0);
	assert_int_equal(chmod("t", 0500), 0);
	if (io_remove_tree("t", &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(entries_count("."), 0);
}

static void links_are_removed_and_not_followed(void **state)
{
	struct err err = {0};

	(void)state;
	assert_int_equal(mkdir("kept", 0755), 0);
	put("kept/f", "x");
	assert_int_equal(mkdir("t", 0755), 0);
	assert_int_equal(symlink("../kept", "t/to-directory"), 0);
	assert_int_equal(symlink("../kept/f", "t/to-file"), 0);
	assert_int_equal(symlink("nowhere", "t/to-nothing"), 0);
	assert_int_equal(io_remove_tree("t", &err), 0);
	assert_holds("kept/f", "x");
	assert_int_equal(symlink("kept", "link"), 0);
	assert_int_equal(io_remove_tree("link", &err), 0);
	assert_holds("kept/f", "x");
	assert_int_equal(entries_count("."), 1);
}

static void removing_what_is_not_there_succeeds(void **state)
{
	struct err err = {0};

	(void)state;
	assert_int_equal(io_remove_tree("missing", &err), 0);
	put("file", "x");
	assert_int_equal(io_remove_tree("file", &err), 0);
	assert_int_equal(entries_count("."), 0);
}

int main(void)
{
#define CASE(function) cmocka_unit_test_setup_teardown(function, enter_place, leave_place)
	const struct CMUnitTest tests[] = {
		CASE(a_file_is_replaced_whole),
		CASE(what_a_killed_process_left_beside_is_no_obstacle),
		CASE(a_replacement_that_fails_leaves_the_old_file_and_nothing_else),
		CASE(a_place_is_tried_and_left_as_it_was),
		CASE(a_replacement_of_a_directory_fails_and_leaves_nothing),
		CASE(a_file_larger_than_the_buffer_allows_is_refused_by_name),
		CASE(only_regular_files_are_read),
		CASE(reading_stops_at_the_deadline),
		CASE(pipes_do_not_leak_into_children),
		CASE(a_write_nobody_reads_is_an_error_not_a_signal),
		CASE(long_writes_arrive_whole_through_a_small_pipe),
		CASE(directories_are_made_with_their_parents),
		CASE(a_tree_is_removed_whatever_its_permissions),
		CASE(links_are_removed_and_not_followed),
		CASE(removing_what_is_not_there_succeeds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
