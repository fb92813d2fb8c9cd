#include "runner/config.h"

#include "runner/config_json.h"
#include "runner/config_read.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

static const struct config_range cpu_range = {1.001, 10, "give a ratio from 1.001 to 10"};
static const struct config_range count_range = {1, 10, "give a ratio from 1 to 10"};
static const struct config_range more_range = {
	0, 1000000, "give how many more an iteration may do, from 0 to 1000000"};
static const struct config_range confidence_range = {
	0.9, 0.9999, "give a confidence from 0.9 to 0.9999"};
static const struct config_range budget_range = {1, 3600, "give seconds from 1 to 3600"};

/* In the order of enum config_metric. */
static const char *const metric_names[] = {
	"cpu", "instructions", "allocations", "allocated_bytes", "syscalls"};
static const char *const need_names[] = {"loopback"};

void config_init(struct config *config)
{
	*config = (struct config){
		.limits = {.cpu = 1.02, .instructions = 1.005, .allocated_bytes = 1.02},
		.across = 1.005,
		.confidence = 0.99,
		.budget_s = 20,
	};
}

/* What the functions below share; place is the value in hand. */
struct reader {
	const struct config_json *json;
	struct config *config;
	struct err *err;
};

static double *limit_field(struct limits *limits, size_t metric)
{
	double *fields[] = {&limits->cpu, &limits->instructions, &limits->allocations,
		&limits->allocated_bytes, &limits->syscalls};

	return fields[metric];
}

static int read_limits(const struct reader *reader, const struct config_place *place,
	struct limits *limits, unsigned *set)
{
	static const struct config_range *const ranges[] = {
		&cpu_range, &count_range, &more_range, &count_range, &more_range};

	if (!cJSON_IsObject(place->item))
		return config_json_error(reader->json, place, reader->err,
			"found %s: give an object of limits, for instance {\"cpu\": 1.02}",
			config_json_type(place->item));
	if (config_json_check_keys(
		    reader->json, place, metric_names, ARRAY_LENGTH(metric_names), reader->err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_LENGTH(metric_names); i++) {
		struct config_place at = {
			place, cJSON_GetObjectItemCaseSensitive(place->item, metric_names[i])};

		if (!at.item)
			continue;
		if (config_read_number(
			    reader->json, &at, ranges[i], limit_field(limits, i), reader->err) < 0)
			return -1;
		*set |= 1u << i;
	}
	return 0;
}

/* Gives false and leaves *at alone where the object has no such key. */
static bool find(const struct config_place *object, const char *key, struct config_place *at)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object->item, key);

	if (!item)
		return false;
	*at = (struct config_place){.up = object, .item = item};
	return true;
}

static int read_pattern(const struct config_json *json, const struct config_place *place,
	char **out, struct err *err)
{
	return config_read_plain(json, place, CONFIG_PATH_BYTES_MAX, out, err);
}

static int read_argument(const struct config_json *json, const struct config_place *place,
	char **out, struct err *err)
{
	/* An empty argument is a legal one; the program's name is checked by read_command(). */
	if (cJSON_IsString(place->item) && !*place->item->valuestring) {
		*out = strdup("");
		return *out ? 0 : err_errno(err, ERR_OS, "%s", json->file_name);
	}
	return config_read_text(json, place, "give an argument as a string", out, err);
}

static int read_command(const struct reader *reader, const struct config_place *object,
	struct config_benchmark *benchmark)
{
	struct config_place at = {0};

	benchmark->kind = CONFIG_COMMAND;
	if (!benchmark->name)
		return config_json_error(reader->json, object, reader->err,
			"\"name\" is missing: a command's benchmark needs one");
	(void)find(object, "command", &at);
	if (config_read_list(reader->json, &at, read_argument, &benchmark->command, reader->err) <
		0)
		return -1;
	if (benchmark->command.count == 0 || !*benchmark->command.items[0])
		return config_json_error(reader->json, &at, reader->err,
			"no program: give a list like [\"./tool\", \"big.json\"]");
	if (find(object, "stdin", &at) &&
		config_read_text(reader->json, &at, "give what the command reads, as a string",
			&benchmark->stdin_text, reader->err) < 0)
		return -1;
	if (find(object, "counts", &at) &&
		config_read_words(reader->json, &at, metric_names + 1,
			ARRAY_LENGTH(metric_names) - 1, &benchmark->counts, reader->err) < 0)
		return -1;
	/* The words began with the second metric: its bit, too. */
	benchmark->counts <<= 1;
	return 0;
}

static int read_worker(const struct reader *reader, const struct config_place *object,
	struct config_benchmark *benchmark)
{
	struct config_place at = {0};

	if (find(object, "command", &at) || find(object, "stdin", &at) ||
		find(object, "counts", &at))
		return config_json_error(reader->json, &at, reader->err,
			"not for a worker: leave out either \"worker\" or this");
	benchmark->kind = CONFIG_WORKER;
	(void)find(object, "worker", &at);
	return config_read_path(reader->json, &at, &benchmark->worker, reader->err);
}

