#include "runner/layout/replay.h"

#include "runner/layout/pads.h"

#include <string.h>

#define PATH_BYTES_MAX (LINKS_TEXT_BYTES_MAX + 8192u)

void replay_release(struct replay *replay)
{
	for (size_t i = 0; i < replay->count; i++)
		free(replay->items[i].text);
	free(replay->items);
	memset(replay, 0, sizeof(*replay));
}

bool replay_wants_members(const struct words *words, const struct archive *archive, const char *cwd)
{
	return !words->hides_libraries && !words_is_system(archive->path, cwd);
}

int replay_member_folder(struct buf *out, size_t index, size_t instance, struct err *err)
{
	return buf_printf(out, err, "%zu.%zu", index, instance);
}

/* --- which archive a word means ----------------------------------------------------------------
 */

/* Does "-lNAME" lead to a file of this name? */
static bool is_library_file(const char *word, const char *file)
{
	const char *name = word + 2;
	size_t length = strlen(name);

	if (*name == ':')
		return strcmp(name + 1, file) == 0;
	return strncmp(file, "lib", 3) == 0 && strncmp(file + 3, name, length) == 0 &&
	       strcmp(file + 3 + length, ".a") == 0;
}

/* archives->count where it means none, or it cannot be told which of several. */
static size_t find_archive(const struct archives *archives, const struct word *word)
{
	size_t found = archives->count;

	for (size_t i = 0; i < archives->count; i++) {
		const char *path = archives->items[i].path;
		const char *slash = strrchr(path, '/');

		if (word->role == WORDS_INPUT && strcmp(word->text, path) == 0)
			return i;
		if (word->role == WORDS_LIBRARY &&
			is_library_file(word->text, slash ? slash + 1 : path)) {
			if (found != archives->count)
				return archives->count;
			found = i;
		}
	}
	return found;
}

/* --- items -------------------------------------------------------------------------------------
 */

struct maker {
	struct replay *replay;
	const struct replay_facts *facts;
	bool expanded[ARCHIVES_MAX];
	bool is_begun; /* the first file has been added */
};

static int add(struct maker *maker, const char *text, const struct word *word, bool is_padded,
	struct err *err)
{
	struct replay *replay = maker->replay;
	bool is_file = word->role == WORDS_INPUT || word->role == WORDS_LIBRARY;
	struct replay_item *item;

	if (replay->count >= REPLAY_ITEMS_MAX)
		return err_set(err, ERR_LIMIT, "a link of more than %d words", REPLAY_ITEMS_MAX);
	/* Grown by doubling: a power of two is full. */
	if ((replay->count & (replay->count - 1)) == 0) {
		size_t capacity = replay->count ? 2 * replay->count : 1;
		struct replay_item *items = realloc(replay->items, capacity * sizeof(*items));

		if (!items)
			return err_set(err, ERR_OS, "out of memory");
		replay->items = items;
	}
	item = &replay->items[replay->count];
	item->text = strdup(text);
	if (!item->text)
		return err_set(err, ERR_OS, "out of memory");
	item->role = word->role;
	item->is_first = is_file && !word->is_closed && !maker->is_begun;
	item->is_padded = is_padded && !word->is_closed;
	maker->is_begun |= item->is_first;
	replay->slots += item->is_padded;
	replay->count++;
	return 0;
}

static int add_extracted(struct maker *maker, size_t index, size_t instance, const char *name,
	const struct word *word, struct err *err)
{
	AUTO_BUF path = {.bytes_max = PATH_BYTES_MAX};

	if (buf_printf(&path, err, "%s/", maker->facts->members) < 0 ||
		replay_member_folder(&path, index, instance, err) < 0 ||
		buf_printf(&path, err, "/%s", name) < 0)
		return -1;
	return add(maker, buf_text(&path), word, true, err);
}

/* How many of the names before names->items[at] are the same? */
static size_t count_before(const struct archive_names *names, size_t at)
{
	size_t count = 0;

	for (size_t i = 0; i < at; i++)
		count += strcmp(names->items[i], names->items[at]) == 0;
	return count;
}

/*
 * One member, where it can be told which; else it is left to its archive. `repeat` others of its
 * name have been met before.
 */
static int add_member(struct maker *maker, size_t index, size_t member, size_t repeat,
	const struct word *word, struct err *err)
{
	const struct archive *archive = &maker->facts->archives->items[index];
	const char *name = archive->members.items[member];
	size_t taken, there;

	archive_taken(archive, maker->facts->trace, member, &taken, &there);
	if (repeat >= there || (!word->is_whole && taken < there))
		return 0;
	if (archive->is_thin)
		return add(maker, name, word, true, err);
	return add_extracted(maker, index, there > 1 ? repeat + 1 : 0, name, word, err);
}

static size_t find_member(const struct archive *archive, const char *name)
{
	size_t i = 0;

	while (i < archive->members.count && strcmp(archive->members.items[i], name) != 0)
		i++;
	return i;
}

/* In the order in which the link met them. */
static int add_members(struct maker *maker, size_t index, const struct word *word, struct err *err)
{
	const struct archive *archive = &maker->facts->archives->items[index];
	bool is_by_trace = !word->is_whole && !archive->is_thin;
	const struct archive_names *order = is_by_trace ? &archive->loaded : &archive->members;

	for (size_t i = 0; i < order->count; i++) {
		size_t member = is_by_trace ? find_member(archive, order->items[i]) : i;

		if (member < archive->members.count &&
			add_member(maker, index, member, count_before(order, i), word, err) < 0)
			return -1;
	}
	return 0;
}

