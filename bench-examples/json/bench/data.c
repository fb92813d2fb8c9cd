#include "data.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DATA_BYTES_MAX 65536

struct data {
	uint64_t seed;
	size_t length;
	char *text;
};

static const char *const data_words[] = {"river", "stone", "lantern", "of", "the", "window",
	"seven", "garden", "under", "copper", "letter", "quiet", "and", "morning", "harbour",
	"bridge", "to", "paper", "a", "distance", "whistle", "north", "cloud", "ferry"};

static unsigned data_random(struct data *data, unsigned below)
{
	/* Marsaglia's xorshift64 */
	data->seed ^= data->seed << 13;
	data->seed ^= data->seed >> 7;
	data->seed ^= data->seed << 17;
	return (unsigned)(data->seed >> 33) % below;
}

__attribute__((format(printf, 2, 3))) static void data_put(
	struct data *data, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	data->length += (size_t)vsnprintf(
		data->text + data->length, DATA_BYTES_MAX - data->length, format, arguments);
	va_end(arguments);
	if (data->length >= DATA_BYTES_MAX)
		exit(2);
}

static const char *data_word(struct data *data)
{
	return data_words[data_random(data, sizeof(data_words) / sizeof(data_words[0]))];
}

static void data_words_put(struct data *data, int count, const char *between)
{
	for (; count > 0; count--)
		data_put(data, "%s%s", data_word(data), count > 1 ? between : "");
}

static void data_records(struct data *data)
{
	int i;

	data_put(data, "[");
	for (i = 0; i < 24; i++) {
		data_put(data, "%s{\"id\":%d,\"name\":\"", i ? "," : "", 1000 + i);
		data_words_put(data, 3, " ");
		data_put(data, "\",\"address\":\"");
		data_words_put(data, 12, " ");
		data_put(data, "\",\"score\":%d,\"active\":%s,\"tags\":[\"",
			(int)data_random(data, 1000), i % 3 ? "true" : "false");
		data_words_put(data, 3, "\",\"");
		data_put(data, "\"]}");
	}
	data_put(data, "]");
}

static void data_profile(struct data *data)
{
	int i;

	data_put(data, "{\n");
	for (i = 0; i < 60; i++) {
		data_put(data, "%s  \"%s %d\": \"", i ? ",\n" : "", data_word(data), i);
		data_words_put(data, 1 + i % 4, " ");
		data_put(data, "\"");
	}
	data_put(data, "\n}\n");
}

static void data_nested(struct data *data)
{
	int group;
	int i;

	data_put(data, "[");
	for (group = 0; group < 16; group++) {
		data_put(data, group ? "," : "");
		for (i = 0; i < 12; i++)
			data_put(data, "[%s", i % 3 ? "" : "null,");
		data_put(data, "%d", group);
		for (i = 0; i < 12; i++)
			data_put(data, i % 4 ? "]" : ",true]");
	}
	data_put(data, "]");
}

static void data_integers(struct data *data)
{
	int i;

	data_put(data, "[");
	for (i = 0; i < 600; i++)
		data_put(data, "%s%d", i ? "," : "", (int)data_random(data, 2000000) - 1000000);
	data_put(data, "]");
}

static void data_decimals(struct data *data)
{
	int i;

	data_put(data, "[");
	for (i = 0; i < 200; i++)
		data_put(data, "%s[%d.%06u,%d.%05u]", i ? "," : "",
			(int)data_random(data, 180) - 90, data_random(data, 1000000),
			(int)data_random(data, 360) - 180, data_random(data, 100000));
	data_put(data, "]");
}

static void data_strings(struct data *data, int strings, int words, const char *between)
{
	int i;

	data_put(data, "[");
	for (i = 0; i < strings; i++) {
		data_put(data, "%s\"", i ? "," : "");
		data_words_put(data, words, between);
		data_put(data, "\"");
	}
	data_put(data, "]");
}

static void data_log_lines(struct data *data)
{
	int i;

	data_put(data, "[");
	for (i = 0; i < 60; i++) {
		data_put(data, "%s\"", i ? "," : "");
		data_words_put(data, 12, " ");
		data_put(data, ": \\\"");
		data_words_put(data, 10, " ");
		data_put(data, "\\\"\\n\"");
	}
	data_put(data, "]");
}

char *data_make(enum data_shape shape)
{
	struct data data = {0x9e3779b97f4a7c15u + shape, 0, malloc(DATA_BYTES_MAX)};

	if (!data.text)
		exit(2);
	data.text[0] = '\0';
	switch (shape) {
	case DATA_RECORDS:
		data_records(&data);
		break;
	case DATA_PROFILE:
		data_profile(&data);
		break;
	case DATA_NESTED:
		data_nested(&data);
		break;
	case DATA_INTEGERS:
		data_integers(&data);
		break;
	case DATA_DECIMALS:
		data_decimals(&data);
		break;
	case DATA_PROSE:
		data_strings(&data, 40, 50, " ");
		break;
	case DATA_LOG_LINES:
		data_log_lines(&data);
		break;
	case DATA_DENSE:
		data_strings(&data, 160, 3, "\\n\\u00e9");
		break;
	case DATA_MESSAGE:
		data_put(&data,
			"{\"type\":\"move\",\"player\":\"anna\",\"x\":12,\"y\":-7,\"ok\":true}");
		break;
	case DATA_POINT:
		data_put(&data, "[12,-7,3.5]");
		break;
	case DATA_SHAPES:
		break;
	}
	return data.text;
}
