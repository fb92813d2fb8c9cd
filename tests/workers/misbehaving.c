/*
 * A worker that does wrong what its first argument says, and everything else right.
 *
 * usage: misbehaving WHAT [DETAIL] (started by a test with DUEL_IN and DUEL_OUT in the environment)
 *
 * "honest" does nothing wrong. Two benchmarks, "first" and "second"; an iteration is one turn of a
 * short loop. Written by hand: duel.h would not let it misbehave.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *what = "honest";
static const char *detail = "";
static int in_fd, out_fd;
static volatile uint64_t sink;
static char reply[8192];
static size_t reply_length;

static bool is(const char *verb)
{
	return strcmp(what, verb) == 0;
}

static uint64_t read_clock(clockid_t clock)
{
	struct timespec now;

	(void)clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void put(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	reply_length += (size_t)vsnprintf(
		reply + reply_length, sizeof(reply) - reply_length, format, args);
	va_end(args);
	if (reply_length > sizeof(reply) - 512 || strchr(format, '\n')) {
		if (write(out_fd, reply, reply_length) != (ssize_t)reply_length)
			_exit(9);
		reply_length = 0;
	}
}

static void hang(void)
{
	for (;;)
		(void)pause();
}

/* One of the commands is where it happens. */
static void flood(int fd, bool with_lines)
{
	char block[4096];

	memset(block, 'x', sizeof(block));
	if (with_lines)
		block[sizeof(block) - 1] = '\n';
	for (;;) {
		if (write(fd, block, sizeof(block)) <= 0)
			_exit(8);
	}
}

static void daemonise(void)
{
	pid_t middle = fork();

	if (middle != 0) {
		(void)waitpid(middle, NULL, 0);
		return;
	}
	(void)setsid();
	if (fork() != 0)
		_exit(0);
	hang();
}

static void crash(void)
{
	struct rlimit none = {0, 0};

	(void)setrlimit(RLIMIT_CORE, &none);
	(void)fprintf(stderr, "about to crash\n");
	(void)raise(SIGSEGV);
}

static void misbehave_in(const char *command)
{
	if (strcmp(detail, command) != 0)
		return;
	if (is("hang"))
		hang();
	if (is("crash"))
		crash();
	if (is("exit-early"))
		_exit(3);
	if (is("exit-0"))
		_exit(0);
	if (is("flood-output"))
		flood(1, true);
	if (is("flood-errors"))
		flood(2, false);
	if (is("flood-line"))
		flood(out_fd, false);
	if (is("close-replies"))
		(void)close(out_fd);
	if (is("close-replies"))
		hang();
	if (is("garbage"))
		put("\x1b[31mready? %s\n", command);
	if (is("speak-first"))
		put("done 0\n");
	if (is("daemonise"))
		daemonise();
}

static void work(unsigned long iterations)
{
	uint64_t x = 88172645463325252u;

	if (is("slow"))
		iterations *= 2;
	for (unsigned long i = 0; i < iterations; i++) {
		for (int k = 0; k < 300; k++)
			x = x * 6364136223846793005u + 1442695040888963407u;
	}
	sink = x;
}

static void put_list(void)
{
	const char *second = is("change-list") ? "other" : is("twice") ? "first" : "second";

	if (is("garbage-list")) {
		put("benchmark 0 - first\nbenchmark 2 - second\nend 2\n");
		return;
	}
	if (is("many")) {
		for (int i = 0; i < 5000; i++)
			put("benchmark %d - b%d\n", i, i);
		put("end 5000\n");
		return;
	}
	if (is("none")) {
		put("end 0\n");
		return;
	}
	if (is("longer-list")) {
		put("benchmark 0 - first\nbenchmark 1 - second\nbenchmark 2 - third\nend 3\n");
		return;
	}
	put("benchmark 0 - first\nbenchmark 1 - %s\nend 2\n", second);
}

