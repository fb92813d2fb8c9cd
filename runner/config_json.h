/*
 * JSON with comments -> a cJSON tree whose errors know their line. Used by config.c only.
 *
 * cJSON keeps no positions, so a line is looked up when there is an error to show: the text is
 * walked again, each member in front of the wanted one read by cJSON itself to find its end.
 */
#ifndef RUNNER_CONFIG_JSON_H
#define RUNNER_CONFIG_JSON_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"

#include <cjson/cJSON.h>
#include <stddef.h>

struct config_json {
	char *text; /* owned; comments are blanks, so that offsets and lines are the file's */
	size_t length;
	const char *file_name; /* borrowed */
	cJSON *root;           /* owned; an object */
};

/* One value and the values it stands in; lives on the stack of who reads it. */
struct config_place {
	const struct config_place *up; /* NULL for the root */
	const cJSON *item;
};

/* Errors: ERR_CONFIG with file and line, ERR_OS. After an error *out owns nothing. */
int config_json_parse(struct config_json *out, const char *text, size_t length,
	const char *file_name, struct err *err) ATTR_MUST_USE;

void config_json_release(struct config_json *json);

/* Set err to "file:line: path: ..." (ERR_CONFIG). Returns -1. */
int config_json_error(const struct config_json *json, const struct config_place *place,
	struct err *err, const char *format, ...) ATTR_PRINTF(4, 5);
#ifdef ANALYSIS
#define config_json_error(...) (config_json_error(__VA_ARGS__), -1)
#endif

/* Is `place` an object that holds each of its keys once, all of them from `allowed`? */
int config_json_check_keys(const struct config_json *json, const struct config_place *place,
	const char *const *allowed, size_t allowed_count, struct err *err) ATTR_MUST_USE;

/* "a string", "a number", ...: for "found a string: give a number". */
const char *config_json_type(const cJSON *item);

#define AUTO_CONFIG_JSON ATTR_CLEANUP(config_json_release) struct config_json

#endif
