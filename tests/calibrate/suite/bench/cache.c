/* A cache that forgets what was asked for least recently. */
#include "../suite.h"

#include <stdlib.h>
#include <string.h>

#define CACHE_PLACES 64

/* Least recently used: a ring of places, newest behind 0; keys are found by a small table. */
struct cache {
	uint16_t newer[CACHE_PLACES + 1];
	uint16_t older[CACHE_PLACES + 1];
	uint16_t key[CACHE_PLACES + 1];
	uint16_t place[256];
	uint8_t requests[400];
};

static void *make_cache(long value)
{
	struct cache *cache = suite_memory(sizeof(*cache));
	uint64_t seed = 103 + (uint64_t)value;
	size_t i;

	for (i = 0; i <= CACHE_PLACES; i++) {
		cache->older[i] = (uint16_t)((i + 1) % (CACHE_PLACES + 1));
		cache->newer[(i + 1) % (CACHE_PLACES + 1)] = (uint16_t)i;
		cache->key[i] = 256;
	}
	for (i = 0; i < sizeof(cache->requests); i++)
		cache->requests[i] = (uint8_t)(suite_random(&seed, 4) ? suite_random(&seed, 50)
								      : suite_random(&seed, 256));
	return cache;
}

static void cache_renew(struct cache *cache, uint16_t place)
{
	cache->older[cache->newer[place]] = cache->older[place];
	cache->newer[cache->older[place]] = cache->newer[place];
	cache->older[place] = cache->older[0];
	cache->newer[place] = 0;
	cache->newer[cache->older[0]] = place;
	cache->older[0] = place;
}

/* Starts empty each time, so that every iteration finds the same. */
SUITE_STEADY static unsigned cache_run(struct cache *cache)
{
	unsigned hits = 0;
	uint16_t place;
	size_t i;

	memset(cache->place, 0, sizeof(cache->place));
	for (i = 0; i < sizeof(cache->requests); i++) {
		place = cache->place[cache->requests[i]];
		if (place) {
			hits++;
		} else {
			place = cache->newer[0];
			if (cache->key[place] < 256)
				cache->place[cache->key[place]] = 0;
			cache->key[place] = cache->requests[i];
			cache->place[cache->requests[i]] = place;
		}
		cache_renew(cache, place);
	}
	return hits;
}

SUITE("cache: least recently used", make_cache, free)
{
	duel_keep(cache_run(state));
}
