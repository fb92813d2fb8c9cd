/* Many calls with little to parse: what an entry of the library costs shows here. */
#include "data.h"
#include "duel.h"

#include "../src/json.h"

#include <stdlib.h>
#include <string.h>

static const struct json_option options[] = {
	{"max_depth", 16},
	{"max_string_bytes", 4096},
	{"trailing_comma", 1},
	{"line_comments", 0},
	{"top_level_scalar", 0},
};

static void *make_point(long value)
{
	duel_items(8);
	return data_make((enum data_shape)(DATA_POINT + value));
}

static void parse_with(const char *text, size_t length)
{
	struct json_document document;

	if (json_parse_with(
		    &document, text, length, options, sizeof(options) / sizeof(options[0])) != 0)
		duel_error(document.problem);
	duel_keep(document.root);
	json_release(&document);
}

DUEL_BENCHMARK_WITH("options: small arrays", make_point, free)
{
	const char *text = state;
	size_t length = strlen(text);
	int i;

	for (i = 0; i < 8; i++)
		parse_with(text, length);
}

DUEL_BENCHMARK("options: empty objects")
{
	int i;

	for (i = 0; i < 8; i++)
		parse_with("{}", 2);
}
