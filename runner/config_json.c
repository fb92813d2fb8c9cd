#include "runner/config_json.h"

#include "runner/config.h"
#include "sandbox/base/buf.h"
#include "sandbox/base/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_BYTES 30 /* of the file's text quoted in an error */
#define PATH_BYTES 400

static size_t line_of(const struct config_json *json, size_t offset)
{
	size_t line = 1;

	for (size_t i = 0; i < offset && i < json->length; i++)
		line += json->text[i] == '\n';
	return line;
}

static int text_error(
	const struct config_json *json, size_t offset, struct err *err, const char *message)
{
	return err_set(
		err, ERR_CONFIG, "%s:%zu: %s", json->file_name, line_of(json, offset), message);
}

/* Blank the comment that starts at `at`; its lines stay. Gives where it ends, 0 = nowhere. */
static size_t blank_comment(char *text, size_t at, size_t length)
{
	bool is_line = text[at + 1] == '/';
	size_t i = at;

	text[i++] = ' ';
	text[i++] = ' ';
	for (; i < length; i++) {
		if (is_line && text[i] == '\n')
			return i;
		if (!is_line && text[i] == '*' && i + 1 < length && text[i + 1] == '/') {
			text[i] = text[i + 1] = ' ';
			return i + 2;
		}
		if (text[i] != '\n')
			text[i] = ' ';
	}
	return is_line ? length : 0;
}

/*
 * Step over the string that starts at `at`. What cJSON would let pass is refused here: raw control
 * characters (a missing quote mostly, and the line is the string's, not the file's last) and
 * \u0000, which ends a C string early.
 */
static int skip_string(const struct config_json *json, size_t at, size_t *end, struct err *err)
{
	const char *text = json->text;

	for (size_t i = at + 1; i < json->length; i++) {
		if ((unsigned char)text[i] < ' ')
			break;
		if (text[i] == '"') {
			*end = i + 1;
			return 0;
		}
		if (text[i] != '\\')
			continue;
		if (i + 5 < json->length && memcmp(text + i, "\\u0000", 6) == 0)
			return text_error(json, i, err, "a string may not hold \\u0000");
		if (i + 1 < json->length && (unsigned char)text[i + 1] >= ' ')
			i++;
	}
	return text_error(json, at, err,
		"a string is not closed on its line: the quote is missing, or a line break or tab "
		"in "
		"it must be written \\n or \\t");
}

