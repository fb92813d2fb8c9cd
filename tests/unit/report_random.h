/*
 * Reports with random contents within the limits of schema.h, from a seed, and their comparison
 * member by member: for the tests of artifact/ and report/.
 */
#ifndef TESTS_UNIT_REPORT_RANDOM_H
#define TESTS_UNIT_REPORT_RANDOM_H

#include "runner/artifact/fields.h"
#include "runner/artifact/schema.h"
#include "runner/stats/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RANDOM_TEXT_BYTES 120

#define MUST(call)                                     \
	do {                                           \
		struct err must_err = {0};             \
		if ((call) < 0)                        \
			fail_msg("%s", must_err.text); \
	} while (0)

/* What has been seen to act somewhere: Markdown, HTML, tables, spreadsheets, terminals, C. */
static const char *const random_parts[] = {"parse: ", "string", " ", "x", "0", "ü", "日本", "😀",
	"`", "``", "```", "|", "\\", "\\|", "*", "_", "~~", "@octocat", "@org/team", "#12", "GH-12",
	"http://a.example", "www.a.example", "a@b.example", "<img src=x>", "<!--", "-->",
	"</details>", "![x](y)", "[x](y)", "&amp;", "&#64;", "\"", "'", "=1+1", "+", "-", ",", ";",
	":smile:", "$x$", "%", "{", "}", "0123456789abcdef0123456789abcdef01234567"};

static inline void random_text(struct rng *rng, char *text, size_t bytes)
{
	uint32_t parts = rng_below(rng, 9);

	*text = '\0';
	for (uint32_t i = 0; i < parts; i++) {
		const char *part = random_parts[rng_below(rng, ARRAY_LENGTH(random_parts))];

		if (strlen(text) + strlen(part) + 1 < bytes)
			memcpy(text + strlen(text), part, strlen(part) + 1);
	}
}

static inline double random_number(struct rng *rng, double max)
{
	switch (rng_below(rng, 4)) {
	case 0:
		return 0;
	case 1:
		return max;
	case 2:
		return rng_unit(rng) * max;
	default:
		return rng_unit(rng) < max ? rng_unit(rng) * (max < 2 ? max : 2) : 0;
	}
}

static inline void random_list(struct rng *rng, char **list)
{
	char text[RANDOM_TEXT_BYTES];
	uint32_t count = rng_below(rng, 4);

	for (uint32_t i = 0; i < count; i++) {
		random_text(rng, text, sizeof(text));
		MUST(report_note(list, &must_err, "%s", text));
	}
}

static inline void random_ratio(struct rng *rng, struct report_ratio *ratio)
{
	ratio->low = random_number(rng, 1.5);
	ratio->ratio = ratio->low + random_number(rng, 0.1);
	ratio->high = ratio->ratio + random_number(rng, 0.1);
}

static inline void random_member(struct rng *rng, const struct field *field, void *structure)
{
	char text[RANDOM_TEXT_BYTES];
	void *at = fields_at(field, structure);
	unsigned word;

	switch (field->kind) {
	case FIELD_TEXT:
		random_text(rng, text, sizeof(text));
		MUST(report_set(at, text, (size_t)field->max, &must_err));
		break;
	case FIELD_LINES:
		random_text(rng, text, sizeof(text) - 30);
		memcpy(text + strlen(text), "\n\tsecond `line`\n", 17);
		MUST(report_set_log(at, rng_below(rng, 2) ? text : "", &must_err));
		break;
	case FIELD_LIST:
		random_list(rng, at);
		break;
	case FIELD_WORD:
		word = rng_below(rng, field->words->count);
		memcpy(at, &word, sizeof(word));
		break;
	case FIELD_BOOL:
		*(bool *)at = rng_below(rng, 2);
		break;
	case FIELD_SMALL:
		*(uint32_t *)at = (uint32_t)(rng_unit(rng) * field->max);
		break;
	case FIELD_COUNT:
		*(uint64_t *)at = (uint64_t)random_number(rng, field->max);
		break;
	case FIELD_SEED:
		*(uint64_t *)at = rng_bits(rng);
		break;
	case FIELD_NUMBER:
		*(double *)at = random_number(rng, field->max);
		break;
	case FIELD_RATIO:
		random_ratio(rng, at);
		break;
	case FIELD_PAIRS:
	case FIELD_VISITS:
	case FIELD_NULLS:
		break;
	}
}

static inline void random_section(
	struct rng *rng, const struct fields_section *section, void *structure)
{
	for (size_t i = 0; i < section->count; i++)
		random_member(rng, &section->fields[i], structure);
}

