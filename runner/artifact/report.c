#include "runner/artifact/schema.h"

#include "runner/artifact/fields.h"
#include "sandbox/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROW_STEP 64u
#define LEFT_OUT "further notes left out"

/* What a text is before it is set. Nobody writes to it, but the members are plain char *. */
static const char nothing[] = "";

static char *empty_text(void)
{
	return (char *)(uintptr_t)nothing;
}

static void free_text(char **text)
{
	if (*text != nothing)
		free(*text);
	*text = empty_text();
}

static void free_list(char **list)
{
	for (size_t i = 0; i < SCHEMA_NOTES_MAX; i++) {
		free(list[i]);
		list[i] = NULL;
	}
}

static void init_section(const struct fields_section *section, void *structure)
{
	for (size_t i = 0; i < section->count; i++) {
		const struct field *field = &section->fields[i];

		if (field->kind == FIELD_TEXT || field->kind == FIELD_LINES)
			*(char **)fields_at(field, structure) = empty_text();
	}
}

static void release_section(const struct fields_section *section, void *structure)
{
	for (size_t i = 0; i < section->count; i++) {
		const struct field *field = &section->fields[i];

		if (field->kind == FIELD_TEXT || field->kind == FIELD_LINES)
			free_text(fields_at(field, structure));
		else if (field->kind == FIELD_LIST)
			free_list(fields_at(field, structure));
	}
}

void report_init(struct report *report)
{
	*report = (struct report){.minor = SCHEMA_MINOR};
	init_section(&fields_root, report);
	for (size_t i = 0; i < FIELDS_SECTIONS; i++)
		init_section(&fields_sections[i], (char *)report + fields_sections[i].offset);
}

static void release_benchmark(struct report_benchmark *benchmark)
{
	release_section(&fields_benchmark, benchmark);
	free(benchmark->pairs);
	free(benchmark->visits);
	free(benchmark->nulls);
}

void report_release(struct report *report)
{
	release_section(&fields_root, report);
	for (size_t i = 0; i < FIELDS_SECTIONS; i++)
		release_section(&fields_sections[i], (char *)report + fields_sections[i].offset);
	for (uint32_t i = 0; i < report->benchmarks_count; i++)
		release_benchmark(&report->benchmarks[i]);
	free(report->benchmarks);
	report_init(report);
}

/* Bytes of `text` up to bytes_max that do not end inside a character. */
static size_t whole_characters(const char *text, size_t bytes_max)
{
	size_t length = strnlen(text, bytes_max + 1);

	if (length <= bytes_max)
		return length;
	length = bytes_max;
	while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
		length--;
	return length;
}

char *report_printable(const char *text, size_t bytes_max, bool lines, struct err *err)
{
	char *copy = strndup(text, whole_characters(text, bytes_max));

	if (!copy)
		(void)err_errno(err, ERR_OS, "copy a text");
	else if (lines)
		text_make_printable_lines(copy);
	else
		text_make_printable(copy);
	return copy;
}

int report_set(char **field, const char *text, size_t bytes_max, struct err *err)
{
	char *copy = report_printable(text, bytes_max, false, err);

	if (!copy)
		return -1;
	free_text(field);
	*field = copy;
	return 0;
}

int report_set_log(char **field, const char *text, struct err *err)
{
	size_t length = strlen(text);
	char *copy;

	if (length > SCHEMA_LOG_BYTES_MAX) {
		text += length - SCHEMA_LOG_BYTES_MAX;
		while (((unsigned char)*text & 0xc0) == 0x80)
			text++;
	}
	copy = report_printable(text, SCHEMA_LOG_BYTES_MAX, true, err);
	if (!copy)
		return -1;
	free_text(field);
	*field = copy;
	return 0;
}