static int read_benchmark(const struct reader *reader, const struct config_place *place,
	struct config_benchmark *benchmark)
{
	static const char *const keys[] = {
		"worker", "command", "google-benchmark", "name", "stdin", "counts"};
	struct config_place at;

	if (!cJSON_IsObject(place->item))
		return config_json_error(reader->json, place, reader->err,
			"found %s: give an object, for instance {\"worker\": \"duel/bench\"}",
			config_json_type(place->item));
	if (config_json_check_keys(reader->json, place, keys, ARRAY_LENGTH(keys), reader->err) < 0)
		return -1;
	if (find(place, "google-benchmark", &at))
		return config_json_error(reader->json, &at, reader->err,
			"not supported yet by this version: give a \"worker\" or a \"command\"");
	if (find(place, "name", &at) && config_read_plain(reader->json, &at, CONFIG_NAME_BYTES_MAX,
						&benchmark->name, reader->err) < 0)
		return -1;
	if (find(place, "worker", &at))
		return read_worker(reader, place, benchmark);
	if (find(place, "command", &at))
		return read_command(reader, place, benchmark);
	return config_json_error(reader->json, place, reader->err,
		"nothing to run: give a \"worker\" or a \"command\"");
}

/* The same command name twice could not be told apart in any report. */
static int check_name(const struct reader *reader, const struct config_place *place, size_t index)
{
	const struct config_benchmark *benchmarks = reader->config->benchmarks;

	if (benchmarks[index].kind != CONFIG_COMMAND)
		return 0;
	for (size_t i = 0; i < index; i++) {
		if (benchmarks[i].kind == CONFIG_COMMAND &&
			strcmp(benchmarks[i].name, benchmarks[index].name) == 0)
			return config_json_error(reader->json, place, reader->err,
				"benchmarks[%zu] has the name \"%s\" already", i,
				benchmarks[index].name);
	}
	return 0;
}

static int read_benchmarks(const struct reader *reader, const struct config_place *place)
{
	size_t count = (size_t)cJSON_GetArraySize(place->item);
	struct config_benchmark *benchmarks;

	if (!cJSON_IsArray(place->item) || count == 0)
		return config_json_error(reader->json, place, reader->err,
			"found %s: give a list with at least one benchmark, for instance "
			"[{\"worker\": \"duel/bench\"}]",
			cJSON_IsArray(place->item) ? "an empty list"
						   : config_json_type(place->item));
	if (count > CONFIG_BENCHMARKS_MAX)
		return config_json_error(reader->json, place, reader->err,
			"%zu benchmarks: give at most %d", count, CONFIG_BENCHMARKS_MAX);
	benchmarks = calloc(count, sizeof(*benchmarks));
	if (!benchmarks)
		return err_errno(reader->err, ERR_OS, "%s", reader->json->file_name);
	reader->config->benchmarks = benchmarks;
	for (const cJSON *item = place->item->child; item; item = item->next) {
		struct config_place at = {.up = place, .item = item};
		size_t index = reader->config->benchmarks_count++;

		if (read_benchmark(reader, &at, &benchmarks[index]) < 0 ||
			check_name(reader, &at, index) < 0)
			return -1;
	}
	return 0;
}

static int read_override(const struct reader *reader, const struct config_place *place,
	struct config_override *override)
{
	static const char *const keys[] = {"match", "limits", "counts_only"};
	struct config_place at;

	if (!cJSON_IsObject(place->item))
		return config_json_error(reader->json, place, reader->err,
			"found %s: give an object, for instance {\"match\": \"parse: *\", "
			"\"limits\": {\"cpu\": 1.05}}",
			config_json_type(place->item));
	if (config_json_check_keys(reader->json, place, keys, ARRAY_LENGTH(keys), reader->err) < 0)
		return -1;
	if (!find(place, "match", &at))
		return config_json_error(reader->json, place, reader->err,
			"\"match\" is missing: give the names it is for, for instance \"parse: "
			"*\"");
	if (config_read_plain(
		    reader->json, &at, CONFIG_NAME_BYTES_MAX, &override->match, reader->err) < 0)
		return -1;
	if (find(place, "limits", &at) &&
		read_limits(reader, &at, &override->limits, &override->set) < 0)
		return -1;
	if (find(place, "counts_only", &at)) {
		if (config_read_bool(
			    reader->json, &at, &override->limits.counts_only, reader->err) < 0)
			return -1;
		override->set |= CONFIG_COUNTS_ONLY;
	}
	if (!override->set)
		return config_json_error(reader->json, place, reader->err,
			"it changes nothing: give \"limits\" or \"counts_only\"");
	return 0;
}

static int read_overrides(const struct reader *reader, const struct config_place *place)
{
	size_t count = (size_t)cJSON_GetArraySize(place->item);
	struct config_override *overrides;

	if (!cJSON_IsArray(place->item))
		return config_json_error(reader->json, place, reader->err,
			"found %s: give a list of overrides", config_json_type(place->item));
	if (count > CONFIG_OVERRIDES_MAX)
		return config_json_error(reader->json, place, reader->err,
			"%zu overrides: give at most %d", count, CONFIG_OVERRIDES_MAX);
	overrides = calloc(count + 1, sizeof(*overrides));
	if (!overrides)
		return err_errno(reader->err, ERR_OS, "%s", reader->json->file_name);
	reader->config->overrides = overrides;
	for (const cJSON *item = place->item->child; item; item = item->next) {
		struct config_place at = {.up = place, .item = item};
		size_t index = reader->config->overrides_count++;

		if (read_override(reader, &at, &overrides[index]) < 0)
			return -1;
	}
	return 0;
}