static inline void random_pairs(struct rng *rng, struct report_benchmark *benchmark, uint32_t count)
{
	uint32_t visit = 0;

	for (uint32_t i = 0; i < count; i++) {
		visit += rng_below(rng, 3);
		MUST(report_add_pair(benchmark, visit, (int32_t)rng_bits(rng) % 60000, &must_err));
		if (i % 8 == 7)
			MUST(report_add_null(benchmark, (int32_t)rng_bits(rng) % 10000, &must_err));
	}
}

/* As random as the reader allows: numbers of pairs, rules and names are such that it takes them. */
static inline void random_benchmark(struct rng *rng, struct report *report, uint32_t pairs)
{
	char name[RANDOM_TEXT_BYTES + 20], text[RANDOM_TEXT_BYTES];
	struct report_benchmark *benchmark;

	MUST(report_add_benchmark(report, &benchmark, &must_err));
	random_section(rng, &fields_benchmark, benchmark);
	random_text(rng, text, sizeof(text));
	(void)snprintf(name, sizeof(name), "%s %u", text, report->benchmarks_count);
	MUST(report_set(&benchmark->name, name, SCHEMA_NAME_BYTES_MAX, &must_err));
	benchmark->limit = 1.02;
	benchmark->alpha = 0.005;
	benchmark->pairs_min = 8;
	benchmark->pairs_max = 64;
	random_pairs(rng, benchmark, pairs);
}

/* The caller releases it. */
static inline void random_report(struct report *report, uint64_t seed)
{
	struct rng rng;
	uint32_t count;

	rng_seed(&rng, seed);
	report_init(report);
	random_section(&rng, &fields_root, report);
	for (size_t i = 0; i < FIELDS_SECTIONS; i++)
		random_section(
			&rng, &fields_sections[i], (char *)report + fields_sections[i].offset);
	if (report->verdict == RUN_PASSED)
		MUST(report_set(&report->failure, "", 1, &must_err));
	count = rng_below(&rng, 12);
	for (uint32_t i = 0; i < count; i++)
		random_benchmark(&rng, report, rng_below(&rng, 70));
}

static inline bool same_lists(char *const *a, char *const *b)
{
	size_t i = 0;

	while (a[i] && b[i] && strcmp(a[i], b[i]) == 0)
		i++;
	return !a[i] && !b[i];
}

static inline bool same_member(const struct field *field, const void *a, const void *b)
{
	const void *left = fields_at_const(field, a), *right = fields_at_const(field, b);
	const struct report_benchmark *p = a, *q = b;

	switch (field->kind) {
	case FIELD_TEXT:
	case FIELD_LINES:
		return strcmp(*(char *const *)left, *(char *const *)right) == 0;
	case FIELD_LIST:
		return same_lists(left, right);
	case FIELD_WORD:
	case FIELD_SMALL:
		return memcmp(left, right, sizeof(uint32_t)) == 0;
	case FIELD_BOOL:
		return *(const bool *)left == *(const bool *)right;
	case FIELD_COUNT:
	case FIELD_SEED:
		return memcmp(left, right, sizeof(uint64_t)) == 0;
	case FIELD_NUMBER:
		return memcmp(left, right, sizeof(double)) == 0;
	case FIELD_RATIO:
		return memcmp(left, right, sizeof(struct report_ratio)) == 0;
	case FIELD_PAIRS:
		return p->pairs_count == q->pairs_count &&
		       (!p->pairs_count || memcmp(p->pairs, q->pairs, 4 * p->pairs_count) == 0);
	case FIELD_VISITS:
		return !p->pairs_count || memcmp(p->visits, q->visits, 4 * p->pairs_count) == 0;
	case FIELD_NULLS:
		return p->nulls_count == q->nulls_count &&
		       (!p->nulls_count || memcmp(p->nulls, q->nulls, 4 * p->nulls_count) == 0);
	}
	return false;
}

static inline void assert_same_section(
	const struct fields_section *section, const void *a, const void *b)
{
	for (size_t i = 0; i < section->count; i++)
		if (!same_member(&section->fields[i], a, b))
			fail_msg("%s.%s differs", section->name, section->fields[i].name);
}

static inline void assert_same_reports(const struct report *a, const struct report *b)
{
	assert_same_section(&fields_root, a, b);
	for (size_t i = 0; i < FIELDS_SECTIONS; i++)
		assert_same_section(&fields_sections[i],
			(const char *)a + fields_sections[i].offset,
			(const char *)b + fields_sections[i].offset);
	assert_int_equal(a->benchmarks_count, b->benchmarks_count);
	for (uint32_t i = 0; i < a->benchmarks_count; i++)
		assert_same_section(&fields_benchmark, &a->benchmarks[i], &b->benchmarks[i]);
}

#endif