/* Comments to blanks; what cJSON cannot say well, or would take too deep, is refused. */
static int prepare(struct config_json *json, struct err *err)
{
	char *text = json->text;
	size_t depth = 0;
	size_t i = 0;

	if (json->length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		memset(text, ' ', 3);
	while (i < json->length) {
		if (text[i] == '"') {
			if (skip_string(json, i, &i, err) < 0)
				return -1;
			continue;
		}
		if (text[i] == '/' && i + 1 < json->length &&
			(text[i + 1] == '/' || text[i + 1] == '*')) {
			size_t end = blank_comment(text, i, json->length);

			if (end == 0)
				return text_error(
					json, i, err, "this comment never ends: close it with */");
			i = end;
			continue;
		}
		/* cJSON takes every control character for a blank. */
		if ((unsigned char)text[i] < ' ' && !strchr("\t\n\r", text[i] ? text[i] : 'x'))
			return text_error(
				json, i, err, "a control character: this is not a text file");
		if (text[i] == '{' || text[i] == '[')
			depth++;
		else if ((text[i] == '}' || text[i] == ']') && depth > 0)
			depth--;
		if (depth > CONFIG_DEPTH_MAX)
			return text_error(json, i, err, "brackets are nested too deep");
		i++;
	}
	return 0;
}

/* The last byte in front of `at` that is no blank; length where there is none. */
static size_t before(const struct config_json *json, size_t at)
{
	while (at > 0) {
		at--;
		if (!isspace((unsigned char)json->text[at]))
			return at;
	}
	return json->length;
}

/*
 * Where the text goes wrong. cJSON points one byte behind what it found where a key should begin:
 * behind '{' or ',' step back.
 */
static size_t offence(const struct config_json *json, size_t stopped)
{
	const char *text = json->text;
	size_t previous;

	if (stopped == 0 || isspace((unsigned char)text[stopped - 1]) || text[stopped - 1] == '"')
		return stopped;
	previous = before(json, stopped - 1);
	if (previous == json->length || !strchr("{,", text[previous]))
		return stopped;
	return text[previous] == '{' && text[stopped - 1] == '}' ? stopped : stopped - 1;
}

static int syntax_error(const struct config_json *json, const char *stopped_at, struct err *err)
{
	size_t stopped = stopped_at ? (size_t)(stopped_at - json->text) : 0;
	size_t at = offence(json, stopped < json->length ? stopped : json->length);
	size_t previous;
	char shown[SHOWN_BYTES + 1];

	while (at < json->length && isspace((unsigned char)json->text[at]))
		at++;
	previous = before(json, at);
	if (at >= json->length)
		return text_error(json, previous, err,
			previous == json->length
				? "the file is empty: at least {\"benchmarks\": [...]} is wanted"
				: "the text ends before every bracket is closed");
	(void)text_copy(shown, sizeof(shown), json->text + at);
	shown[strcspn(shown, "\n")] = '\0';
	text_make_printable(shown);
	if (previous < json->length && json->text[previous] == ',' && strchr("}]", json->text[at]))
		return err_set(err, ERR_CONFIG, "%s:%zu: one comma too many in front of '%c'",
			json->file_name, line_of(json, previous), json->text[at]);
	if (previous < json->length &&
		(strchr("}]\"", json->text[previous]) ||
			isalnum((unsigned char)json->text[previous])) &&
		(strchr("\"{[", json->text[at]) || isalnum((unsigned char)json->text[at])))
		return err_set(err, ERR_CONFIG,
			"%s:%zu: a comma or colon is missing in front of: %s", json->file_name,
			line_of(json, previous), shown);
	return err_set(err, ERR_CONFIG, "%s:%zu: this is not JSON: %s", json->file_name,
		line_of(json, at), shown);
}

static int parse_text(struct config_json *json, struct err *err)
{
	const char *stopped_at = NULL;

	if (prepare(json, err) < 0)
		return -1;
	json->root = cJSON_ParseWithLengthOpts(json->text, json->length + 1, &stopped_at, true);
	if (!json->root)
		return syntax_error(json, stopped_at, err);
	if (!cJSON_IsObject(json->root))
		return text_error(
			json, 0, err, "the document must be an object: {\"benchmarks\": [...]}");
	return 0;
}

int config_json_parse(struct config_json *out, const char *text, size_t length,
	const char *file_name, struct err *err)
{
	*out = (struct config_json){.length = length, .file_name = file_name};
	if (length > CONFIG_BYTES_MAX)
		return err_set(
			err, ERR_CONFIG, "%s: larger than %u bytes", file_name, CONFIG_BYTES_MAX);
	out->text = calloc(1, length + 1);
	if (!out->text)
		return err_errno(err, ERR_OS, "%s", file_name);
	if (length > 0)
		memcpy(out->text, text, length);
	if (parse_text(out, err) < 0) {
		config_json_release(out);
		return -1;
	}
	return 0;
}

void config_json_release(struct config_json *json)
{
	cJSON_Delete(json->root);
	free(json->text);
	*json = (struct config_json){0};
}

static size_t index_of(const cJSON *parent, const cJSON *item)
{
	size_t index = 0;

	for (const cJSON *c = parent->child; c && c != item; c = c->next)
		index++;
	return index;
}

static size_t skip_blanks(const struct config_json *json, size_t at)
{
	while (at < json->length && isspace((unsigned char)json->text[at]))
		at++;
	return at;
}

/* cJSON reads one value to find where it ends; text that parsed once parses again. */
static size_t skip_value(const struct config_json *json, size_t at)
{
	const char *end = NULL;
	cJSON *value;

	if (at >= json->length)
		return json->length;
	value = cJSON_ParseWithLengthOpts(json->text + at, json->length - at, &end, false);
	cJSON_Delete(value);
	return value ? (size_t)(end - json->text) : json->length;
}

/* From the bracket that opens an object or array to its child: *key = where its key starts. */
static size_t find_child(const struct config_json *json, size_t at, size_t index, size_t *key)
{
	bool is_object = json->text[at] == '{';

	at = skip_blanks(json, at + 1);
	for (size_t i = 0;; i++) {
		*key = at;
		if (is_object)
			at = skip_blanks(json, skip_blanks(json, skip_value(json, at)) + 1);
		if (i == index || at >= json->length)
			return at;
		at = skip_blanks(json, skip_blanks(json, skip_value(json, at)) + 1);
	}
}

/* The line the value's key starts on, or the value where it has no key. */
static size_t line_of_place(const struct config_json *json, const struct config_place *place)
{
	const struct config_place *chain[CONFIG_DEPTH_MAX + 1];
	size_t depth = 0;
	size_t at = skip_blanks(json, 0);
	size_t key = at;

	for (; place && place->up && depth < ARRAY_LENGTH(chain); place = place->up)
		chain[depth++] = place;
	while (depth-- > 0 && at < json->length)
		at = find_child(
			json, at, index_of(chain[depth]->up->item, chain[depth]->item), &key);
	return line_of(json, key);
}

/* "benchmarks[2].counts[0]", printable; written from its end because places know what they are in.
 */
static void path_of_place(char *out, size_t out_bytes, const struct config_place *place)
{
	char path[PATH_BYTES] = "";

	for (; place && place->up; place = place->up) {
		char longer[PATH_BYTES];
		const char *dot = place->up->up ? "." : "";

		if (cJSON_IsArray(place->up->item)) {
			(void)snprintf(longer, sizeof(longer), "[%zu]%s",
				index_of(place->up->item, place->item), path);
		} else {
			char key[CONFIG_NAME_BYTES_MAX];

			(void)text_copy(key, sizeof(key), place->item->string);
			text_make_printable(key);
			(void)snprintf(longer, sizeof(longer), "%s%s%s", dot, key, path);
		}
		memcpy(path, longer, sizeof(path));
	}
	(void)snprintf(out, out_bytes, "%s%s", path, *path ? ": " : "");
}

int(config_json_error)(const struct config_json *json, const struct config_place *place,
	struct err *err, const char *format, ...)
{
	char message[ERR_TEXT_BYTES];
	char path[PATH_BYTES + 2];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	path_of_place(path, sizeof(path), place);
	return err_set(err, ERR_CONFIG, "%s:%zu: %s%s", json->file_name, line_of_place(json, place),
		path, message);
}

static bool is_allowed(const char *key, const char *const *allowed, size_t allowed_count)
{
	for (size_t i = 0; i < allowed_count; i++) {
		if (strcmp(key, allowed[i]) == 0)
			return true;
	}
	return false;
}

static int unknown_key(const struct config_json *json, const struct config_place *place,
	const char *const *allowed, size_t allowed_count, struct err *err)
{
	const char *near = text_nearest(place->item->string, allowed, allowed_count);
	AUTO_BUF list;

	buf_init(&list, ERR_TEXT_BYTES);
	if (near)
		return config_json_error(
			json, place, err, "unknown key: did you mean \"%s\"?", near);
	for (size_t i = 0; i < allowed_count; i++) {
		if (buf_printf(&list, err, "%s%s", i ? ", " : "", allowed[i]) < 0)
			return -1;
	}
	return config_json_error(json, place, err, "unknown key: give one of %s", buf_text(&list));
}

int config_json_check_keys(const struct config_json *json, const struct config_place *place,
	const char *const *allowed, size_t allowed_count, struct err *err)
{
	for (const cJSON *item = place->item->child; item; item = item->next) {
		struct config_place at = {.up = place, .item = item};

		if (!is_allowed(item->string, allowed, allowed_count))
			return unknown_key(json, &at, allowed, allowed_count, err);
		for (const cJSON *other = place->item->child; other != item; other = other->next) {
			if (strcmp(other->string, item->string) == 0)
				return config_json_error(
					json, &at, err, "given twice: keep one of the two");
		}
	}
	return 0;
}

const char *config_json_type(const cJSON *item)
{
	if (cJSON_IsBool(item))
		return cJSON_IsTrue(item) ? "true" : "false";
	if (cJSON_IsNull(item))
		return "null";
	if (cJSON_IsNumber(item))
		return "a number";
	if (cJSON_IsString(item))
		return "a string";
	return cJSON_IsArray(item) ? "a list" : "an object";
}
