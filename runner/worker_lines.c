#include "runner/worker_lines.h"

#include "sandbox/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define QUOTED_BYTES 80
#define WORD_BYTES_MAX 24 /* longer than the longest number allowed */

/* Refuse a line: what was expected, and the start of what came. */
static int refuse(struct err *err, const char *expected, const char *line)
{
	char quoted[QUOTED_BYTES + 1];
	bool whole = text_copy(quoted, sizeof(quoted), line);

	text_make_printable(quoted);
	return err_set(err, ERR_BENCH,
		"does not speak the worker protocol: expected %s, got \"%s%s\"", expected, quoted,
		whole ? "" : "...");
}

/* Lines are text: a zero byte inside would hide what follows it from every check. */
static bool is_whole(const char *line, size_t length)
{
	return strlen(line) == length;
}

/* Move past "WORD " or a last "WORD"; false where the line does not start with it. */
static bool take_word(const char **rest, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*rest, word, length) != 0)
		return false;
	if ((*rest)[length] != ' ' && (*rest)[length] != '\0')
		return false;
	*rest += length + ((*rest)[length] == ' ');
	return true;
}

/* Move past "NUMBER " or a last "NUMBER". Refused where a blank ends the line. */
static bool take_number(const char **rest, uint64_t max, uint64_t *out)
{
	size_t length = strcspn(*rest, " ");
	char word[WORD_BYTES_MAX];

	if (length >= sizeof(word))
		return false;
	memcpy(word, *rest, length);
	word[length] = '\0';
	if (!text_to_u64(word, max, out))
		return false;
	*rest += length;
	if (**rest == ' ')
		*rest += (*rest)[1] == '\0' ? 0 : 1;
	return true;
}

const char *worker_lines_error(const char *line, size_t length)
{
	const char *rest = line;

	if (!is_whole(line, length) || !take_word(&rest, "error"))
		return NULL;
	return *rest ? rest : "no reason given";
}

int worker_lines_hello(const char *line, size_t length, struct worker_hello *out, struct err *err)
{
	static const char expected[] = "\"duel 1 thread|process OVERHEAD_NS\"";
	const char *rest = line;
	uint64_t version;

	if (!is_whole(line, length) || !take_word(&rest, "duel") ||
		!take_number(&rest, UINT32_MAX, &version))
		return refuse(err, expected, line);
	if (version != 1)
		return err_set(err, ERR_BENCH,
			"speaks version %" PRIu64
			" of the worker protocol; this duel knows version 1",
			version);
	if (take_word(&rest, "thread"))
		out->clock = WORKER_CLOCK_THREAD;
	else if (take_word(&rest, "process"))
		out->clock = WORKER_CLOCK_PROCESS;
	else
		return refuse(err, expected, line);
	if (!take_number(&rest, WORKER_SAMPLE_NS_MAX, &out->overhead_ns) || *rest)
		return refuse(err, expected, line);
	return 0;
}

/* "-" or names joined by commas; names this version does not know are ignored. */
static bool take_flags(const char **rest, struct worker_benchmark *out)
{
	size_t length = strcspn(*rest, " ");
	const char *end = *rest + length;
	const char *flag = *rest;

	if (length == 0 || *end != ' ')
		return false;
	out->counts_only = false;
	while (flag < end) {
		size_t flag_length = strcspn(flag, ", ");

		if (flag_length == strlen("counts_only") &&
			strncmp(flag, "counts_only", flag_length) == 0)
			out->counts_only = true;
		flag += flag_length + 1;
	}
	*rest = end + 1;
	return true;
}

int worker_lines_benchmark(
	const char *line, size_t length, size_t id, struct worker_benchmark *out, struct err *err)
{
	const char *rest = line;
	char expected[80];
	uint64_t said;

	(void)snprintf(
		expected, sizeof(expected), "\"benchmark %zu FLAGS NAME\" or \"end %zu\"", id, id);
	if (!is_whole(line, length) || !take_word(&rest, "benchmark") ||
		!take_number(&rest, WORKER_BENCHMARKS_MAX, &said) || said != id ||
		!take_flags(&rest, out))
		return refuse(err, expected, line);
	if (!*rest)
		return err_set(err, ERR_BENCH, "benchmark %zu of its list has no name", id);
	if (!text_is_plain(rest, strlen(rest)))
		return err_set(err, ERR_BENCH,
			"the name of benchmark %zu of its list is not plain UTF-8 text", id);
	if (!text_copy(out->name, sizeof(out->name), rest))
		return err_set(err, ERR_BENCH,
			"the name of benchmark %zu of its list is longer than %d bytes", id,
			WORKER_NAME_BYTES_MAX);
	return 0;
}

bool worker_lines_is_end(const char *line, size_t length)
{
	const char *rest = line;

	return is_whole(line, length) && take_word(&rest, "end");
}

int worker_lines_end(const char *line, size_t length, size_t count, struct err *err)
{
	const char *rest = line;
	char expected[40];
	uint64_t said;

	(void)snprintf(expected, sizeof(expected), "\"end %zu\"", count);
	if (!is_whole(line, length) || !take_word(&rest, "end") ||
		!take_number(&rest, WORKER_BENCHMARKS_MAX, &said) || *rest || said != count)
		return refuse(err, expected, line);
	return 0;
}

/* "VERB ID", the ID ours. Moves past it. */
static bool take_answer(const char **rest, const char *verb, size_t id)
{
	uint64_t said;

	return take_word(rest, verb) && take_number(rest, WORKER_BENCHMARKS_MAX, &said) &&
	       said == id;
}

int worker_lines_ready(
	const char *line, size_t length, size_t id, struct worker_ready *out, struct err *err)
{
	const char *rest = line;
	char expected[60];

	(void)snprintf(expected, sizeof(expected), "\"ready %zu ITEMS BYTES\"", id);
	if (!is_whole(line, length) || !take_answer(&rest, "ready", id) ||
		!take_number(&rest, WORKER_COUNT_MAX, &out->items) ||
		!take_number(&rest, WORKER_COUNT_MAX, &out->bytes) || *rest)
		return refuse(err, expected, line);
	return 0;
}

int worker_lines_done(const char *line, size_t length, size_t id, struct err *err)
{
	const char *rest = line;
	char expected[40];

	(void)snprintf(expected, sizeof(expected), "\"done %zu\"", id);
	if (!is_whole(line, length) || !take_answer(&rest, "done", id) || *rest)
		return refuse(err, expected, line);
	return 0;
}

int worker_lines_samples(const char *line, size_t length, size_t id, size_t count,
	struct worker_sample *out, struct err *err)
{
	const char *rest = line;
	char expected[120];
	uint64_t said;

	(void)snprintf(expected, sizeof(expected),
		"\"samples %zu %zu\" and %zu times \"CPU_NS WALL_NS\"", id, count, count);
	if (!is_whole(line, length) || !take_answer(&rest, "samples", id) ||
		!take_number(&rest, WORKER_SAMPLES_MAX, &said) || said != count)
		return refuse(err, expected, line);
	for (size_t i = 0; i < count; i++) {
		if (!take_number(&rest, WORKER_SAMPLE_NS_MAX, &out[i].cpu_ns) ||
			!take_number(&rest, WORKER_SAMPLE_NS_MAX, &out[i].wall_ns))
			return refuse(err, expected, line);
	}
	return *rest ? refuse(err, expected, line) : 0;
}
