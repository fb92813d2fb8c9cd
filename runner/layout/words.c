#include "runner/layout/words.h"

#include "sandbox/base/buf.h"

#include <string.h>

#define TEXT_BYTES_MAX (LINKS_TEXT_BYTES_MAX + 8192u)

#define STATES_MAX 32 /* --push-state within --push-state */

/* One or two dashes in front, the value in the next word. */
static const char *const with_value[] = {"A", "F", "G", "I", "L", "P", "R", "T", "Tbss", "Tdata",
	"Trodata-segment", "Tldata-segment", "Ttext", "Ttext-segment", "Y", "a", "architecture",
	"assert", "audit", "auxiliary", "b", "c", "call-graph-ordering-file", "chroot", "dT",
	"default-script", "defsym", "depaudit", "dynamic-linker", "dynamic-list", "e", "entry",
	"exclude-libs", "export-dynamic-symbol", "export-dynamic-symbol-list", "f", "filter",
	"fini", "format", "gpsize", "h", "hash-size", "hash-style", "image-base", "init",
	"just-symbols", "l", "library", "library-path", "m", "max-cache-size", "mllvm",
	"mri-script", "oformat", "orphan-handling", "package-metadata", "plugin", "plugin-opt",
	"remap-inputs", "remap-inputs-file", "require-defined", "retain-symbols-file", "rpath",
	"rpath-link", "script", "section-ordering-file", "section-start", "soname", "sort-section",
	"symbol-ordering-file", "sysroot", "task-link", "trace-symbol", "u", "undefined",
	"unresolved-symbols", "version-script", "wrap", "y", "z", NULL};

/* The values of these are files. */
static const char *const with_file[] = {"T", "c", "call-graph-ordering-file", "dT",
	"default-script", "dynamic-list", "export-dynamic-symbol-list", "mri-script",
	"remap-inputs-file", "retain-symbols-file", "script", "section-ordering-file",
	"symbol-ordering-file", "version-script", NULL};

/* They name further files to write, or only say how to report: the value is the next word. */
static const char *const dropped_with_value[] = {"Map", "dependency-file", "o", "out-implib",
	"output", "print-archive-stats", "print-symbol-order", "reproduce", "thinlto-cache-dir",
	"thinlto-index-only", "lto-obj-path", "time-trace-file", NULL};

/* -S is put back for every link: what is not loaded need not be linked, but symbols must stay. */
static const char *const dropped[] = {"M", "S", "gdb-index", "print-map", "s", "stats", "strip-all",
	"strip-debug", "t", "time-trace", "trace", NULL};

static bool is_listed(const char *name, size_t length, const char *const *list)
{
	for (; *list; list++)
		if (strlen(*list) == length && strncmp(*list, name, length) == 0)
			return true;
	return false;
}

/* The option without its dashes, up to a '='; NULL where the word is none. */
static const char *option_name(const char *word, size_t *length)
{
	if (word[0] != '-' || word[1] == '\0')
		return NULL;
	word += word[1] == '-' ? 2 : 1;
	*length = strcspn(word, "=");
	return word;
}

static bool is_option(const char *word, const char *name)
{
	size_t length;
	const char *own = option_name(word, &length);

	return own && strcmp(own, name) == 0;
}

void words_release(struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->items[i].text);
	free(words->items);
	memset(words, 0, sizeof(*words));
}

/* Folders above are no way out: "/usr/../tmp" is judged by what it means. */
static bool is_below_system(const char *path)
{
	static const char *const folders[] = {
		"/usr/", "/lib/", "/lib32/", "/lib64/", "/bin/", "/nix/"};
	size_t depth = 0;

	for (size_t i = 0; i < ARRAY_LENGTH(folders); i++) {
		const char *part = path + strlen(folders[i]);

		if (strncmp(path, folders[i], strlen(folders[i])) != 0)
			continue;
		while (*part) {
			size_t length = strcspn(part, "/");

			if (length == 2 && strncmp(part, "..", 2) == 0) {
				if (depth-- == 0)
					return false;
			} else if (length && !(length == 1 && *part == '.')) {
				depth++;
			}
			part += length + (part[length] == '/');
		}
		return true;
	}
	return false;
}

bool words_is_system(const char *path, const char *cwd)
{
	return path[0] == '/' ? is_below_system(path) : is_below_system(cwd);
}

/* --- one word ----------------------------------------------------------------------------------
 */

struct reader {
	struct words *words;
	const struct links_record *record;
	const char *copies;
	bool always;
	bool is_whole, is_lazy, is_foreign;
	bool pushed_whole[STATES_MAX]; /* by --push-state */
	size_t pushed_count;
};

static int add(struct reader *reader, const char *text, enum words_role role, struct err *err)
{
	struct words *words = reader->words;
	struct word *word = &words->items[words->count];

	word->text = strdup(text);
	if (!word->text)
		return err_set(err, ERR_OS, "out of memory");
	word->role = role;
	word->is_whole = reader->is_whole;
	word->is_closed = reader->is_lazy || reader->is_foreign;
	words->count++;
	return 0;
}

/* A shared library is loaded by the name it had: it is never replaced by a copy. */
static int add_file(
	struct reader *reader, const struct links_arg *arg, enum words_role role, struct err *err)
{
	AUTO_BUF path = {.bytes_max = TEXT_BYTES_MAX};
	bool is_shared = strstr(arg->text, ".so") != NULL;

