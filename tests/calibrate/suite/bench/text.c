/* Text: searching, counting words, formatting. */
#include "../lib/lib.h"
#include "../suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES 6000

static void *make_prose(long value)
{
	duel_bytes(TEXT_BYTES);
	return suite_text(109 + (uint64_t)value, TEXT_BYTES);
}

SUITE_STEADY static unsigned words_count(const char *text)
{
	unsigned count = 0;
	int is_in_word = 0;

	for (; *text; text++) {
		if (*text == ' ' || *text == '\n') {
			is_in_word = 0;
		} else if (!is_in_word) {
			is_in_word = 1;
			count++;
		}
	}
	return count;
}

SUITE("text: search", make_prose, free)
{
	duel_keep(search_count(state, TEXT_BYTES, "gabe"));
}

SUITE("text: words", make_prose, free)
{
	duel_keep(words_count(state));
}

SUITE("text: format", NULL, NULL)
{
	char line[80];
	int i;

	for (i = 0; i < 12; i++) {
		snprintf(line, sizeof(line), "%d:%-8s:%04x", i * 37, (const char *)"word", i);
		duel_keep(state);
		duel_keep(line[5]);
	}
}
