#include "runner/artifact/document.h"

#include "runner/artifact/base64.h"
#include "runner/artifact/fields.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NUMBER_BYTES 40
#define RESULTS_FORMAT "duel-results"

/* What the parts of one document share. */
struct document {
	const struct report *report;
	enum document_form form;
	struct err *err;
};

static void free_tree(cJSON **tree)
{
	cJSON_Delete(*tree);
}

/* Add what was just made; NULL stands for memory that was not to be had. */
static int add(cJSON *object, const char *name, cJSON *item, struct err *err)
{
	if (item && (name ? cJSON_AddItemToObjectCS(object, name, item)
			  : cJSON_AddItemToArray(object, item)))
		return 0;
	cJSON_Delete(item);
	return err_set(err, ERR_OS, "out of memory");
}

/* The shortest digits that read back as the same double; the library's own printing is not exact.
 */
static cJSON *number(double value, double max)
{
	char text[NUMBER_BYTES];
	int digits = 15;

	value = isnan(value) ? 0 : fmin(fmax(value, 0), max);
	do
		(void)snprintf(text, sizeof(text), "%.*g", digits, value);
	while (strtod(text, NULL) != value && ++digits <= 17);
	return cJSON_CreateRaw(text);
}

static cJSON *whole(uint64_t value, double max)
{
	char text[NUMBER_BYTES];

	if ((double)value > max)
		value = (uint64_t)max;
	(void)snprintf(text, sizeof(text), "%" PRIu64, value);
	return cJSON_CreateRaw(text);
}

static cJSON *seed(uint64_t value)
{
	char text[NUMBER_BYTES];

	(void)snprintf(text, sizeof(text), "%" PRIu64, value);
	return cJSON_CreateString(text);
}

static cJSON *text_value(const char *value, double max, bool lines)
{
	struct err ignored; /* NULL says it: add() */
	AUTO_STR copy = report_printable(value, (size_t)max, lines, &ignored);

	return copy ? cJSON_CreateString(copy) : NULL;
}

static cJSON *list(char *const *items, double max)
{
	ATTR_CLEANUP(free_tree) cJSON *array = cJSON_CreateArray();
	struct err ignored;
	cJSON *made = array;

	for (size_t i = 0; array && i < SCHEMA_NOTES_MAX && items[i]; i++)
		if (add(array, NULL, text_value(items[i], max, false), &ignored) < 0)
			return NULL;
	array = NULL;
	return made;
}

static cJSON *word(const void *value, const struct field_words *words)
{
	unsigned index;

	memcpy(&index, value, sizeof(index));
	return cJSON_CreateString(words->word(index));
}

static cJSON *packed(const void *items, uint32_t count)
{
	AUTO_STR digits = base64_pack(items, count);

	return digits ? cJSON_CreateString(digits) : NULL;
}

static cJSON *ratio(const struct report_ratio *value)
{
	ATTR_CLEANUP(free_tree) cJSON *object = cJSON_CreateObject();
	struct err ignored;
	cJSON *made = object;

	for (size_t i = 0; object && i < fields_ratio.count; i++) {
		const struct field *field = &fields_ratio.fields[i];
		const double *part = fields_at_const(field, value);

		if (add(object, field->name, number(*part, field->max), &ignored) < 0)
			return NULL;
	}
	object = NULL;
	return made;
}

/* The value of one member; `structure` is its section's. NULL = out of memory. */
static cJSON *member(const struct field *field, const void *structure)
{
	const void *at = fields_at_const(field, structure);
	const struct report_benchmark *benchmark = structure;

	switch (field->kind) {
	case FIELD_TEXT:
	case FIELD_LINES:
		return text_value(*(char *const *)at, field->max, field->kind == FIELD_LINES);
	case FIELD_LIST:
		return list(at, field->max);
	case FIELD_WORD:
		return word(at, field->words);
	case FIELD_BOOL:
		return cJSON_CreateBool(*(const bool *)at);
	case FIELD_SMALL:
		return whole(*(const uint32_t *)at, field->max);
	case FIELD_COUNT:
		return whole(*(const uint64_t *)at, field->max);
	case FIELD_SEED:
		return seed(*(const uint64_t *)at);
	case FIELD_NUMBER:
		return number(*(const double *)at, field->max);
	case FIELD_RATIO:
		return ratio(at);
	case FIELD_PAIRS:
		return packed(benchmark->pairs, benchmark->pairs_count);
	case FIELD_VISITS:
		return packed(benchmark->visits, benchmark->pairs_count);
	case FIELD_NULLS:
		return packed(benchmark->nulls, benchmark->nulls_count);
	}
	return NULL;
}

