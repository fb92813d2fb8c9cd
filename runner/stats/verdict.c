#include "runner/stats/verdict.h"

#include <string.h>

static const char *const names[VERDICT_COUNT] = {
	[VERDICT_UNSETTLED] = "unsettled",
	[VERDICT_SLOWER] = "slower",
	[VERDICT_FASTER] = "faster",
	[VERDICT_SAME] = "same",
	[VERDICT_ERROR] = "error",
	[VERDICT_ADDED] = "added",
	[VERDICT_REMOVED] = "removed",
};

const char *verdict_name(enum verdict verdict)
{
	return (unsigned)verdict < VERDICT_COUNT ? names[verdict] : names[VERDICT_ERROR];
}

bool verdict_from_name(const char *name, enum verdict *out)
{
	for (unsigned i = 0; i < VERDICT_COUNT; i++) {
		if (strcmp(name, names[i]) == 0) {
			*out = (enum verdict)i;
			return true;
		}
	}
	return false;
}
