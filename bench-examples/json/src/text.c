#include "reader.h"

#include <stdlib.h>
#include <string.h>

static int text_grow(struct json_text *text, size_t length)
{
	size_t capacity = text->capacity ? text->capacity * 2 : 256;
	char *bytes;

	if (capacity - text->length < length)
		capacity = text->length + length;
	bytes = realloc(text->bytes, capacity);
	if (!bytes)
		return -1;
	text->bytes = bytes;
	text->capacity = capacity;
	return 0;
}

int text_append(struct json_text *text, const char *bytes, size_t length)
{
	if (text->capacity - text->length < length && text_grow(text, length) != 0)
		return -1;
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	return 0;
}

void json_text_release(struct json_text *text)
{
	free(text->bytes);
	memset(text, 0, sizeof(*text));
}