static bool is_raw(const struct field *field)
{
	return field->kind == FIELD_PAIRS || field->kind == FIELD_VISITS ||
	       field->kind == FIELD_NULLS;
}

static int add_section(struct document *document, cJSON *object,
	const struct fields_section *section, const void *structure)
{
	for (size_t i = 0; i < section->count; i++) {
		const struct field *field = &section->fields[i];

		if (document->form == DOCUMENT_RESULTS && is_raw(field))
			continue;
		if (add(object, field->name, member(field, structure), document->err) < 0)
			return -1;
	}
	return 0;
}

/* What stands for raw pairs in results. */
static int add_counts(
	struct document *document, cJSON *object, const struct report_benchmark *benchmark)
{
	if (document->form != DOCUMENT_RESULTS)
		return 0;
	if (add(object, "pairs_count", whole(benchmark->pairs_count, SCHEMA_PAIRS_MAX),
		    document->err) < 0)
		return -1;
	return add(object, "nulls_count", whole(benchmark->nulls_count, SCHEMA_PAIRS_MAX),
		document->err);
}

/* A new, empty object or array inside `object`; owned by it. */
static cJSON *add_inner(cJSON *object, const char *name, cJSON *inner, struct err *err)
{
	return add(object, name, inner, err) < 0 ? NULL : inner;
}

static int add_benchmarks(struct document *document, cJSON *root)
{
	const struct report *report = document->report;
	cJSON *array = add_inner(root, fields_benchmark.name, cJSON_CreateArray(), document->err);

	if (!array)
		return -1;
	for (uint32_t i = 0; i < report->benchmarks_count; i++) {
		const struct report_benchmark *benchmark = &report->benchmarks[i];
		cJSON *object = add_inner(array, NULL, cJSON_CreateObject(), document->err);

		if (!object)
			return -1;
		if (add_section(document, object, &fields_benchmark, benchmark) < 0 ||
			add_counts(document, object, benchmark) < 0)
			return -1;
	}
	return 0;
}

static int add_header(struct document *document, cJSON *root)
{
	const char *format = document->form == DOCUMENT_RESULTS ? RESULTS_FORMAT : FIELDS_FORMAT;

	if (add(root, "format", cJSON_CreateString(format), document->err) < 0 ||
		add(root, "major", whole(SCHEMA_MAJOR, SCHEMA_COUNT_MAX), document->err) < 0)
		return -1;
	return add(root, "minor", whole(SCHEMA_MINOR, SCHEMA_COUNT_MAX), document->err);
}

static int add_all(struct document *document, cJSON *root)
{
	if (add_header(document, root) < 0 ||
		add_section(document, root, &fields_root, document->report) < 0)
		return -1;
	for (size_t i = 0; i < FIELDS_SECTIONS; i++) {
		const struct fields_section *section = &fields_sections[i];
		const void *structure = (const char *)document->report + section->offset;
		cJSON *object = add_inner(root, section->name, cJSON_CreateObject(), document->err);

		if (!object)
			return -1;
		if (add_section(document, object, section, structure) < 0)
			return -1;
	}
	return add_benchmarks(document, root);
}

int document_write(
	struct buf *out, const struct report *report, enum document_form form, struct err *err)
{
	ATTR_CLEANUP(free_tree) cJSON *root = cJSON_CreateObject();
	struct document document = {report, form, err};
	AUTO_STR text = NULL;

	if (!root)
		return err_set(err, ERR_OS, "out of memory");
	if (add_all(&document, root) < 0)
		return -1;
	text = form == DOCUMENT_RESULTS ? cJSON_Print(root) : cJSON_PrintUnformatted(root);
	if (!text)
		return err_set(err, ERR_OS, "out of memory");
	if (buf_append_str(out, text, err) < 0)
		return -1;
	return form == DOCUMENT_RESULTS ? buf_append(out, "\n", 1, err) : 0;
}
