/*
 * One value of the artifact -> its place in the struct. Used by parse.c only.
 *
 * Knows kinds and ranges of fields.h, not which members there are.
 */
#ifndef RUNNER_ARTIFACT_PARSE_VALUE_H
#define RUNNER_ARTIFACT_PARSE_VALUE_H

#include "runner/artifact/fields.h"

#include <cjson/cJSON.h>

#define PARSE_VALUE_PLACE_BYTES 40

/* What the values of one document share. */
struct parse_value {
	char place[PARSE_VALUE_PLACE_BYTES]; /* path of the section in hand: "benchmarks[3]" */
	uint32_t minor;
	/* Of the benchmark in hand: two members that make its pairs together. */
	uint32_t pairs[SCHEMA_PAIRS_MAX], visits[SCHEMA_PAIRS_MAX];
	size_t pairs_count, visits_count;
};

/* Index of the member of this name; the section's count where there is none. */
size_t parse_value_find(const struct fields_section *section, const char *name);

/* Set "path.member: what" (ERR_HOSTILE). Returns -1. */
int parse_value_error(const struct parse_value *value, const struct field *field, struct err *err,
	const char *what);

/* Errors: ERR_HOSTILE with the member's path, ERR_OS. */
int parse_value_read(struct parse_value *value, const struct field *field, const cJSON *item,
	void *structure, struct err *err) ATTR_MUST_USE;

/* Put the pairs of a benchmark together. Errors: ERR_HOSTILE where their numbers differ, ERR_OS. */
int parse_value_pairs(const struct parse_value *value, struct report_benchmark *benchmark,
	struct err *err) ATTR_MUST_USE;

#endif
