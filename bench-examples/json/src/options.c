#include "reader.h"

#include <string.h>

struct options_entry {
	const char *name;
	long least;
	long most;
};

/* In the order of enum options_id. */
static const struct options_entry options_table[OPTIONS_COUNT] = {
	{"max_depth", 1, JSON_DEPTH_MAX},
	{"max_bytes", 1, 1L << 30},
	{"max_string_bytes", 0, 1L << 30},
	{"max_values", 1, 1L << 30},
	{"trailing_comma", 0, 1},
	{"line_comments", 0, 1},
	{"empty_text", 0, 1},
	{"top_level_scalar", 0, 1},
};

static const long options_default[OPTIONS_COUNT] = {
	JSON_DEPTH_MAX, 1L << 30, 1L << 30, 1L << 30, 0, 0, 0, 1};

const long *options_defaults(void)
{
	return options_default;
}

/* Index in the table, OPTIONS_COUNT where the name is unknown. */
static size_t options_find(const char *name)
{
	size_t i = 0;

	while (i < OPTIONS_COUNT && strcmp(options_table[i].name, name) != 0)
		i++;
	return i;
}

const char *options_apply(long *limits, const struct json_option *options, size_t count)
{
	size_t i;
	size_t id;

	memcpy(limits, options_default, sizeof(options_default));
	for (i = 0; i < count; i++) {
		id = options_find(options[i].name);
		if (id == OPTIONS_COUNT)
			return "unknown option";
		if (options[i].value < options_table[id].least ||
			options[i].value > options_table[id].most)
			return "option out of range";
		limits[id] = options[i].value;
	}
	return NULL;
}
