/*
 * What a comparison of two versions found out, for one benchmark or for the board as a whole.
 *
 * The words are the ones of the report and of the artifact; verdict_name() and verdict_from_name()
 * are the only places that spell them.
 */
#ifndef RUNNER_STATS_VERDICT_H
#define RUNNER_STATS_VERDICT_H

#include <stdbool.h>

enum verdict {
	VERDICT_UNSETTLED, /* too close to the limit to settle: never fails a run */
	VERDICT_SLOWER,    /* the candidate costs more than the limit allows */
	VERDICT_FASTER,    /* it costs less than the limit's reciprocal */
	VERDICT_SAME,      /* within the limit */
	VERDICT_ERROR,     /* could not be measured */
	VERDICT_ADDED,     /* the baseline does not have it */
	VERDICT_REMOVED,   /* the candidate does not have it */
	VERDICT_COUNT
};

/* The verdict's word, in lower case; "error" for a value outside the enum. */
const char *verdict_name(enum verdict verdict);

/* The verdict of a word; false where there is none, then *out is left alone. */
bool verdict_from_name(const char *name, enum verdict *out);

#endif