int report_note(char **list, struct err *err, const char *format, ...)
{
	char text[SCHEMA_TEXT_BYTES_MAX + 2];
	size_t count = 0;
	va_list args;

	while (count < SCHEMA_NOTES_MAX && list[count])
		count++;
	/* The place behind the last one stays NULL: it ends the list. */
	if (count >= SCHEMA_NOTES_MAX - 1)
		return 0;
	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (count == SCHEMA_NOTES_MAX - 2)
		(void)text_copy(text, sizeof(text), LEFT_OUT);
	list[count] = report_printable(text, SCHEMA_TEXT_BYTES_MAX, false, err);
	return list[count] ? 0 : -1;
}

int report_note_lines(char **list, const char *lines, struct err *err)
{
	while (*lines) {
		int length = (int)strcspn(lines, "\n");

		if (report_note(list, err, "%.*s", length, lines) < 0)
			return -1;
		lines += length + (lines[length] == '\n');
	}
	return 0;
}

int report_add_benchmark(struct report *report, struct report_benchmark **out, struct err *err)
{
	if (report->benchmarks_count >= SCHEMA_BENCHMARKS_MAX)
		return err_set(err, ERR_LIMIT,
			"more than %d benchmarks: pick some with --only, or run shards",
			SCHEMA_BENCHMARKS_MAX);
	/* All at once, so that none moves when one is added: memory is had when first touched. */
	if (!report->benchmarks)
		report->benchmarks = calloc(SCHEMA_BENCHMARKS_MAX, sizeof(*report->benchmarks));
	if (!report->benchmarks)
		return err_errno(err, ERR_OS, "room for benchmarks");
	*out = &report->benchmarks[report->benchmarks_count++];
	init_section(&fields_benchmark, *out);
	return 0;
}

int report_move_benchmark(struct report *report, struct report_benchmark *from, struct err *err)
{
	struct report_benchmark *place;

	if (report_add_benchmark(report, &place, err) < 0)
		return -1;
	*place = *from;
	*from = (struct report_benchmark){0};
	init_section(&fields_benchmark, from);
	return 0;
}

/* The items with room for one more of 32 bits behind `count`; NULL with *err. */
static void *grown(void *items, uint32_t count, struct err *err)
{
	if (count >= SCHEMA_PAIRS_MAX) {
		(void)err_set(
			err, ERR_LIMIT, "more than %d pairs of one benchmark", SCHEMA_PAIRS_MAX);
		return NULL;
	}
	if (count % GROW_STEP != 0)
		return items;
	items = realloc(items, (count + (size_t)GROW_STEP) * sizeof(uint32_t));
	if (!items)
		(void)err_errno(err, ERR_OS, "room for pairs");
	return items;
}

int report_add_pair(
	struct report_benchmark *benchmark, uint32_t visit, int32_t millionths, struct err *err)
{
	uint32_t count = benchmark->pairs_count;
	int32_t *pairs = grown(benchmark->pairs, count, err);
	uint32_t *visits;

	if (!pairs)
		return -1;
	benchmark->pairs = pairs;
	visits = grown(benchmark->visits, count, err);
	if (!visits)
		return -1;
	benchmark->visits = visits;
	pairs[count] = millionths;
	visits[count] = visit;
	benchmark->pairs_count++;
	return 0;
}

int report_add_null(struct report_benchmark *benchmark, int32_t millionths, struct err *err)
{
	int32_t *nulls = grown(benchmark->nulls, benchmark->nulls_count, err);

	if (!nulls)
		return -1;
	benchmark->nulls = nulls;
	nulls[benchmark->nulls_count++] = millionths;
	return 0;
}

const char *report_verdict_name(enum run_verdict verdict)
{
	static const char *const names[RUN_VERDICTS] = {"passed", "regressed", "failed", "skipped"};

	return verdict < RUN_VERDICTS ? names[verdict] : "failed";
}

const char *report_layout_name(enum layout_state state)
{
	static const char *const names[LAYOUT_STATES] = {"varied", "shared", "fixed"};

	return state < LAYOUT_STATES ? names[state] : "fixed";
}
