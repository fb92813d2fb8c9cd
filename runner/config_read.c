#include "runner/config_read.h"

#include "sandbox/base/text.h"

#include <math.h>
#include <string.h>

static int wrong_type(const struct config_json *json, const struct config_place *place,
	const char *wanted, struct err *err)
{
	return config_json_error(
		json, place, err, "found %s: %s", config_json_type(place->item), wanted);
}

int config_read_number(const struct config_json *json, const struct config_place *place,
	const struct config_range *range, double *out, struct err *err)
{
	double value = place->item->valuedouble;

	if (!cJSON_IsNumber(place->item))
		return wrong_type(json, place, range->allowed, err);
	if (!isfinite(value) || value < range->low || value > range->high)
		return config_json_error(
			json, place, err, "%g is out of range: %s", value, range->allowed);
	*out = value;
	return 0;
}

int config_read_bool(const struct config_json *json, const struct config_place *place, bool *out,
	struct err *err)
{
	if (!cJSON_IsBool(place->item))
		return wrong_type(json, place, "give true or false", err);
	*out = cJSON_IsTrue(place->item);
	return 0;
}

static int copy_out(char **out, const char *text, struct err *err)
{
	*out = strdup(text);
	if (!*out) {
		(void)err_errno(err, ERR_OS, "copy a string of the configuration");
		return -1;
	}
	return 0;
}

int config_read_text(const struct config_json *json, const struct config_place *place,
	const char *wanted, char **out, struct err *err)
{
	if (!cJSON_IsString(place->item))
		return wrong_type(json, place, wanted, err);
	if (!*place->item->valuestring)
		return config_json_error(json, place, err, "empty: %s", wanted);
	if (strlen(place->item->valuestring) > CONFIG_TEXT_BYTES_MAX)
		return config_json_error(json, place, err,
			"longer than %u bytes: put it into a file", CONFIG_TEXT_BYTES_MAX);
	return copy_out(out, place->item->valuestring, err);
}

int config_read_plain(const struct config_json *json, const struct config_place *place,
	size_t bytes_max, char **out, struct err *err)
{
	const char *text = place->item->valuestring;

	if (!cJSON_IsString(place->item))
		return wrong_type(json, place, "give a string", err);
	if (!*text)
		return config_json_error(json, place, err, "empty: give at least one character");
	if (strlen(text) > bytes_max)
		return config_json_error(json, place, err, "%zu bytes long: give at most %zu",
			strlen(text), bytes_max);
	if (!text_is_plain(text, strlen(text)))
		return config_json_error(json, place, err,
			"holds control, invisible or broken characters: give plain UTF-8 text");
	return copy_out(out, text, err);
}

/* Copy the path without "." components and doubled slashes. False: it has a ".." or ".git". */
static bool shorten_path(char *out, const char *path)
{
	size_t length = 0;

	while (*path) {
		size_t component = strcspn(path, "/");

		if ((component == 2 && memcmp(path, "..", 2) == 0) ||
			(component == 4 && strncasecmp(path, ".git", 4) == 0))
			return false;
		if (component > 0 && !(component == 1 && *path == '.')) {
			if (length > 0)
				out[length++] = '/';
			memcpy(out + length, path, component);
			length += component;
		}
		path += component;
		path += *path == '/';
	}
	out[length] = '\0';
	return true;
}

int config_read_path(const struct config_json *json, const struct config_place *place, char **out,
	struct err *err)
{
	AUTO_STR path = NULL;

	if (config_read_plain(json, place, CONFIG_PATH_BYTES_MAX, &path, err) < 0)
		return -1;
	/* shorten_path() writes behind its reading: a second copy keeps it free of overlaps. */
	if (copy_out(out, path, err) < 0)
		return -1;
	if (*path == '/' || !shorten_path(*out, path) || !**out) {
		free(*out);
		*out = NULL;
		return config_json_error(json, place, err,
			"\"%s\" is no path inside the tree: give one relative to the repository's "
			"top, without \"..\"",
			path);
	}
	return 0;
}

int config_read_list(const struct config_json *json, const struct config_place *place,
	config_read_item *read_item, struct config_list *out, struct err *err)
{
	size_t count = (size_t)cJSON_GetArraySize(place->item);

	if (!cJSON_IsArray(place->item))
		return wrong_type(json, place, "give a list of strings", err);
	if (count > CONFIG_LIST_MAX)
		return config_json_error(
			json, place, err, "%zu entries: give at most %d", count, CONFIG_LIST_MAX);
	out->items = calloc(count + 1, sizeof(*out->items));
	if (!out->items)
		return err_errno(err, ERR_OS, "%s", json->file_name);
	for (const cJSON *item = place->item->child; item; item = item->next) {
		struct config_place at = {.up = place, .item = item};

		if (read_item(json, &at, &out->items[out->count], err) < 0)
			return -1;
		out->count++;
	}
	return 0;
}

static int read_word(const struct config_json *json, const struct config_place *place,
	const char *const *words, size_t words_count, unsigned *out, struct err *err)
{
	const char *near = NULL;
	AUTO_BUF allowed;

	buf_init(&allowed, ERR_TEXT_BYTES);
	if (cJSON_IsString(place->item)) {
		near = text_nearest(place->item->valuestring, words, words_count);
		for (size_t i = 0; i < words_count; i++) {
			if (strcmp(words[i], place->item->valuestring) != 0)
				continue;
			*out |= 1u << i;
			return 0;
		}
	}
	if (near)
		return config_json_error(json, place, err, "unknown: did you mean \"%s\"?", near);
	for (size_t i = 0; i < words_count; i++) {
		if (buf_printf(&allowed, err, "%s\"%s\"", i ? ", " : "", words[i]) < 0)
			return -1;
	}
	return config_json_error(json, place, err, "unknown: give %s%s",
		words_count > 1 ? "some of " : "", buf_text(&allowed));
}

int config_read_words(const struct config_json *json, const struct config_place *place,
	const char *const *words, size_t words_count, unsigned *out, struct err *err)
{
	if (!cJSON_IsArray(place->item))
		return wrong_type(json, place, "give a list of strings", err);
	for (const cJSON *item = place->item->child; item; item = item->next) {
		struct config_place at = {.up = place, .item = item};

		if (read_word(json, &at, words, words_count, out, err) < 0)
			return -1;
	}
	return 0;
}

void config_list_release(struct config_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i]);
	free(list->items);
	*list = (struct config_list){0};
}
