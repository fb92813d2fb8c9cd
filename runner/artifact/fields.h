/*
 * The artifact's members as tables: what the writer writes is what the reader expects.
 *
 * One row a member of FORMAT.md: its name (also the struct's), its kind, where it stands in the
 * struct, and its limit. Rows are grouped in sections, one a JSON object. A new member is a row
 * here, a line in FORMAT.md and one in schema.json; a test compares the three.
 */
#ifndef RUNNER_ARTIFACT_FIELDS_H
#define RUNNER_ARTIFACT_FIELDS_H

#include "runner/artifact/schema.h"

#include <stddef.h>

#define FIELDS_FORMAT "duel" /* the document's "format" */
#define FIELDS_SECTIONS 5

enum field_kind {
	FIELD_TEXT,   /* char *: one printable line of at most `max` bytes */
	FIELD_LINES,  /* char *: the same, with newlines and tabs */
	FIELD_LIST,   /* char *[SCHEMA_NOTES_MAX]: lines, NULL behind the last */
	FIELD_WORD,   /* an enum: one of `words` */
	FIELD_BOOL,   /* bool */
	FIELD_SMALL,  /* uint32_t, at most `max` */
	FIELD_COUNT,  /* uint64_t, at most `max` */
	FIELD_SEED,   /* uint64_t in full: decimal digits in a string */
	FIELD_NUMBER, /* double from 0 to `max` */
	FIELD_RATIO,  /* struct report_ratio: an object of three numbers */
	FIELD_PAIRS,  /* pairs, visits and nulls of a benchmark: base64 of 32-bit numbers, */
	FIELD_VISITS, /* least significant byte first */
	FIELD_NULLS,
};

/* The words of an enum, in its order. */
struct field_words {
	const char *(*word)(unsigned value);
	unsigned count;
};

struct field {
	const char *name;
	enum field_kind kind;
	size_t offset; /* in the section's struct */
	double max;
	const struct field_words *words;
};

struct fields_section {
	const char *name; /* the object's; "" for the document itself */
	size_t offset;    /* of the section's struct in struct report */
	const struct field *fields;
	size_t count;
};

extern const struct fields_section fields_root;
extern const struct fields_section fields_sections[FIELDS_SECTIONS];
extern const struct fields_section fields_benchmark; /* each item of "benchmarks" */
extern const struct fields_section fields_ratio;     /* numbers only */

/* The member's place in a section's struct. */
static inline void *fields_at(const struct field *field, void *structure)
{
	return (char *)structure + field->offset;
}

static inline const void *fields_at_const(const struct field *field, const void *structure)
{
	return (const char *)structure + field->offset;
}

#endif
