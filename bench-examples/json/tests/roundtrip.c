/* Texts that must come back as they went in, texts that must be refused. usage: roundtrip */
#include "../bench/data.h"
#include "../src/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct pair {
	const char *text;
	const char *wanted; /* NULL: refused */
};

static const struct pair pairs[] = {
	{"null", "null"},
	{" [ true , false ] ", "[true,false]"},
	{"{}", "{}"},
	{"[[],{},[[]]]", "[[],{},[[]]]"},
	{"{\"a\":1,\"b\":{\"c\":[2]},\"d\":[]}", "{\"a\":1,\"b\":{\"c\":[2]},\"d\":[]}"},
	{"[0,-0,-1,12345678901234567,1e3,1.5,-2.25e-3,1e300]",
		"[0,-0,-1,12345678901234568,1000,1.5,-0.0022499999999999998,"
		"1.0000000000000001e+300]"},
	{"\"\"", "\"\""},
	{"\"0123456789abcdef0123456789abcde\\\"f\"", "\"0123456789abcdef0123456789abcde\\\"f\""},
	{"\"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\\u0001\\/\\n\"",
		"\"A\303\251\342\202\254\360\237\230\200\\u0001/\\n\""},
	{"\"\303\251 stays \377\"", "\"\303\251 stays \377\""},
	{"", NULL},
	{"[", NULL},
	{"[1", NULL},
	{"[1,]", NULL},
	{"[,1]", NULL},
	{"[1 2]", NULL},
	{"[1}", NULL},
	{"{\"a\"}", NULL},
	{"{\"a\":1,}", NULL},
	{"{1:2}", NULL},
	{"01", NULL},
	{"1.", NULL},
	{"1e", NULL},
	{"-", NULL},
	{"1e400", NULL},
	{"tru", NULL},
	{"\"abc", NULL},
	{"\"\\", NULL},
	{"\"\\x\"", NULL},
	{"\"\\u12\"", NULL},
	{"\"\\ud800\"", NULL},
	{"\"\\udc00\"", NULL},
	{"\"\t\"", NULL},
	{"\"aaaaaaaaaaaaaaaaaaaaaaaa\n\"", NULL},
	{"null null", NULL},
};

static int failures;

static void expect(int is_so, const char *what)
{
	if (!is_so) {
		printf("FAILED: %s\n", what);
		failures++;
	}
}

/* A copy without a byte behind it, so that a sanitizer sees a read past the end. */
static char *tight_copy(const char *text, size_t length)
{
	char *copy = malloc(length ? length : 1);

	if (!copy)
		exit(2);
	memcpy(copy, text, length);
	return copy;
}

static void check_pair(const struct pair *pair)
{
	struct json_document document;
	struct json_text out = {NULL, 0, 0};
	char *text = tight_copy(pair->text, strlen(pair->text));
	int result = json_parse(&document, text, strlen(pair->text));

	if (!pair->wanted) {
		expect(result != 0 && document.problem, pair->text);
	} else {
		expect(result == 0 && json_generate(&out, document.root) == 0 &&
				out.length == strlen(pair->wanted) &&
				memcmp(out.bytes, pair->wanted, out.length) == 0,
			pair->text);
	}
	json_release(&document);
	json_text_release(&out);
	free(text);
}

/* Text -> tree -> text -> tree -> text: the two texts are the same. */
static void check_shape(enum data_shape shape)
{
	char *text = data_make(shape);
	struct json_document document;
	struct json_text first = {NULL, 0, 0};
	struct json_text second = {NULL, 0, 0};

	expect(json_parse(&document, text, strlen(text)) == 0, "a shape is parsed");
	expect(json_generate(&first, document.root) == 0, "a shape is generated");
	json_release(&document);
	expect(json_parse(&document, first.bytes, first.length) == 0, "its text is parsed");
	expect(json_generate(&second, document.root) == 0, "and generated again");
	expect(first.length == second.length &&
			memcmp(first.bytes, second.bytes, first.length) == 0,
		"both texts are the same");
	json_release(&document);
	json_text_release(&first);
	json_text_release(&second);
	free(text);
}

static void check_every_length(void)
{
	static const char specials[] = {'"', '\\', '\n', 0x1f, 0x01};
	char bytes[80];
	struct json_value value = {JSON_STRING, 0, 0, bytes, NULL, NULL, NULL, 0};
	struct json_document document;
	struct json_text text = {NULL, 0, 0};
	size_t special;
	size_t at;

	for (value.length = 1; value.length < sizeof(bytes); value.length++) {
		for (at = 0; at < value.length; at++) {
			special = at % sizeof(specials);
			memset(bytes, 'x', sizeof(bytes));
			bytes[at] = specials[special];
			text.length = 0;
			expect(json_generate(&text, &value) == 0 &&
					json_parse(&document, text.bytes, text.length) == 0 &&
					document.root->length == value.length &&
					memcmp(document.root->string, bytes, value.length) == 0,
				"a string with one special byte comes back");
			json_release(&document);
		}
	}
	json_text_release(&text);
}

static int parses(const char *text, const char *name, long value)
{
	struct json_option option = {name, value};
	struct json_document document;
	int result = json_parse_with(&document, text, strlen(text), &option, 1);

	json_release(&document);
	return result == 0;
}

static void check_options(void)
{
	expect(parses("[[1]]", "max_depth", 2) && !parses("[[1]]", "max_depth", 1), "max_depth");
	expect(parses("[1]", "max_bytes", 3) && !parses("[1]", "max_bytes", 2), "max_bytes");
	expect(parses("\"ab\"", "max_string_bytes", 2) && !parses("\"ab\"", "max_string_bytes", 1),
		"max_string_bytes");
	expect(parses("[1,2]", "max_values", 3) && !parses("[1,2]", "max_values", 2), "max_values");
	expect(parses("[1,]", "trailing_comma", 1) && !parses("[1,]", "trailing_comma", 0),
		"trailing_comma");
	expect(parses("//a\n[1,//b\n2]//c", "line_comments", 1) &&
			!parses("//a\n1", "line_comments", 0),
		"line_comments");
	expect(parses(" ", "empty_text", 1) && !parses(" ", "empty_text", 0), "empty_text");
	expect(parses("1", "top_level_scalar", 1) && !parses("1", "top_level_scalar", 0),
		"top_level_scalar");
	expect(!parses("1", "no_such_option", 1), "an unknown option");
	expect(!parses("1", "max_depth", 0), "an option out of range");
	expect(!parses("1", "max_depth", JSON_DEPTH_MAX + 1), "an option out of range, above");
}

static void check_depth(void)
{
	char text[2 * JSON_DEPTH_MAX + 3];
	size_t depth;
	struct json_document document;
	int result;

	for (depth = JSON_DEPTH_MAX; depth <= JSON_DEPTH_MAX + 1; depth++) {
		memset(text, '[', depth);
		memset(text + depth, ']', depth);
		result = json_parse(&document, text, 2 * depth);
		expect((result == 0) == (depth == JSON_DEPTH_MAX),
			"as deep as promised, no deeper");
		json_release(&document);
	}
}

int main(void)
{
	size_t i;

	for (i = 0; i < COUNT(pairs); i++)
		check_pair(&pairs[i]);
	for (i = 0; i < DATA_SHAPES; i++)
		check_shape((enum data_shape)i);
	check_every_length();
	check_options();
	check_depth();
	if (failures == 0)
		printf("ok: %zu texts, %d shapes, strings of every length, options, depth\n",
			COUNT(pairs), (int)DATA_SHAPES);
	return failures > 0;
}
