/*
 * A worker's side of the protocol (PROTOCOL.md): commands in, one reply each.
 *
 * Included by duel-worker.h. Uses no stdio streams: their buffers would come from the heap.
 */
#ifndef DUEL_SERVE_H
#define DUEL_SERVE_H

#include "duel-cases.h"

static void duel_flush_(void)
{
	size_t sent = 0;
	ssize_t got;

	while (sent < duel_.out_length) {
		got = write(duel_.out_fd, duel_.out + sent, duel_.out_length - sent);
		if (got < 0 && errno != EINTR)
			_exit(1);
		if (got > 0)
			sent += (size_t)got;
	}
	duel_.out_length = 0;
}

/* Append to the reply; every piece is far shorter than the room kept for it. */
static void duel_put_(const char *text)
{
	size_t length = strlen(text);

	if (duel_.out_length + length > sizeof(duel_.out))
		duel_flush_();
	memcpy(duel_.out + duel_.out_length, text, length);
	duel_.out_length += length;
}

static void duel_put_numbers_(
	const char *before, unsigned long long first, unsigned long long second)
{
	char text[100];

	snprintf(text, sizeof(text), "%s%llu %llu", before, first, second);
	duel_put_(text);
}

static void duel_put_failure_(const struct duel_case_ *it)
{
	duel_put_("error ");
	if (it) {
		duel_put_(it->name);
		duel_put_(": ");
	}
	duel_put_(duel_.text);
	duel_put_("\n");
}

/* The next command without its LF. Returns its length, -1 at the end, -2 where it is too long. */
static int duel_read_line_(char *line)
{
	size_t length = 0;
	ssize_t got;
	char byte;

	for (;;) {
		if (duel_.in_start == duel_.in_end) {
			got = read(duel_.in_fd, duel_.in, sizeof(duel_.in));
			if (got < 0 && errno == EINTR)
				continue;
			if (got <= 0)
				return -1;
			duel_.in_start = 0;
			duel_.in_end = (size_t)got;
		}
		byte = duel_.in[duel_.in_start++];
		if (byte == '\n')
			break;
		if (length < DUEL_COMMAND_BYTES_MAX)
			line[length++] = byte;
	}
	if (length == DUEL_COMMAND_BYTES_MAX)
		return -2;
	line[length] = '\0';
	return (int)length;
}

/* Read " NUMBER" at *text and move past it. Returns 0, or -1 with the failure noted. */
static int duel_take_number_(const char **text, unsigned long max, unsigned long *number)
{
	const char *start = *text;
	char *end;

	errno = 0;
	if (start[0] == ' ' && start[1] >= '0' && start[1] <= '9') {
		*number = strtoul(start + 1, &end, 10);
		*text = end;
		if (errno == 0 && *number <= max && (*end == ' ' || *end == '\0'))
			return 0;
	}
	duel_error_about_("not a number in range:", start);
	return -1;
}

/* Read " ID" and look it up. NULL with the failure noted. */
static struct duel_case_ *duel_take_case_(const char **text, int is_ready)
{
	unsigned long id;
	char problem[100];

	if (duel_take_number_(text, DUEL_BENCHMARKS_MAX, &id) != 0)
		return NULL;
	if (id < duel_.cases_count && duel_.cases[id].is_ready == is_ready)
		return &duel_.cases[id];
	if (id >= duel_.cases_count)
		snprintf(problem, sizeof(problem), "no benchmark %lu", id);
	else
		snprintf(problem, sizeof(problem), "benchmark %lu is %sset up", id,
			is_ready ? "not " : "already ");
	duel_error(problem);
	return NULL;
}

static int duel_at_end_(const char *rest)
{
	if (*rest == '\0')
		return 1;
	duel_error_about_("one ID expected, then: ", rest);
	return 0;
}

static void duel_answer_list_(void)
{
	char text[64];
	size_t i;

	for (i = 0; i < duel_.cases_count; i++) {
		snprintf(text, sizeof(text), "benchmark %zu ", i);
		duel_put_(text);
		duel_put_(
			duel_.cases[i].benchmark->flags & DUEL_COUNTS_ONLY ? "counts_only " : "- ");
		duel_put_(duel_.cases[i].name);
		duel_put_("\n");
	}
	snprintf(text, sizeof(text), "end %zu\n", duel_.cases_count);
	duel_put_(text);
}

static void duel_answer_run_(struct duel_case_ *it, const char *text)
{
	unsigned long iterations;
	unsigned long samples;
	unsigned long i;

	if (duel_take_number_(&text, DUEL_ITERATIONS_MAX, &iterations) != 0 ||
		duel_take_number_(&text, DUEL_SAMPLES_MAX, &samples) != 0)
		return;
	if (iterations == 0 || samples == 0 || *text != '\0') {
		duel_error("run takes an ID, 1 to 4294967295 iterations and 1 to 1024 samples");
		return;
	}
	duel_run_(it, iterations, samples);
	if (duel_.failed)
		return;
	duel_put_numbers_("samples ", (unsigned long long)(it - duel_.cases), samples);
	for (i = 0; i < samples; i++)
		duel_put_numbers_(" ", duel_.samples[i].cpu_ns, duel_.samples[i].wall_ns);
	duel_put_("\n");
}

static void duel_answer_setup_(struct duel_case_ *it)
{
	char text[64];

	duel_set_up_(it);
	if (duel_.failed)
		return;
	snprintf(text, sizeof(text), "ready %d ", (int)(it - duel_.cases));
	duel_put_numbers_(text, it->items, it->bytes);
	duel_put_("\n");
}

static void duel_answer_teardown_(struct duel_case_ *it)
{
	char text[64];

	duel_tear_down_(it);
	if (duel_.failed)
		return;
	snprintf(text, sizeof(text), "done %d\n", (int)(it - duel_.cases));
	duel_put_(text);
}

static void duel_answer_(const char *line)
{
	struct duel_case_ *it = NULL;
	const char *rest = line + strcspn(line, " ");

	duel_.failed = 0;
	if (strcmp(line, "list") == 0) {
		duel_answer_list_();
	} else if (strncmp(line, "setup ", 6) == 0) {
		it = duel_take_case_(&rest, 0);
		if (it && duel_at_end_(rest))
			duel_answer_setup_(it);
	} else if (strncmp(line, "run ", 4) == 0) {
		it = duel_take_case_(&rest, 1);
		if (it)
			duel_answer_run_(it, rest);
	} else if (strncmp(line, "teardown ", 9) == 0) {
		it = duel_take_case_(&rest, 1);
		if (it && duel_at_end_(rest))
			duel_answer_teardown_(it);
	} else {
		duel_error("unknown command");
	}
	if (duel_.failed)
		duel_put_failure_(it);
}

static int duel_serve_(void)
{
	char line[DUEL_COMMAND_BYTES_MAX];
	int length;

	fcntl(duel_.in_fd, F_SETFD, FD_CLOEXEC);
	fcntl(duel_.out_fd, F_SETFD, FD_CLOEXEC);
	if (duel_make_cases_() != 0) {
		duel_put_failure_(NULL);
		duel_flush_();
		return 2;
	}
	snprintf(line, sizeof(line), "duel 1 thread %llu\n", duel_overhead_ns_());
	duel_put_(line);
	duel_flush_();
	while ((length = duel_read_line_(line)) != -1) {
		if (length >= 0 && strcmp(line, "quit") == 0)
			return 0;
		if (length == -2)
			duel_put_("error line too long\n");
		else
			duel_answer_(line);
		duel_flush_();
	}
	return 0;
}

#endif
