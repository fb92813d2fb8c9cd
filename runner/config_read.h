/*
 * Single values of duel.json, each checked and copied out. Used by config.c only.
 *
 * Every function sets err (ERR_CONFIG with file, line and path; ERR_OS out of memory) and returns
 * -1 where the value is not what it must be. What is copied out is the caller's to free.
 */
#ifndef RUNNER_CONFIG_READ_H
#define RUNNER_CONFIG_READ_H

#include "runner/config.h"
#include "runner/config_json.h"

struct config_range {
	double low, high;
	const char *allowed; /* "give a ratio from 1.001 to 10" */
};

int config_read_number(const struct config_json *json, const struct config_place *place,
	const struct config_range *range, double *out, struct err *err) ATTR_MUST_USE;

int config_read_bool(const struct config_json *json, const struct config_place *place, bool *out,
	struct err *err) ATTR_MUST_USE;

/* Any text, not empty: a command line, an argument. `wanted` ends the error: "give a command". */
int config_read_text(const struct config_json *json, const struct config_place *place,
	const char *wanted, char **out, struct err *err) ATTR_MUST_USE;

/* A name or pattern that can be shown as it is: not empty, at most bytes_max, text_is_plain(). */
int config_read_plain(const struct config_json *json, const struct config_place *place,
	size_t bytes_max, char **out, struct err *err) ATTR_MUST_USE;

/* A path inside the version's tree, in its shortest spelling. */
int config_read_path(const struct config_json *json, const struct config_place *place, char **out,
	struct err *err) ATTR_MUST_USE;

typedef int config_read_item(const struct config_json *json, const struct config_place *place,
	char **out, struct err *err);

/* A list of strings, each read by read_item; at most CONFIG_LIST_MAX. */
int config_read_list(const struct config_json *json, const struct config_place *place,
	config_read_item *read_item, struct config_list *out, struct err *err) ATTR_MUST_USE;

/* A list of words out of `words`: a bit each, 1 << its index. */
int config_read_words(const struct config_json *json, const struct config_place *place,
	const char *const *words, size_t words_count, unsigned *out, struct err *err) ATTR_MUST_USE;

void config_list_release(struct config_list *list);

#endif