static uint64_t lie(uint64_t cpu_ns)
{
	if (is("lie-low"))
		return cpu_ns / 2;
	if (is("lie-high"))
		return cpu_ns * 2 + 100000;
	return cpu_ns;
}

/* On every processor it may have: on the measured one it would wait its turn. */
static void *spin(void *unused)
{
	cpu_set_t all;

	(void)unused;
	memset(&all, 0xff, sizeof(all));
	(void)sched_setaffinity(0, sizeof(all), &all);
	for (;;)
		work(1);
	return NULL;
}

static void run(unsigned id, unsigned long iterations, unsigned samples)
{
	uint64_t cpu[64], wall[64];

	if (samples > 64)
		_exit(7);
	for (unsigned i = 0; i < samples; i++) {
		wall[i] = read_clock(CLOCK_MONOTONIC);
		cpu[i] = read_clock(CLOCK_THREAD_CPUTIME_ID);
		work(iterations);
		cpu[i] = read_clock(CLOCK_THREAD_CPUTIME_ID) - cpu[i];
		wall[i] = read_clock(CLOCK_MONOTONIC) - wall[i];
	}
	put("samples %u %u", is("wrong-id") ? id + 1 : id, samples);
	for (unsigned i = 0; i < samples; i++) {
		if (is("too-few") && i == 1)
			break;
		if (is("negative"))
			put(" -%ju", (uintmax_t)cpu[i]);
		else if (is("not-a-number"))
			put(" fast");
		else
			put(" %ju", (uintmax_t)lie(cpu[i]));
		put(" %ju", (uintmax_t)wall[i]);
	}
	put(is("too-many") ? " 1 1\n" : "\n");
}

/* The first benchmark cannot be set up; everything else can. */
static bool say_error(const char *line)
{
	if (!is("say-error") || strcmp(line, "setup 0") != 0)
		return false;
	put("error no \x1b[1mroom\n");
	return true;
}

static void answer(const char *line)
{
	unsigned long iterations;
	unsigned id, samples;
	char verb[20] = "";

	(void)sscanf(line, "%19s", verb);
	misbehave_in(verb);
	if (say_error(line))
		return;
	if (strcmp(verb, "list") == 0)
		put_list();
	else if (sscanf(line, "setup %u", &id) == 1)
		put("ready %u 0 0\n", id);
	else if (sscanf(line, "teardown %u", &id) == 1)
		put("done %u\n", id);
	else if (sscanf(line, "run %u %lu %u", &id, &iterations, &samples) == 3)
		run(id, iterations, samples);
	else
		put("error unknown command\n");
}

static void serve(void)
{
	static char line[5000];
	size_t length = 0;

	for (;;) {
		if (length == sizeof(line) - 1 || read(in_fd, line + length, 1) != 1)
			return;
		if (line[length++] != '\n')
			continue;
		line[length - 1] = '\0';
		length = 0;
		if (strcmp(line, "quit") == 0)
			return;
		answer(line);
	}
}

int main(int argc, char **argv)
{
	const char *in = getenv("DUEL_IN"), *out = getenv("DUEL_OUT");
	pthread_t thread;

	if (argc > 1)
		what = argv[1];
	if (argc > 2)
		detail = argv[2];
	if (!in || !out)
		return 2;
	in_fd = atoi(in);
	out_fd = atoi(out);
	(void)fcntl(in_fd, F_SETFD, FD_CLOEXEC);
	(void)fcntl(out_fd, F_SETFD, FD_CLOEXEC);
	if (is("noisy"))
		(void)puts("some noise");
	(void)fflush(stdout);
	misbehave_in("hello");
	if (is("spin") && pthread_create(&thread, NULL, spin, NULL) != 0)
		return 2;
	put(is("speak-other") ? "duel 9 thread 1\n" : "duel 1 thread 1200\n");
	serve();
	misbehave_in("quit");
	return is("fail-at-end") ? 4 : 0;
}
