#include "data.h"
#include "duel.h"

#include "../src/json.h"

#include <stdlib.h>
#include <string.h>

struct tree {
	struct json_document document;
	struct json_text out;
	char *source;
};

static void *plant(enum data_shape shape)
{
	struct tree *tree = calloc(1, sizeof(*tree));

	if (!tree)
		exit(2);
	tree->source = data_make(shape);
	if (json_parse(&tree->document, tree->source, strlen(tree->source)) != 0)
		duel_error(tree->document.problem);
	else if (json_generate(&tree->out, tree->document.root) == 0)
		duel_bytes(tree->out.length);
	return tree;
}

static void fell(void *state)
{
	struct tree *tree = state;

	json_text_release(&tree->out);
	json_release(&tree->document);
	free(tree->source);
	free(tree);
}

/* The text's memory is kept from one iteration to the next, as a server would. */
static void generate_once(struct tree *tree)
{
	tree->out.length = 0;
	if (json_generate(&tree->out, tree->document.root) != 0)
		duel_error("out of memory");
	duel_keep(tree->out.bytes);
}

#define GENERATE(name, shape)                                       \
	static void *plant_##shape(long value)                      \
	{                                                           \
		return plant((enum data_shape)(shape + value));     \
	}                                                           \
	DUEL_BENCHMARK_WITH("generate: " name, plant_##shape, fell) \
	{                                                           \
		generate_once(state);                               \
	}

GENERATE("records", DATA_RECORDS)
GENERATE("prose, nothing to escape", DATA_PROSE)
GENERATE("log lines, some escapes", DATA_LOG_LINES)
GENERATE("integers", DATA_INTEGERS)

static void *plant_profile(long value)
{
	return plant((enum data_shape)(DATA_PROFILE + value));
}

DUEL_BENCHMARK_WITH("look up: 60 members of an object", plant_profile, fell)
{
	const struct tree *tree = state;
	const struct json_value *member = tree->document.root->first;

	for (; member; member = member->next)
		duel_keep(json_find(tree->document.root, member->key));
}
