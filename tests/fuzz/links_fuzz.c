/*
 * A link record as a hostile build would write it, down to the response file made from it.
 *
 * The input is the record and, behind the first two line feeds in a row, what the linker's trace
 * and `ar` would say. What is accepted must keep its promises: names of copies that stay in the
 * store, one line a word, every pad within the slots.
 */
#include "runner/layout/draw.h"
#include "runner/layout/links.h"
#include "runner/layout/replay.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_record(const struct links_record *record)
{
	assert(record->linker[0] == '/' && record->cwd[0] == '/');
	assert(links_is_stored_name(record->stored) && !strchr(record->stored, '/'));
	for (size_t i = 0; i < record->args_count; i++)
		assert(!record->args[i].copy || links_is_stored_name(record->args[i].copy));
	for (size_t i = 0; i < record->env_count; i++)
		assert(strchr(record->env[i], '='));
	assert(!record->env[record->env_count]);
}

static void check_text(const struct replay *replay)
{
	static const struct replay_places places = {"/pads", "/out", "/resolution"};
	AUTO_BUF text = {.bytes_max = REPLAY_TEXT_BYTES_MAX};
	struct draw draw = {.slots = replay->slots};
	uint64_t *keys = calloc(draw.slots, sizeof(*keys));
	struct err err;

	draw.fine = calloc(draw.slots, sizeof(*draw.fine));
	assert(draw.fine && keys);
	replay_keys(replay, keys);
	draw.keys = keys;
	draw_make(&draw, 1, 2);
	if (replay_text(&text, replay, &draw, &places, &err) == 0)
		assert(strncmp(buf_text(&text), "-S\n-o\n/out\n", 11) == 0);
	(void)!replay_text(&text, replay, NULL, &places, &err);
	free(draw.fine);
	free(keys);
}

static void replay_record(const struct links_record *record, const char *said)
{
	struct archive_names trace = {0};
	struct archives archives = {0};
	struct words words = {0};
	struct replay replay;
	struct replay_facts facts = {.words = &words,
		.archives = &archives,
		.trace = &trace,
		.cwd = record->cwd,
		.members = "/members"};
	struct err err;

	if (archive_split(&trace, said, &err) == 0 &&
		archive_read_trace(&archives, &trace, &err) == 0 &&
		words_make(&words, record, "/copies", true, &err) == 0) {
		/* Every archive lists all lines: the hardest case for finding members in them. */
		for (size_t i = 0; i < archives.count; i++) {
			archives.items[i].is_thin = i % 2 == 1;
			assert(archive_split(&archives.items[i].members, said, &err) == 0);
		}
		if (replay_make(&replay, &facts, &err) == 0) {
			check_text(&replay);
			replay_release(&replay);
		}
	}
	words_release(&words);
	archive_release_all(&archives);
	archive_names_release(&trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *split = memmem(data, size, "\n\n", 2);
	size_t record_bytes = split ? (size_t)(split - data) : size;
	struct links_record record;
	struct err err;
	char *said;

	if (links_parse(&record, (const char *)data, record_bytes, &err) < 0)
		return 0;
	check_record(&record);
	said = split ? strndup((const char *)split, size - record_bytes) : strdup("");
	assert(said);
	replay_record(&record, said);
	free(said);
	links_record_release(&record);
	return 0;
}
