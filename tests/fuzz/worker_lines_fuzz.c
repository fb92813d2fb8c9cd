/*
 * Whatever a worker writes as one line is parsed as every kind of reply.
 *
 * What is accepted must keep its promises: plain bounded names, numbers in range, flags known.
 */
#include "runner/worker_lines.h"

#include "sandbox/base/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_SAMPLES_MAX 8

static void check_lists(const char *line, size_t length, size_t id)
{
	struct worker_benchmark benchmark;
	struct worker_hello hello;
	struct err err;

	if (worker_lines_benchmark(line, length, id, &benchmark, &err) == 0) {
		size_t name_bytes = strlen(benchmark.name);

		assert(name_bytes > 0 && name_bytes <= WORKER_NAME_BYTES_MAX);
		assert(text_is_plain(benchmark.name, name_bytes));
	}
	if (worker_lines_hello(line, length, &hello, &err) == 0)
		assert(hello.overhead_ns <= WORKER_SAMPLE_NS_MAX);
	if (worker_lines_end(line, length, id, &err) == 0)
		assert(worker_lines_is_end(line, length));
}

static void check_replies(const char *line, size_t length, size_t id)
{
	struct worker_sample samples[FUZZ_SAMPLES_MAX];
	struct worker_ready ready;
	const char *text = worker_lines_error(line, length);
	struct err err;

	if (text)
		assert(*text);
	if (worker_lines_ready(line, length, id, &ready, &err) == 0)
		assert(ready.items <= WORKER_COUNT_MAX && ready.bytes <= WORKER_COUNT_MAX);
	(void)!worker_lines_done(line, length, id, &err);
	for (size_t count = 1; count <= FUZZ_SAMPLES_MAX; count++) {
		if (worker_lines_samples(line, length, id, count, samples, &err) < 0)
			continue;
		for (size_t i = 0; i < count; i++)
			assert(samples[i].cpu_ns <= WORKER_SAMPLE_NS_MAX &&
				samples[i].wall_ns <= WORKER_SAMPLE_NS_MAX);
	}
}

/* First byte: the ID asked for. The rest: the line, copied so that its end is the memory's end. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *line;

	if (size < 1)
		return 0;
	line = malloc(size);
	assert(line);
	memcpy(line, data + 1, size - 1);
	line[size - 1] = '\0';
	check_lists(line, size - 1, data[0]);
	check_replies(line, size - 1, data[0]);
	free(line);
	return 0;
}