	if (!arg->copy || is_shared || !(arg->is_temporary || reader->always))
		return add(reader, arg->text, role, err);
	if (buf_printf(&path, err, "%s/%s", reader->copies, arg->copy) < 0)
		return -1;
	return add(reader, buf_text(&path), role, err);
}

/* Linkers read "elf64-x86-64", "elf" and "default" as what objects usually are. */
static bool is_foreign_format(const char *format)
{
	return strncmp(format, "elf", 3) != 0 && strcmp(format, "default") != 0;
}

static void note_state(struct reader *reader, const char *word, const char *value)
{
	size_t length = 0;
	const char *name = option_name(word, &length);

	if (is_option(word, "whole-archive"))
		reader->is_whole = true;
	else if (is_option(word, "no-whole-archive"))
		reader->is_whole = false;
	else if (is_option(word, "push-state") && reader->pushed_count < STATES_MAX)
		reader->pushed_whole[reader->pushed_count++] = reader->is_whole;
	else if (is_option(word, "pop-state") && reader->pushed_count > 0)
		reader->is_whole = reader->pushed_whole[--reader->pushed_count];
	else if (is_option(word, "start-lib"))
		reader->is_lazy = true;
	else if (is_option(word, "end-lib"))
		reader->is_lazy = false;
	else if (is_option(word, "gc-sections"))
		reader->words->drops_unused = true;
	else if (is_option(word, "no-gc-sections"))
		reader->words->drops_unused = false;
	else if (length == strlen("exclude-libs") && strncmp(name, "exclude-libs", length) == 0)
		reader->words->hides_libraries = true;
	else if (value && (is_option(word, "b") || is_option(word, "format")))
		reader->is_foreign = is_foreign_format(value);
	else if (length == strlen("format") && strncmp(name, "format=", length + 1) == 0)
		reader->is_foreign = is_foreign_format(name + length + 1);
}

/* What stands before the name of the plugin's scratch file; NULL where the word names none. */
static const char *resolution_prefix(const char *word)
{
	static const char *const prefixes[] = {
		"-plugin-opt=-fresolution=", "--plugin-opt=-fresolution=", "-fresolution="};

	for (size_t i = 0; i < ARRAY_LENGTH(prefixes); i++)
		if (strncmp(word, prefixes[i], strlen(prefixes[i])) == 0)
			return prefixes[i];
	return NULL;
}

/* "-oNAME", "--output=NAME", "-Map=NAME": a value in the word itself. */
static bool is_dropped_alone(const char *word, const char *name, size_t length)
{
	if (is_listed(name, length, dropped))
		return name[length] == '\0';
	if (name[length] == '=' && is_listed(name, length, dropped_with_value))
		return true;
	if (strncmp(name, "plugin-opt=", 11) == 0)
		return strncmp(name + 11, "obj-path=", 9) == 0 ||
		       strncmp(name + 11, "cache-dir=", 10) == 0 ||
		       strncmp(name + 11, "save-temps", 10) == 0;
	return word[0] == '-' && word[1] == 'o' && word[2] != '\0';
}

/* The option at *at and its value, if that is the next word. */
static int read_option(struct reader *reader, size_t *at, struct err *err)
{
	const struct links_arg *args = reader->record->args;
	const char *word = args[*at].text;
	size_t length = 0;
	const char *name = option_name(word, &length);
	const struct links_arg *value = *at + 1 < reader->record->args_count ? &args[*at + 1]
									     : NULL;

	if (value && name[length] == '\0' && is_listed(name, length, dropped_with_value)) {
		++*at;
		return 0;
	}
	if (is_dropped_alone(word, name, length))
		return 0;
	if (resolution_prefix(word))
		return add(reader, resolution_prefix(word), WORDS_RESOLUTION, err);
	if (!value || name[length] != '\0' || !is_listed(name, length, with_value)) {
		note_state(reader, word, NULL);
		return add(reader, word,
			word[1] == 'l' && word[2] != '\0' ? WORDS_LIBRARY : WORDS_OPTION, err);
	}
	++*at;
	note_state(reader, word, value->text);
	if (add(reader, word, WORDS_OPTION, err) < 0)
		return -1;
	if (resolution_prefix(value->text))
		return add(reader, resolution_prefix(value->text), WORDS_RESOLUTION, err);
	if (is_listed(name, length, with_file))
		return add_file(reader, value, WORDS_OPTION, err);
	return add(reader, value->text, WORDS_OPTION, err);
}

int words_make(struct words *words, const struct links_record *record, const char *copies,
	bool always, struct err *err)
{
	struct reader reader = {
		.words = words, .record = record, .copies = copies, .always = always};

	memset(words, 0, sizeof(*words));
	words->items = calloc(record->args_count + 1, sizeof(*words->items));
	if (!words->items)
		return err_set(err, ERR_OS, "out of memory");
	for (size_t i = 0; i < record->args_count; i++) {
		const struct links_arg *arg = &record->args[i];
		size_t length;
		int result = option_name(arg->text, &length)
				     ? read_option(&reader, &i, err)
				     : add_file(&reader, arg, WORDS_INPUT, err);

		if (result < 0) {
			words_release(words);
			return -1;
		}
	}
	return 0;
}
