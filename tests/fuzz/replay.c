/*
 * Stands where libFuzzer would: runs one fuzz target on the files of its corpus, under any
 * compiler. Each input ends at an unreadable page, then starts behind one, so that a read past
 * either end is a crash even without a sanitizer.
 *
 * usage: NAME_replay NAME FILE...
 */
#include "sandbox/base/io.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define REPLAY_BYTES_MAX ((size_t)64 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Pages for `length` bytes between two unreadable ones; NULL = no memory. */
static uint8_t *guarded_map(size_t length, size_t page, size_t *inner)
{
	uint8_t *map;

	*inner = (length + page - 1) / page * page;
	map = mmap(NULL, *inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		return NULL;
	if (*inner && mprotect(map + page, *inner, PROT_READ | PROT_WRITE) < 0)
		return NULL;
	return map;
}

static int replay(const struct buf *input)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t inner;
	uint8_t *map = guarded_map(input->length, page, &inner);
	uint8_t *at;

	if (!map)
		return -1;
	at = map + page + inner - input->length;
	if (input->length)
		memcpy(at, input->data, input->length);
	(void)LLVMFuzzerTestOneInput(at, input->length);
	at = map + page;
	if (input->length)
		memcpy(at, input->data, input->length);
	(void)LLVMFuzzerTestOneInput(at, input->length);
	return munmap(map, inner + 2 * page);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "nothing";

	for (int i = 2; i < argc; i++) {
		AUTO_BUF input = {.bytes_max = REPLAY_BYTES_MAX};
		struct err err;

		/* Said before, so that the last line of a crash names its input. */
		printf("# %s\n", argv[i]);
		(void)fflush(stdout);
		if (io_read_file(&input, argv[i], &err) < 0) {
			printf("not ok - %s: %s\n", name, err.text);
			return 1;
		}
		if (replay(&input) < 0) {
			printf("not ok - %s: no memory for a guarded copy\n", name);
			return 1;
		}
	}
	if (argc < 3) {
		printf("not ok - %s: the corpus is empty\n", name);
		return 1;
	}
	printf("ok - %s: %d inputs of the corpus\n", name, argc - 2);
	return 0;
}
