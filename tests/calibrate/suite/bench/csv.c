/* Fields and records of a table, quotes and all. */
#include "../suite.h"

#include <stdlib.h>
#include <string.h>

#define CSV_BYTES 3000

static void *make_table(long value)
{
	static const char *const pieces[] = {"7", "word", ",", ",", "\"a, b\"", "\n", "12.5",
		"\"say \"\"yes\"\"\"", ",", "long field", ",", "\n"};
	char *text = suite_memory(CSV_BYTES + 16);
	uint64_t seed = 37 + (uint64_t)value;

	while (strlen(text) < CSV_BYTES)
		strcat(text, pieces[suite_random(&seed, 12)]);
	duel_bytes(strlen(text));
	return text;
}

static unsigned csv_count(const char *text)
{
	unsigned fields = 0;
	unsigned records = 0;
	int is_quoted = 0;

	for (; *text; text++) {
		if (is_quoted) {
			if (*text == '"' && text[1] == '"')
				text++;
			else if (*text == '"')
				is_quoted = 0;
		} else if (*text == '"') {
			is_quoted = 1;
		} else if (*text == ',') {
			fields++;
		} else if (*text == '\n') {
			records++;
		}
	}
	return fields * 1000 + records;
}

SUITE("machine: csv", make_table, free)
{
	duel_keep(csv_count(state));
}
