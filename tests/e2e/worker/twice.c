/* A worker that cannot start: two benchmarks of one name. */
#define DUEL_MAIN
#include "duel.h"

DUEL_BENCHMARK("same")
{
	duel_keep(1);
}

DUEL_BENCHMARK("same")
{
	duel_keep(2);
}
