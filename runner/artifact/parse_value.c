#include "runner/artifact/parse_value.h"

#include "runner/artifact/base64.h"
#include "sandbox/base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WHAT_BYTES 100

size_t parse_value_find(const struct fields_section *section, const char *name)
{
	size_t i = 0;

	while (i < section->count && strcmp(section->fields[i].name, name) != 0)
		i++;
	return i;
}

int parse_value_error(const struct parse_value *value, const struct field *field, struct err *err,
	const char *what)
{
	return err_set(err, ERR_HOSTILE, "%s%s%s: %s", value->place, *value->place ? "." : "",
		field->name, what);
}

/* Lines of text_is_plain() text, parted by newlines and tabs. */
static bool are_plain_lines(const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n\t");

		if (!text_is_plain(text, length))
			return false;
		text += length + (text[length] != '\0');
	}
	return true;
}

/* What is wrong with a text; NULL = nothing. */
static const char *text_fault(const struct field *field, const cJSON *item)
{
	if (!cJSON_IsString(item))
		return "not a string";
	if (strlen(item->valuestring) > (size_t)field->max)
		return "too long";
	if (field->kind == FIELD_LINES
			? !are_plain_lines(item->valuestring)
			: !text_is_plain(item->valuestring, strlen(item->valuestring)))
		return "holds characters that cannot be shown";
	return NULL;
}

static int read_text(const struct parse_value *value, const struct field *field, const cJSON *item,
	char **out, struct err *err)
{
	const char *fault = text_fault(field, item);

	if (fault)
		return parse_value_error(value, field, err, fault);
	if (field->kind == FIELD_LINES)
		return report_set_log(out, item->valuestring, err);
	return report_set(out, item->valuestring, (size_t)field->max, err);
}

static int read_list(const struct parse_value *value, const struct field *field, const cJSON *array,
	char **out, struct err *err)
{
	const cJSON *item;
	size_t count = 0;

	if (!cJSON_IsArray(array))
		return parse_value_error(value, field, err, "not a list");
	cJSON_ArrayForEach(item, array)
	{
		const char *fault = text_fault(field, item);

		if (count >= SCHEMA_NOTES_MAX - 1)
			return parse_value_error(value, field, err, "too many items");
		if (fault)
			return parse_value_error(value, field, err, fault);
		out[count] = report_printable(item->valuestring, (size_t)field->max, false, err);
		if (!out[count++])
			return -1;
	}
	return 0;
}

static int read_word(const struct parse_value *value, const struct field *field, const cJSON *item,
	void *out, struct err *err)
{
	for (unsigned i = 0; cJSON_IsString(item) && i < field->words->count; i++) {
		if (strcmp(field->words->word(i), item->valuestring) == 0) {
			memcpy(out, &i, sizeof(i));
			return 0;
		}
	}
	return parse_value_error(value, field, err, "not one of its words");
}

static int read_bool(const struct parse_value *value, const struct field *field, const cJSON *item,
	bool *out, struct err *err)
{
	if (!cJSON_IsBool(item))
		return parse_value_error(value, field, err, "neither true nor false");
	*out = cJSON_IsTrue(item);
	return 0;
}

/* `whole`: without a fraction. */
static int read_number(const struct parse_value *value, const struct field *field,
	const cJSON *item, bool whole, double *out, struct err *err)
{
	char what[WHAT_BYTES];
	double number = cJSON_IsNumber(item) ? item->valuedouble : NAN;

	if (number >= 0 && number <= field->max && (!whole || number == floor(number))) {
		*out = number;
		return 0;
	}
	(void)snprintf(what, sizeof(what), "not a %snumber from 0 to %.17g", whole ? "whole " : "",
		field->max);
	return parse_value_error(value, field, err, what);
}

static int read_small(const struct parse_value *value, const struct field *field, const cJSON *item,
	uint32_t *out, struct err *err)
{
	double number;

	if (read_number(value, field, item, true, &number, err) < 0)
		return -1;
	*out = (uint32_t)number;
	return 0;
}

