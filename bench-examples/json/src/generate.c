#include "reader.h"

#define NUMBER_BYTES_MAX 32

static int generate_number(struct json_text *text, double number)
{
	char bytes[NUMBER_BYTES_MAX];

	return text_append(text, bytes, number_write(bytes, sizeof(bytes), number));
}

/* A value without its members; a container's opening bracket. */
static int generate_start(struct json_text *text, const struct json_value *value)
{
	switch (value->type) {
	case JSON_NULL:
		return text_append(text, "null", 4);
	case JSON_FALSE:
		return text_append(text, "false", 5);
	case JSON_TRUE:
		return text_append(text, "true", 4);
	case JSON_NUMBER:
		return generate_number(text, value->number);
	case JSON_STRING:
		return escape_append(text, value->string, value->length);
	case JSON_ARRAY:
		return text_append(text, "[", 1);
	case JSON_OBJECT:
		return text_append(text, "{", 1);
	}
	return -1;
}

static int generate_key(struct json_text *text, const struct json_value *value)
{
	if (!value->key)
		return 0;
	if (escape_append(text, value->key, value->key_length) != 0)
		return -1;
	return text_append(text, ":", 1);
}

/* What stands in front of a member: the comma behind the one before, the key. */
static int generate_before(
	struct json_text *text, const struct json_value *parent, const struct json_value *value)
{
	if (value != parent->first && text_append(text, ",", 1) != 0)
		return -1;
	return generate_key(text, value);
}

int json_generate(struct json_text *text, const struct json_value *value)
{
	const struct json_value *open[JSON_DEPTH_MAX];
	const struct json_value *closed;
	int depth = 0;

	while (value) {
		if (depth > 0 && generate_before(text, open[depth - 1], value) != 0)
			return -1;
		if (generate_start(text, value) != 0)
			return -1;
		if (value->type == JSON_ARRAY || value->type == JSON_OBJECT) {
			if (depth == JSON_DEPTH_MAX)
				return -1;
			open[depth++] = value;
			value = value->first;
		} else {
			value = depth > 0 ? value->next : NULL;
		}
		while (!value && depth > 0) {
			closed = open[--depth];
			if (text_append(text, closed->type == JSON_ARRAY ? "]" : "}", 1) != 0)
				return -1;
			value = depth > 0 ? closed->next : NULL;
		}
	}
	return 0;
}
