#include "data.h"
#include "duel.h"

#include "../src/json.h"

#include <stdlib.h>
#include <string.h>

struct text {
	char *bytes;
	size_t length;
};

static void *make(long shape)
{
	struct text *text = malloc(sizeof(*text));

	if (!text)
		exit(2);
	text->bytes = data_make((enum data_shape)shape);
	text->length = strlen(text->bytes);
	duel_bytes(text->length);
	return text;
}

static void drop(void *state)
{
	struct text *text = state;

	free(text->bytes);
	free(text);
}

static void parse_once(const struct text *text)
{
	struct json_document document;

	if (json_parse(&document, text->bytes, text->length) != 0)
		duel_error(document.problem);
	duel_keep(document.root);
	json_release(&document);
}

#define PARSE(name, shape)                                      \
	static void *make_##shape(long value)                   \
	{                                                       \
		return make(shape + value);                     \
	}                                                       \
	DUEL_BENCHMARK_WITH("parse: " name, make_##shape, drop) \
	{                                                       \
		parse_once(state);                              \
	}

PARSE("records", DATA_RECORDS)
PARSE("profile, short strings", DATA_PROFILE)
PARSE("nested arrays", DATA_NESTED)
PARSE("integers", DATA_INTEGERS)
PARSE("decimals", DATA_DECIMALS)
PARSE("prose, long strings", DATA_PROSE)
PARSE("escaped strings", DATA_DENSE)

static void *make_messages(long value)
{
	void *text = make(DATA_MESSAGE + value);

	duel_items(8);
	return text;
}

DUEL_BENCHMARK_WITH("parse: small messages", make_messages, drop)
{
	int i;

	for (i = 0; i < 8; i++)
		parse_once(state);
}