static int read_commands_and_lists(const struct reader *reader, const struct config_place *root)
{
	const struct config_json *json = reader->json;
	struct config *config = reader->config;
	struct config_place at;

	if (find(root, "build", &at) &&
		config_read_text(json, &at, "give a command for /bin/sh as a string",
			&config->build, reader->err) < 0)
		return -1;
	if (find(root, "setup", &at) &&
		config_read_text(json, &at, "give a command for /bin/sh as a string",
			&config->setup, reader->err) < 0)
		return -1;
	if (find(root, "overlay", &at) &&
		config_read_list(json, &at, config_read_path, &config->overlay, reader->err) < 0)
		return -1;
	if (find(root, "watch", &at) &&
		config_read_list(json, &at, read_pattern, &config->watch, reader->err) < 0)
		return -1;
	if (find(root, "needs", &at) &&
		config_read_words(json, &at, need_names, ARRAY_LENGTH(need_names), &config->needs,
			reader->err) < 0)
		return -1;
	return 0;
}

static int read_gate(const struct reader *reader, const struct config_place *root)
{
	struct config *config = reader->config;
	const struct {
		const char *key;
		const struct config_range *range;
		double *out;
	} numbers[] = {
		{"across", &cpu_range, &config->across},
		{"confidence", &confidence_range, &config->confidence},
		{"budget_s", &budget_range, &config->budget_s},
	};
	struct config_place at;
	unsigned ignored = 0;

	for (size_t i = 0; i < ARRAY_LENGTH(numbers); i++) {
		if (find(root, numbers[i].key, &at) &&
			config_read_number(reader->json, &at, numbers[i].range, numbers[i].out,
				reader->err) < 0)
			return -1;
	}
	if (find(root, "limits", &at) && read_limits(reader, &at, &config->limits, &ignored) < 0)
		return -1;
	if (find(root, "strict", &at) &&
		config_read_bool(reader->json, &at, &config->strict, reader->err) < 0)
		return -1;
	if (find(root, "override", &at))
		return read_overrides(reader, &at);
	return 0;
}

static int read_document(const struct reader *reader, const struct config_place *root)
{
	static const char *const keys[] = {"build", "setup", "overlay", "benchmarks", "watch",
		"limits", "across", "confidence", "budget_s", "override", "needs", "strict"};
	struct config_place at;

	if (config_json_check_keys(reader->json, root, keys, ARRAY_LENGTH(keys), reader->err) < 0 ||
		read_commands_and_lists(reader, root) < 0 || read_gate(reader, root) < 0)
		return -1;
	if (!find(root, "benchmarks", &at))
		return config_json_error(reader->json, root, reader->err,
			"\"benchmarks\" is missing: give a list, for instance [{\"worker\": "
			"\"duel/bench\"}]");
	return read_benchmarks(reader, &at);
}

int config_parse(
	struct config *out, const char *text, size_t length, const char *file_name, struct err *err)
{
	AUTO_CONFIG_JSON json = {0};
	struct reader reader = {.json = &json, .config = out, .err = err};
	struct config_place root = {0};

	config_init(out);
	if (config_json_parse(&json, text, length, file_name, err) < 0)
		return -1;
	root.item = json.root;
	if (read_document(&reader, &root) < 0) {
		config_release(out);
		return -1;
	}
	return 0;
}

static void release_benchmark(struct config_benchmark *benchmark)
{
	free(benchmark->name);
	free(benchmark->worker);
	free(benchmark->stdin_text);
	config_list_release(&benchmark->command);
}

void config_release(struct config *config)
{
	if (!config->borrows) {
		free(config->build);
		free(config->setup);
		config_list_release(&config->overlay);
		config_list_release(&config->watch);
		for (size_t i = 0; i < config->benchmarks_count; i++)
			release_benchmark(&config->benchmarks[i]);
		free(config->benchmarks);
		for (size_t i = 0; i < config->overrides_count; i++)
			free(config->overrides[i].match);
		free(config->overrides);
	}
	*config = (struct config){0};
}

static void apply_override(struct limits *limits, const struct config_override *override)
{
	struct limits set = override->limits;

	for (size_t i = 0; i < ARRAY_LENGTH(metric_names); i++) {
		if (override->set & 1u << i)
			*limit_field(limits, i) = *limit_field(&set, i);
	}
	if (override->set & CONFIG_COUNTS_ONLY)
		limits->counts_only = set.counts_only;
}

void config_effective_limits(
	const struct config *config, const char *benchmark_name, struct limits *out)
{
	*out = config->limits;
	for (size_t i = 0; i < config->overrides_count; i++) {
		if (text_matches(config->overrides[i].match, benchmark_name))
			apply_override(out, &config->overrides[i]);
	}
}
