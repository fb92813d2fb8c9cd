/*
 * What the parts of the parser share: the place in the text, the limits, the document's memory.
 */
#ifndef READER_H
#define READER_H

#include "json.h"

enum options_id {
	OPTIONS_MAX_DEPTH,
	OPTIONS_MAX_BYTES,
	OPTIONS_MAX_STRING_BYTES,
	OPTIONS_MAX_VALUES,
	OPTIONS_TRAILING_COMMA,
	OPTIONS_LINE_COMMENTS,
	OPTIONS_EMPTY_TEXT,
	OPTIONS_TOP_LEVEL_SCALAR,
	OPTIONS_COUNT
};

struct reader {
	const char *at;
	const char *end;
	struct json_document *document;
	const long *limits; /* by options_id */
	long values_left;
};

/* Memory that lives as long as the document; NULL when there is none. arena.c */
void *arena_take(struct json_document *document, size_t bytes);

/* Set the problem at the reader's place. Returns -1. arena.c */
int reader_fail(struct reader *reader, const char *problem);

/* At an opening quote: the string's bytes, unescaped, owned by the document. string.c */
int string_read(struct reader *reader, const char **bytes, size_t *length);

/* At a digit or minus. number.c */
int number_read(struct reader *reader, double *number);

/* At most `room` bytes of text for a finite number; returns their count. number.c */
size_t number_write(char *out, size_t room, double number);

/* Append bytes; the string with quotes and escapes. text.c, escape.c */
int text_append(struct json_text *text, const char *bytes, size_t length);
int escape_append(struct json_text *text, const char *bytes, size_t length);

/* The defaults, and the defaults changed by named options: NULL, or what is wrong. options.c */
const long *options_defaults(void);
const char *options_apply(long *limits, const struct json_option *options, size_t count);

#endif
