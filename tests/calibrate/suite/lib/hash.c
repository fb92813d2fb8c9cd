#include "lib.h"

/* Fowler, Noll, Vo: 1a, 32 bits. */
uint32_t hash_fnv(const unsigned char *bytes, size_t length)
{
	uint32_t hash = 2166136261u;
	size_t i;

	for (i = 0; i < length; i++)
		hash = (hash ^ bytes[i]) * 16777619u;
	return hash;
}
