#include "suite.h"

#include <stdlib.h>

uint32_t suite_random(uint64_t *seed, uint32_t below)
{
	*seed ^= *seed << 13; /* Marsaglia's xorshift64 */
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (uint32_t)(*seed >> 33) % below;
}

void *suite_memory(size_t bytes)
{
	void *memory = calloc(1, bytes);

	if (!memory)
		exit(2);
	return memory;
}

char *suite_text(uint64_t seed, size_t length)
{
	char *text = suite_memory(length + 1);
	size_t i;
	uint32_t kind;

	for (i = 0; i < length; i++) {
		kind = suite_random(&seed, 48);
		text[i] = kind < 40 ? (char)('a' + kind % 20) : kind < 47 ? ' ' : '\n';
	}
	return text;
}