static int read_count(const struct parse_value *value, const struct field *field, const cJSON *item,
	uint64_t *out, struct err *err)
{
	double number;

	if (read_number(value, field, item, true, &number, err) < 0)
		return -1;
	*out = (uint64_t)number;
	return 0;
}

static int read_seed(const struct parse_value *value, const struct field *field, const cJSON *item,
	uint64_t *out, struct err *err)
{
	if (!cJSON_IsString(item) || !text_to_u64(item->valuestring, UINT64_MAX, out))
		return parse_value_error(value, field, err, "not a whole number in a string");
	return 0;
}

static int read_ratio(const struct parse_value *value, const struct field *field,
	const cJSON *object, struct report_ratio *out, struct err *err)
{
	double *parts[] = {&out->ratio, &out->low, &out->high};
	unsigned seen = 0;
	const cJSON *item;

	if (!cJSON_IsObject(object))
		return parse_value_error(value, field, err, "not an object of ratio, low and high");
	cJSON_ArrayForEach(item, object)
	{
		size_t i = parse_value_find(&fields_ratio, item->string);

		if (i == fields_ratio.count && value->minor > SCHEMA_MINOR)
			continue;
		if (i >= ARRAY_LENGTH(parts) || seen >> i & 1)
			return parse_value_error(
				value, field, err, "a member that is unknown or written twice");
		seen |= 1u << i;
		if (read_number(value, &fields_ratio.fields[i], item, false, parts[i], err) < 0)
			return err_wrap(err, "%s", field->name);
	}
	if (seen != (1u << fields_ratio.count) - 1)
		return parse_value_error(value, field, err, "ratio, low or high is missing");
	return 0;
}

static int read_packed(const struct parse_value *value, const struct field *field,
	const cJSON *item, uint32_t *out, size_t *count, struct err *err)
{
	if (!cJSON_IsString(item) ||
		!base64_unpack(item->valuestring, out, SCHEMA_PAIRS_MAX, count))
		return parse_value_error(
			value, field, err, "not 32-bit numbers in base64, or too many");
	return 0;
}

static int read_nulls(const struct parse_value *value, const struct field *field, const cJSON *item,
	struct report_benchmark *benchmark, struct err *err)
{
	uint32_t numbers[SCHEMA_PAIRS_MAX];
	size_t count;

	if (read_packed(value, field, item, numbers, &count, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (report_add_null(benchmark, (int32_t)numbers[i], err) < 0)
			return -1;
	return 0;
}

int parse_value_read(struct parse_value *value, const struct field *field, const cJSON *item,
	void *structure, struct err *err)
{
	void *at = fields_at(field, structure);

	switch (field->kind) {
	case FIELD_TEXT:
	case FIELD_LINES:
		return read_text(value, field, item, at, err);
	case FIELD_LIST:
		return read_list(value, field, item, at, err);
	case FIELD_WORD:
		return read_word(value, field, item, at, err);
	case FIELD_BOOL:
		return read_bool(value, field, item, at, err);
	case FIELD_SMALL:
		return read_small(value, field, item, at, err);
	case FIELD_COUNT:
		return read_count(value, field, item, at, err);
	case FIELD_SEED:
		return read_seed(value, field, item, at, err);
	case FIELD_NUMBER:
		return read_number(value, field, item, false, at, err);
	case FIELD_RATIO:
		return read_ratio(value, field, item, at, err);
	case FIELD_PAIRS:
		return read_packed(value, field, item, value->pairs, &value->pairs_count, err);
	case FIELD_VISITS:
		return read_packed(value, field, item, value->visits, &value->visits_count, err);
	case FIELD_NULLS:
		return read_nulls(value, field, item, structure, err);
	}
	return err_set(err, ERR_BUG, "a member of no kind");
}

int parse_value_pairs(
	const struct parse_value *value, struct report_benchmark *benchmark, struct err *err)
{
	if (value->pairs_count != value->visits_count)
		return err_set(err, ERR_HOSTILE, "%s: %zu pairs, but %zu visits", value->place,
			value->pairs_count, value->visits_count);
	for (size_t i = 0; i < value->pairs_count; i++)
		if (report_add_pair(benchmark, value->visits[i], (int32_t)value->pairs[i], err) < 0)
			return -1;
	return 0;
}
