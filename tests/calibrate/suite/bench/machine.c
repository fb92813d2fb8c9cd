/* State machines over text: small loops full of branches. */
#include "../suite.h"

#include <stdlib.h>
#include <string.h>

#define MACHINE_BYTES 3000

static void *make_source(long value)
{
	static const char *const pieces[] = {"count", " ", "= ", "12", "(", ")", "\"text\"", "\n",
		"+ ", "x1", "// note\n", "3.75", "; ", "if", " { ", " }\n"};
	char *text = suite_memory(MACHINE_BYTES + 16);
	uint64_t seed = 31 + (uint64_t)value;

	while (strlen(text) < MACHINE_BYTES)
		strcat(text, pieces[suite_random(&seed, 16)]);
	duel_bytes(strlen(text));
	return text;
}

enum token_state { TOKEN_BETWEEN, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_COMMENT };

static int token_is_letter(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
}

static enum token_state token_start(char byte)
{
	if (token_is_letter(byte))
		return TOKEN_NAME;
	if (byte >= '0' && byte <= '9')
		return TOKEN_NUMBER;
	if (byte == '"')
		return TOKEN_STRING;
	return byte == '/' ? TOKEN_COMMENT : TOKEN_BETWEEN;
}

SUITE_STEADY static unsigned token_count(const char *text)
{
	enum token_state state = TOKEN_BETWEEN;
	unsigned count = 0;

	for (; *text; text++) {
		switch (state) {
		case TOKEN_NAME:
			if (token_is_letter(*text) || (*text >= '0' && *text <= '9'))
				continue;
			break;
		case TOKEN_NUMBER:
			if ((*text >= '0' && *text <= '9') || *text == '.')
				continue;
			break;
		case TOKEN_STRING:
			if (*text == '"')
				state = TOKEN_BETWEEN;
			continue;
		case TOKEN_COMMENT:
			if (*text == '\n')
				state = TOKEN_BETWEEN;
			continue;
		case TOKEN_BETWEEN:
			break;
		}
		state = token_start(*text);
		count += state != TOKEN_BETWEEN || (*text != ' ' && *text != '\n');
	}
	return count;
}

/* Shell patterns: '*' any run, '?' one byte; the last star is where a mismatch goes back to. */
SUITE_STEADY static int match_is(const char *pattern, const char *text, const char *end)
{
	const char *star = NULL;
	const char *again = NULL;

	while (text < end) {
		if (*pattern == '*') {
			star = ++pattern;
			again = text;
		} else if (*pattern == '?' || *pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star;
			text = ++again;
		} else {
			return 0;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

static void *make_lines(long value)
{
	return suite_text(41 + (uint64_t)value, 2000);
}

SUITE("machine: tokens", make_source, free)
{
	duel_keep(token_count(state));
}

SUITE("match: patterns", make_lines, free)
{
	const char *line = state;
	const char *end;
	int count = 0;

	for (; *line; line = end + (*end == '\n')) {
		end = line + strcspn(line, "\n");
		count += match_is("*a?b*e*", line, end);
		count += match_is("?*d*", line, end);
	}
	duel_keep(count);
}