bool replay_is_small(const struct archive *archive, const struct archive_names *trace)
{
	size_t names = archive->members.count + archive->loaded.count + trace->count;

	return names == 0 ||
	       archive->members.count + archive->loaded.count <= REPLAY_WORK_MAX / names;
}

static bool is_expandable(const struct maker *maker, size_t index, const struct word *word)
{
	const struct archive *archive = &maker->facts->archives->items[index];

	if (archive->members.count == 0 || word->is_closed ||
		!replay_is_small(archive, maker->facts->trace))
		return false;
	for (size_t i = 0; i < archive->members.count; i++) {
		size_t taken, there;

		if (!archive->is_thin && (strchr(archive->members.items[i], '/') ||
						 archive->members.items[i][0] == '-'))
			return false;
		archive_taken(archive, maker->facts->trace, i, &taken, &there);
		if (there > REPLAY_SAME_NAMES_MAX || (archive->is_thin && there > 1))
			return false;
	}
	return true;
}

static int add_archive(struct maker *maker, size_t index, const struct word *word, struct err *err)
{
	const struct archive *archive = &maker->facts->archives->items[index];
	bool is_wanted = replay_wants_members(maker->facts->words, archive, maker->facts->cwd);

	if (!is_wanted || !is_expandable(maker, index, word))
		return add(maker, word->text, word,
			archive->loaded.count > 0 ||
				!words_is_system(archive->path, maker->facts->cwd),
			err);
	if (!maker->expanded[index] && add_members(maker, index, word, err) < 0)
		return -1;
	maker->expanded[index] = true;
	return word->is_whole ? 0 : add(maker, word->text, word, false, err);
}

static int add_word(struct maker *maker, const struct word *word, struct err *err)
{
	const struct replay_facts *facts = maker->facts;
	size_t index = find_archive(facts->archives, word);

	if (index < facts->archives->count)
		return add_archive(maker, index, word, err);
	return add(maker, word->text, word,
		word->role == WORDS_INPUT && !words_is_system(word->text, facts->cwd), err);
}

int replay_make(struct replay *replay, const struct replay_facts *facts, struct err *err)
{
	struct maker maker = {.replay = replay, .facts = facts};

	memset(replay, 0, sizeof(*replay));
	for (size_t i = 0; i < facts->words->count; i++)
		if (add_word(&maker, &facts->words->items[i], err) < 0) {
			replay_release(replay);
			return -1;
		}
	/* One behind everything: there comes what link-time optimisation makes. */
	replay->slots++;
	return 0;
}

/* --- the response file -------------------------------------------------------------------------
 */

/* A backslash before every byte that is not plainly harmless: all linkers read that alike. */
int replay_write_word(struct buf *out, const char *prefix, const char *word, struct err *err)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-_./+=,:";
	const char *parts[2] = {prefix, word};

	if (*prefix == '\0' && *word == '\0')
		return buf_append_str(out, "\"\"\n", err);
	for (size_t i = 0; i < 2; i++)
		for (const char *byte = parts[i]; *byte;) {
			size_t length = strspn(byte, plain);

			if (buf_append(out, byte, length, err) < 0)
				return -1;
			byte += length;
			if (*byte && (buf_append_str(out, "\\", err) < 0 ||
					     buf_append(out, byte++, 1, err) < 0))
				return -1;
		}
	return buf_append_str(out, "\n", err);
}

static int write_pad(struct buf *out, const struct replay_places *places, enum pads_kind kind,
	unsigned number, struct err *err)
{
	AUTO_BUF path = {.bytes_max = PATH_BYTES_MAX};
	char name[PADS_NAME_BYTES];

	pads_name(name, kind, number);
	if (buf_printf(&path, err, "%s/%s", places->pads, name) < 0)
		return -1;
	return replay_write_word(out, "", buf_text(&path), err);
}

void replay_keys(const struct replay *replay, uint64_t *keys)
{
	size_t slot = 0;

	for (size_t i = 0; i < replay->count; i++)
		if (replay->items[i].is_padded)
			keys[slot++] = draw_key(replay->items[i].text);
	keys[slot] = draw_key("");
}

static int write_items(struct buf *out, const struct replay *replay, const struct draw *draw,
	const struct replay_places *places, struct err *err)
{
	size_t slot = 0;

	for (size_t i = 0; i < replay->count; i++) {
		const struct replay_item *item = &replay->items[i];
		bool is_resolution = item->role == WORDS_RESOLUTION;

		if (draw && item->is_first &&
			write_pad(out, places, PADS_IS_COARSE, draw->coarse, err) < 0)
			return -1;
		if (draw && item->is_padded &&
			write_pad(out, places, PADS_IS_FINE, draw->fine[slot++], err) < 0)
			return -1;
		if (replay_write_word(
			    out, item->text, is_resolution ? places->resolution : "", err) < 0)
			return -1;
	}
	return 0;
}

int replay_text(struct buf *out, const struct replay *replay, const struct draw *draw,
	const struct replay_places *places, struct err *err)
{
	buf_clear(out);
	if (buf_append_str(out, draw ? "-S\n" : "-S\n-t\n-t\n", err) < 0 ||
		replay_write_word(out, "-o", "", err) < 0 ||
		replay_write_word(out, "", places->output, err) < 0)
		return -1;
	if (write_items(out, replay, draw, places, err) < 0)
		return -1;
	return draw ? write_pad(out, places, PADS_IS_FINE, draw->fine[replay->slots - 1], err) : 0;
}
