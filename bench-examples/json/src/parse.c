#include "reader.h"

#include <string.h>

/* The containers that are open, outermost first. */
struct nest {
	struct json_value *open[JSON_DEPTH_MAX];
	struct json_value **tail[JSON_DEPTH_MAX]; /* where each one's next member is hung */
	int depth;
};

static void parse_skip_comment(struct reader *reader)
{
	while (reader->at < reader->end && *reader->at != '\n')
		reader->at++;
}

static void parse_skip_blanks(struct reader *reader)
{
	for (; reader->at < reader->end; reader->at++) {
		if (*reader->at == '/' && reader->limits[OPTIONS_LINE_COMMENTS] &&
			reader->end - reader->at > 1 && reader->at[1] == '/')
			parse_skip_comment(reader);
		if (reader->at == reader->end)
			return;
		if (*reader->at != ' ' && *reader->at != '\n' && *reader->at != '\t' &&
			*reader->at != '\r')
			return;
	}
}

static int parse_word(struct reader *reader, struct json_value *value)
{
	static const struct {
		const char *word;
		size_t length;
		enum json_type type;
	} words[] = {{"null", 4, JSON_NULL}, {"false", 5, JSON_FALSE}, {"true", 4, JSON_TRUE}};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if ((size_t)(reader->end - reader->at) >= words[i].length &&
			memcmp(reader->at, words[i].word, words[i].length) == 0) {
			value->type = words[i].type;
			reader->at += words[i].length;
			return 0;
		}
	}
	return reader_fail(reader, "a value expected");
}

static int parse_open(struct reader *reader, struct nest *nest, struct json_value *value)
{
	if (nest->depth >= reader->limits[OPTIONS_MAX_DEPTH])
		return reader_fail(reader, "deeper than max_depth");
	value->type = *reader->at++ == '[' ? JSON_ARRAY : JSON_OBJECT;
	nest->open[nest->depth] = value;
	nest->tail[nest->depth] = &value->first;
	nest->depth++;
	return 0;
}

static int parse_value(struct reader *reader, struct nest *nest, struct json_value *value)
{
	if (reader->at == reader->end)
		return reader_fail(reader, "a value expected");
	switch (*reader->at) {
	case '[':
	case '{':
		return parse_open(reader, nest, value);
	case '"':
		value->type = JSON_STRING;
		return string_read(reader, &value->string, &value->length);
	case '-':
	case '0':
	case '1':
	case '2':
	case '3':
	case '4':
	case '5':
	case '6':
	case '7':
	case '8':
	case '9':
		value->type = JSON_NUMBER;
		return number_read(reader, &value->number);
	default:
		return parse_word(reader, value);
	}
}

static struct json_value *parse_new_value(struct reader *reader)
{
	struct json_value *value = NULL;

	if (reader->values_left-- > 0)
		value = arena_take(reader->document, sizeof(*value));
	if (value)
		memset(value, 0, sizeof(*value));
	else
		reader_fail(reader, "more values than max_values or memory allow");
	return value;
}

static int parse_key(struct reader *reader, struct json_value *value)
{
	if (reader->at == reader->end || *reader->at != '"')
		return reader_fail(reader, "a name in quotes expected");
	if (string_read(reader, &value->key, &value->key_length) != 0)
		return -1;
	parse_skip_blanks(reader);
	if (reader->at == reader->end || *reader->at != ':')
		return reader_fail(reader, "a colon expected");
	reader->at++;
	parse_skip_blanks(reader);
	return 0;
}

/* One more member of the innermost container. */
static int parse_member(struct reader *reader, struct nest *nest)
{
	struct json_value *value = parse_new_value(reader);
	struct json_value *parent = nest->open[nest->depth - 1];

	if (!value)
		return -1;
	if (parent->type == JSON_OBJECT && parse_key(reader, value) != 0)
		return -1;
	*nest->tail[nest->depth - 1] = value;
	nest->tail[nest->depth - 1] = &value->next;
	parent->length++;
	return parse_value(reader, nest, value);
}

/* Behind a comma or an opening bracket a container may end at once, or must go on. */
static int parse_may_end(const struct reader *reader, const struct nest *nest, int behind_comma)
{
	char closing = nest->open[nest->depth - 1]->type == JSON_ARRAY ? ']' : '}';

	return reader->at < reader->end && *reader->at == closing &&
	       (!behind_comma || reader->limits[OPTIONS_TRAILING_COMMA]);
}

/* Members until the outermost container is closed. */
static int parse_members(struct reader *reader, struct nest *nest)
{
	int filled = 0; /* depth of the container that has a member already */
	int behind_comma;

	while (nest->depth > 0) {
		parse_skip_blanks(reader);
		behind_comma = 0;
		if (filled == nest->depth && reader->at < reader->end && *reader->at == ',') {
			behind_comma = 1;
			reader->at++;
			parse_skip_blanks(reader);
		}
		if (parse_may_end(reader, nest, behind_comma)) {
			reader->at++;
			filled = --nest->depth;
			continue;
		}
		if (filled == nest->depth && !behind_comma)
			return reader_fail(reader, "a comma or a closing bracket expected");
		filled = nest->depth;
		if (parse_member(reader, nest) != 0)
			return -1;
	}
	return 0;
}

static int parse_text(struct reader *reader)
{
	struct nest nest;
	struct json_value *root;

	nest.depth = 0;
	parse_skip_blanks(reader);
	if (reader->at == reader->end && reader->limits[OPTIONS_EMPTY_TEXT])
		return 0;
	root = parse_new_value(reader);
	if (!root || parse_value(reader, &nest, root) != 0)
		return -1;
	if (nest.depth == 0 && !reader->limits[OPTIONS_TOP_LEVEL_SCALAR])
		return reader_fail(reader, "an array or object expected");
	if (parse_members(reader, &nest) != 0)
		return -1;
	parse_skip_blanks(reader);
	if (reader->at != reader->end)
		return reader_fail(reader, "text behind the value");
	reader->document->root = root;
	return 0;
}

static int parse_limited(
	struct json_document *document, const char *text, size_t length, const long *limits)
{
	struct reader reader = {text, text + length, document, limits, limits[OPTIONS_MAX_VALUES]};
	int result;

	if (length > (size_t)limits[OPTIONS_MAX_BYTES])
		result = reader_fail(&reader, "longer than max_bytes");
	else
		result = parse_text(&reader);
	document->problem_at = (size_t)(reader.at - text);
	if (result != 0)
		json_release(document);
	return result;
}

int json_parse(struct json_document *document, const char *text, size_t length)
{
	memset(document, 0, sizeof(*document));
	return parse_limited(document, text, length, options_defaults());
}

int json_parse_with(struct json_document *document, const char *text, size_t length,
	const struct json_option *options, size_t options_count)
{
	long limits[OPTIONS_COUNT];

	memset(document, 0, sizeof(*document));
	document->problem = options_apply(limits, options, options_count);
	if (document->problem)
		return -1;
	return parse_limited(document, text, length, limits);
}

const struct json_value *json_find(const struct json_value *object, const char *key)
{
	const struct json_value *member = object->type == JSON_OBJECT ? object->first : NULL;
	size_t length = strlen(key);

	while (member && (member->key_length != length || memcmp(member->key, key, length) != 0))
		member = member->next;
	return member;
}
