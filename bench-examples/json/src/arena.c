#include "reader.h"

#include <stdlib.h>

/* Blocks double, so that a document of any size takes few of them. */
#define ARENA_BLOCK_BYTES 4096
#define ARENA_BLOCK_BYTES_MAX 1048576

struct json_block {
	struct json_block *older;
	size_t used;
	size_t size;
	max_align_t bytes[];
};

void *arena_take(struct json_document *document, size_t bytes)
{
	struct json_block *block = document->blocks;
	size_t size = block ? block->size * 2 : ARENA_BLOCK_BYTES;
	char *taken;

	bytes = (bytes + sizeof(void *) - 1) & ~(sizeof(void *) - 1);
	if (!block || block->size - block->used < bytes) {
		if (size > ARENA_BLOCK_BYTES_MAX)
			size = ARENA_BLOCK_BYTES_MAX;
		if (size < bytes)
			size = bytes;
		block = malloc(sizeof(*block) + size);
		if (!block)
			return NULL;
		block->older = document->blocks;
		block->used = 0;
		block->size = size;
		document->blocks = block;
	}
	taken = (char *)block->bytes + block->used;
	block->used += bytes;
	return taken;
}

int reader_fail(struct reader *reader, const char *problem)
{
	reader->document->problem = problem;
	return -1;
}

void json_release(struct json_document *document)
{
	struct json_block *older;

	while (document->blocks) {
		older = document->blocks->older;
		free(document->blocks);
		document->blocks = older;
	}
	document->root = NULL;
}
