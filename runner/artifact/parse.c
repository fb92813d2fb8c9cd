#include "runner/artifact/parse.h"

#include "runner/artifact/fields.h"
#include "runner/artifact/parse_value.h"
#include "runner/artifact/scan.h"
#include "runner/artifact/validate.h"
#include "sandbox/base/text.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void free_tree(cJSON **tree)
{
	cJSON_Delete(*tree);
}

/* What the document says about itself: members of the root that fields.h does not list. */
static bool is_header(const char *name)
{
	return strcmp(name, "format") == 0 || strcmp(name, "major") == 0 ||
	       strcmp(name, "minor") == 0;
}

static const struct fields_section *find_section(const char *name)
{
	for (size_t i = 0; i < FIELDS_SECTIONS; i++)
		if (strcmp(fields_sections[i].name, name) == 0)
			return &fields_sections[i];
	return NULL;
}

static bool is_structure(const char *name)
{
	return find_section(name) || strcmp(name, fields_benchmark.name) == 0;
}

/* Members of the root that are no values: looked up by name, each one there once. */
static int take_member(const cJSON *root, const char *name, const cJSON **out, struct err *err)
{
	const cJSON *item;

	*out = NULL;
	cJSON_ArrayForEach(item, root)
	{
		if (strcmp(item->string, name) != 0)
			continue;
		if (*out)
			return err_set(err, ERR_HOSTILE, "%s: written twice", name);
		*out = item;
	}
	return *out ? 0 : err_set(err, ERR_HOSTILE, "%s: missing", name);
}

static int version_part(const cJSON *root, const char *name, uint32_t *out, struct err *err)
{
	const cJSON *item;

	if (take_member(root, name, &item, err) < 0)
		return -1;
	if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble <= INT32_MAX) ||
		item->valuedouble != floor(item->valuedouble))
		return err_set(err, ERR_HOSTILE, "%s: no version number", name);
	*out = (uint32_t)item->valuedouble;
	return 0;
}

static int read_header(const cJSON *root, uint32_t *minor, struct err *err)
{
	const cJSON *format;
	uint32_t major;

	if (!cJSON_IsObject(root))
		return err_set(err, ERR_HOSTILE, "the document is no object");
	if (take_member(root, "format", &format, err) < 0)
		return -1;
	if (!cJSON_IsString(format) || strcmp(format->valuestring, FIELDS_FORMAT) != 0)
		return err_set(err, ERR_HOSTILE, "format: this is no document of duel");
	if (version_part(root, "major", &major, err) < 0 ||
		version_part(root, "minor", minor, err) < 0)
		return -1;
	if (major > SCHEMA_MAJOR)
		return err_set(err, ERR_HOSTILE,
			"written by a newer duel (format %u.%u, this one reads %d.x): upgrade duel",
			major, *minor, SCHEMA_MAJOR);
	if (major < SCHEMA_MAJOR)
		return err_set(err, ERR_HOSTILE, "format %u.%u, this duel reads %d.x", major,
			*minor, SCHEMA_MAJOR);
	return 0;
}

/*
 * All values of one section; `place` is its path, ended by a dot where it is not "". The root's own
 * objects and arrays are left to the caller.
 */
static int read_members(struct parse_value *value, const struct fields_section *section,
	const cJSON *object, void *structure, struct err *err)
{
	uint64_t seen = 0;
	const cJSON *item;

	if (!cJSON_IsObject(object))
		return err_set(err, ERR_HOSTILE, "%s: no object", value->place);
	cJSON_ArrayForEach(item, object)
	{
		size_t i = parse_value_find(section, item->string);

		if (section == &fields_root &&
			(is_header(item->string) || is_structure(item->string)))
			continue;
		if (i == section->count && value->minor > SCHEMA_MINOR)
			continue;
		if (i == section->count)
			return err_set(err, ERR_HOSTILE, "%s%s%.40s: unknown member", value->place,
				*value->place ? "." : "", item->string);
		if (seen >> i & 1)
			return parse_value_error(value, &section->fields[i], err, "written twice");
		seen |= UINT64_C(1) << i;
		if (parse_value_read(value, &section->fields[i], item, structure, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < section->count; i++)
		if (!(seen >> i & 1))
			return parse_value_error(value, &section->fields[i], err, "missing");
	return 0;
}

static int read_sections(
	struct parse_value *value, const cJSON *root, struct report *report, struct err *err)
{
	for (size_t i = 0; i < FIELDS_SECTIONS; i++) {
		const struct fields_section *section = &fields_sections[i];
		const cJSON *object;

		if (take_member(root, section->name, &object, err) < 0)
			return -1;
		(void)text_copy(value->place, sizeof(value->place), section->name);
		if (read_members(value, section, object, (char *)report + section->offset, err) < 0)
			return -1;
	}
	return 0;
}

static int read_benchmarks(
	struct parse_value *value, const cJSON *root, struct report *report, struct err *err)
{
	const cJSON *array, *item;

	if (take_member(root, fields_benchmark.name, &array, err) < 0)
		return -1;
	if (!cJSON_IsArray(array))
		return err_set(err, ERR_HOSTILE, "%s: no array", fields_benchmark.name);
	cJSON_ArrayForEach(item, array)
	{
		struct report_benchmark *benchmark;

		(void)snprintf(value->place, sizeof(value->place), "%s[%u]", fields_benchmark.name,
			report->benchmarks_count);
		if (report->benchmarks_count >= SCHEMA_BENCHMARKS_MAX)
			return err_set(err, ERR_HOSTILE, "%s: more than %d", value->place,
				SCHEMA_BENCHMARKS_MAX);
		if (report_add_benchmark(report, &benchmark, err) < 0)
			return -1;
		value->pairs_count = value->visits_count = 0;
		if (read_members(value, &fields_benchmark, item, benchmark, err) < 0)
			return -1;
		if (parse_value_pairs(value, benchmark, err) < 0)
			return -1;
	}
	return 0;
}

static int read_all(struct report *report, const cJSON *root, struct err *err)
{
	struct parse_value value = {0};

	if (read_header(root, &value.minor, err) < 0)
		return -1;
	report->minor = value.minor;
	if (read_members(&value, &fields_root, root, report, err) < 0)
		return -1;
	if (read_sections(&value, root, report, err) < 0)
		return -1;
	if (read_benchmarks(&value, root, report, err) < 0)
		return -1;
	return validate_report(report, err);
}

static int parse(struct report *report, const char *text, size_t length, struct err *err)
{
	ATTR_CLEANUP(free_tree) cJSON *root = NULL;
	const char *end = NULL;

	if (scan_check(text, length, SCHEMA_DEPTH_MAX, SCHEMA_NODES_MAX, err) < 0)
		return -1;
	root = cJSON_ParseWithLengthOpts(text, length, &end, false);
	if (!root)
		return err_set(err, ERR_HOSTILE, "byte %zu: this is no JSON",
			end ? (size_t)(end - text) : 0);
	for (; end < text + length; end++)
		if (!strchr(" \t\r\n", *end))
			return err_set(err, ERR_HOSTILE, "byte %zu: something behind the document",
				(size_t)(end - text));
	return read_all(report, root, err);
}

int parse_document(struct report *report, const char *text, size_t length, struct err *err)
{
	report_init(report);
	if (parse(report, text, length, err) == 0)
		return 0;
	/* Names of members are shown, and they are somebody else's. */
	text_make_printable(err->text);
	report_release(report);
	return -1;
}
