/*
 * A small JSON library: text to a tree and back.
 *
 * A document owns everything that hangs from it; json_release() frees it all at once. Strings are
 * bytes with a length (and a zero byte behind it); bytes from 0x80 on are taken as they come.
 * Functions return 0, or -1 with the reason in document->problem.
 */
#ifndef JSON_H
#define JSON_H

#include <stddef.h>

enum json_type {
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT
};

struct json_value {
	enum json_type type;
	size_t length;            /* bytes of a string, members of an array or object */
	double number;            /* of a number */
	const char *string;       /* of a string */
	struct json_value *first; /* of an array or object */
	struct json_value *next;  /* in the array or object this value belongs to */
	const char *key;          /* in an object, else NULL */
	size_t key_length;
};

struct json_block; /* memory of a document */

struct json_document {
	struct json_value *root;
	struct json_block *blocks;
	const char *problem; /* static text */
	size_t problem_at;   /* offset in the text */
};

struct json_option {
	const char
		*name; /* max_depth, max_bytes, max_string_bytes, max_values, trailing_comma, ... */
	long value;
};

/* Parse with the defaults. */
int json_parse(struct json_document *document, const char *text, size_t length);

/* Parse with options looked up by name (see options.c); a later one overrides an earlier one. */
int json_parse_with(struct json_document *document, const char *text, size_t length,
	const struct json_option *options, size_t options_count);

void json_release(struct json_document *document);

/* The member of that name, NULL where there is none or the value is no object. */
const struct json_value *json_find(const struct json_value *object, const char *key);

/* A growing text; start with zeroes. Setting length to 0 keeps the memory for the next one. */
struct json_text {
	char *bytes;
	size_t length;
	size_t capacity;
};

/* Append the value without blanks. Returns -1 when out of memory or deeper than JSON_DEPTH_MAX. */
int json_generate(struct json_text *text, const struct json_value *value);

void json_text_release(struct json_text *text);

#define JSON_DEPTH_MAX 128

#endif
