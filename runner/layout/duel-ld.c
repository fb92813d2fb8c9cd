/*
 * duel-ld: stands where a build looks for its linker, records the link, runs the real linker.
 *
 * Runs inside the confined build under the name of the linker it stands for (ld, ld.lld, ...), from
 * a directory in front of COMPILER_PATH and PATH. The real linker is the next one of that name on
 * the same paths, so a cross compiler still gets its own. Whatever cannot be recorded is not: the
 * link itself always happens exactly as asked. Not recorded are links that make no program (-r,
 * --version). libc only and static: it must run in whatever a build's image holds.
 */
#include "runner/layout/record.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STORE_FREE_BYTES_MIN ((uint64_t)256 << 20) /* a full disk would break the build */
#define RESPONSE_FILES_MAX 1000                    /* one may name the next, or itself */
#define STORE_NAME_BYTES 80

extern char **environ;

struct words {
	char **items;
	size_t count, capacity;
};

/* The fields of a record, collected before it is written at once. */
struct record {
	char *bytes;
	size_t length, capacity;
	bool failed; /* out of memory or over a limit: nothing is recorded */
};

static bool words_add(struct words *words, const char *text, size_t length)
{
	char *copy;

	if (words->count >= RECORD_ARGS_MAX)
		return false;
	if (words->count == words->capacity) {
		size_t capacity = words->capacity ? 2 * words->capacity : 256;
		char **items = realloc(words->items, capacity * sizeof(*items));

		if (!items)
			return false;
		words->items = items;
		words->capacity = capacity;
	}
	copy = strndup(text, length);
	if (!copy)
		return false;
	words->items[words->count++] = copy;
	return true;
}

static void record_add(struct record *record, const char *key, const char *value)
{
	size_t length = strlen(key) + strlen(value) + 1;

	if (record->failed || length > RECORD_BYTES_MAX - record->length) {
		record->failed = true;
		return;
	}
	if (record->length + length > record->capacity) {
		size_t capacity = 2 * (record->length + length);
		char *bytes = realloc(record->bytes, capacity);

		if (!bytes) {
			record->failed = true;
			return;
		}
		record->bytes = bytes;
		record->capacity = capacity;
	}
	memcpy(record->bytes + record->length, key, strlen(key));
	memcpy(record->bytes + record->length + strlen(key), value, strlen(value) + 1);
	record->length += length;
}

/* --- files -------------------------------------------------------------------------------------
 */

/*
 * A regular file's contents, to be freed; NULL where it is something else, too large or empty.
 * Read, not mapped: another job of a parallel build may cut the file meanwhile.
 */
static unsigned char *file_read(const char *path, size_t *bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	unsigned char *contents = NULL;
	ssize_t n = 1;

	if (fd < 0)
		return NULL;
	*bytes = 0;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
		(uint64_t)status.st_size <= RECORD_STORED_MAX)
		contents = malloc((size_t)status.st_size);
	while (contents && *bytes < (size_t)status.st_size && n > 0) {
		n = read(fd, contents + *bytes, (size_t)status.st_size - *bytes);
		*bytes += n > 0 ? (size_t)n : 0;
	}
	(void)close(fd);
	if (contents && *bytes == (size_t)status.st_size)
		return contents;
	free(contents);
	return NULL;
}

static bool file_write(const char *path, const void *bytes, size_t length)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	const char *next = bytes;

	if (fd < 0)
		return false;
	while (length) {
		ssize_t n = write(fd, next, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		next += n;
		length -= (size_t)n;
	}
	(void)close(fd);
	if (length)
		(void)unlink(path);
	return length == 0;
}

/* Only has to tell the files of one build apart; what is relinked is compared byte by byte. */
static uint64_t store_hash(const unsigned char *bytes, size_t length, uint64_t hash)
{
	uint64_t word;

	for (; length >= sizeof(word); bytes += sizeof(word), length -= sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	for (; length; bytes++, length--)
		hash = (hash ^ *bytes) * UINT64_C(0x100000001b3);
	return hash ^ hash >> 32;
}

/* Keep a copy of the file at `path`; false where that was not possible. */
static bool store_put(const char *links, const char *path, char name[STORE_NAME_BYTES])
{
	char final[PATH_MAX], part[PATH_MAX];
	size_t bytes = 0;
	unsigned char *contents = file_read(path, &bytes);
	bool stored;

	if (!contents)
		return false;
	(void)snprintf(name, STORE_NAME_BYTES, "%016llx%016llx-%zx",
		(unsigned long long)store_hash(contents, bytes, 1),
		(unsigned long long)store_hash(contents, bytes, 0xcbf29ce484222325), bytes);
	stored = (size_t)snprintf(final, sizeof(final), "%s/%s/%s", links, RECORD_STORE, name) <
			 sizeof(final) &&
		 (size_t)snprintf(part, sizeof(part), "%s/%s/%s.%d", links, RECORD_STORE, name,
			 (int)getpid()) < sizeof(part);
	if (stored && access(final, F_OK) < 0)
		stored = file_write(part, contents, bytes) && rename(part, final) == 0;
	free(contents);
	return stored;
}

/* --- the command line --------------------------------------------------------------------------
 */

/* Cut the text of a response file into words, as the linkers do: quotes and backslashes. */
static bool words_add_response(struct words *words, const char *text, size_t length)
{
	char *word = malloc(length + 1);
	size_t used = 0;
	char quote = '\0';
	bool inside = false, added = true;

	for (size_t i = 0; word && i < length && added; i++) {
		char byte = text[i];

		if (byte == '\\' && i + 1 < length) {
			word[used++] = text[++i];
			inside = true;
		} else if (quote != '\0' && byte == quote) {
			quote = '\0';
		} else if (quote == '\0' && (byte == '\'' || byte == '"')) {
			quote = byte;
			inside = true;
		} else if (quote == '\0' && strchr(" \t\n\r\v\f", byte)) {
			if (inside)
				added = words_add(words, word, used);
			used = 0;
			inside = false;
		} else {
			word[used++] = byte;
			inside = true;
		}
	}
	if (word && inside && added)
		added = words_add(words, word, used);
	free(word);
	return word && added;
}

/* One pass: each @file that can be read is replaced by its words. */
static bool words_expand(const struct words *from, struct words *to, size_t *files)
{
	for (size_t i = 0; i < from->count; i++) {
		const char *word = from->items[i];
		size_t bytes = 0;
		char *text = word[0] == '@' ? (char *)file_read(word + 1, &bytes) : NULL;
		bool added = text ? words_add_response(to, text, bytes)
				  : words_add(to, word, strlen(word));

		*files += text != NULL;
		free(text);
		if (!added)
			return false;
	}
	return true;
}

static bool arguments_read(char **argv, struct words *arguments)
{
	size_t files = 0, before;

	for (; *argv; argv++)
		if (!words_add(arguments, *argv, strlen(*argv)))
			return false;
	do {
		struct words next = {NULL, 0, 0};

		before = files;
		if (!words_expand(arguments, &next, &files) || files > RESPONSE_FILES_MAX)
			return false;
		*arguments = next;
	} while (files != before);
	return true;
}

static bool is_one_of(const char *word, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(word, *list) == 0)
			return true;
	return false;
}

/* The output's name; NULL where the link makes no program or library. */
static const char *arguments_output(const struct words *arguments)
{
	static const char *const partial[] = {
		"-r", "-i", "-Ur", "--relocatable", "-relocatable", "-run", "--run", NULL};
	static const char *const named[] = {"-o", "--output", "-output", NULL};
	const char *output = "a.out";
	size_t inputs = 0;

	for (size_t i = 0; i < arguments->count; i++) {
		const char *word = arguments->items[i];

		if (is_one_of(word, partial))
			return NULL;
		if (is_one_of(word, named) && i + 1 < arguments->count)
			output = arguments->items[++i];
		else if (strncmp(word, "--output=", 9) == 0)
			output = word + 9;
		else if (strncmp(word, "-o", 2) == 0 && word[2] != '\0')
			output = word + 2;
		else if (word[0] != '-' || strncmp(word, "-l", 2) == 0)
			inputs++;
	}
	return inputs ? output : NULL;
}

/* --- the record --------------------------------------------------------------------------------
 */

static bool is_system(const char *path)
{
	static const char *const folders[] = {"/usr/", "/lib/", "/lib32/", "/lib64/", "/nix/"};

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (strncmp(path, folders[i], strlen(folders[i])) == 0)
			return true;
	return false;
}

/* Does the file lie where compilers put what they delete after the link? */
static bool is_temporary(const char *path)
{
	const char *folders[] = {getenv("TMPDIR"), "/tmp", "/var/tmp"};
	const char *slash = strrchr(path, '/');

	for (size_t i = 0; slash && i < sizeof(folders) / sizeof(folders[0]); i++) {
		size_t length = folders[i] ? strlen(folders[i]) : 0;

		while (length > 1 && folders[i][length - 1] == '/')
			length--;
		if (length && length == (size_t)(slash - path) &&
			strncmp(path, folders[i], length) == 0)
			return true;
	}
	return false;
}

static void record_environment(struct record *record)
{
	static const char *const kept[] = {"COLLECT_", "COMPILER_PATH=", "GCC_EXEC_PREFIX=",
		"GNUTARGET=", "LANG=", "LC_ALL=", "LDEMULATION=", "LD_LIBRARY_PATH=",
		"LD_RUN_PATH=", "LIBRARY_PATH=", "PATH=", "SOURCE_DATE_EPOCH="};

	for (char **variable = environ; *variable; variable++)
		for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
			if (strncmp(*variable, kept[i], strlen(kept[i])) == 0)
				record_add(record, "env=", *variable);
}

static void record_arguments(
	struct record *record, const char *links, const struct words *arguments, const char *output)
{
	char stored[STORE_NAME_BYTES];

	for (size_t i = 0; i < arguments->count; i++) {
		const char *word = arguments->items[i];

		if (word[0] != '-' && word != output && !is_system(word) &&
			store_put(links, word, stored))
			record_add(record, is_temporary(word) ? "temporary=" : "copy=", stored);
		record_add(record, "arg=", word);
	}
}

/* The inputs, before the link: the linker may be followed by whoever deletes them. */
static bool record_inputs(
	struct record *inputs, const char *links, const struct words *arguments, const char *output)
{
	struct statvfs space;

	if (statvfs(links, &space) < 0 ||
		(uint64_t)space.f_bavail * space.f_frsize < STORE_FREE_BYTES_MIN)
		return false;
	record_environment(inputs);
	record_arguments(inputs, links, arguments, output);
	return !inputs->failed;
}

static void record_write(
	const char *links, const char *linker, const char *output, const struct record *inputs)
{
	struct record record = {NULL, 0, 0, false};
	char cwd[PATH_MAX], part[PATH_MAX], final[PATH_MAX], stored[STORE_NAME_BYTES];
	struct timespec now;

	if (!getcwd(cwd, sizeof(cwd)) || clock_gettime(CLOCK_REALTIME, &now) < 0 ||
		!store_put(links, output, stored))
		return;
	record_add(&record, RECORD_MAGIC, "");
	record_add(&record, "linker=", linker);
	record_add(&record, "cwd=", cwd);
	record_add(&record, "output=", output);
	record_add(&record, "stored=", stored);
	if ((size_t)snprintf(final, sizeof(final), "%s/%016llx%08lx-%d%s", links,
		    (unsigned long long)now.tv_sec, (unsigned long)now.tv_nsec, (int)getpid(),
		    RECORD_SUFFIX) >= sizeof(final) ||
		(size_t)snprintf(part, sizeof(part), "%s.part", final) >= sizeof(part))
		return;
	record.failed |= inputs->length > RECORD_BYTES_MAX - record.length;
	if (!record.failed) {
		char *bytes = realloc(record.bytes, record.length + inputs->length + 1);

		if (!bytes)
			return;
		memcpy(bytes + record.length, inputs->bytes, inputs->length);
		if (file_write(part, bytes, record.length + inputs->length))
			(void)rename(part, final);
	}
}

/* --- the real linker ---------------------------------------------------------------------------
 */

/* Look for `name` in the folders of `list`, ourselves under whatever name left out. */
static bool find_in(const char *list, const char *name, const struct stat *self, char *path)
{
	while (list) {
		size_t length = strcspn(list, ":");
		struct stat status;

		if (length &&
			(size_t)snprintf(path, PATH_MAX, "%.*s/%s", (int)length, list, name) <
				PATH_MAX &&
			stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
			access(path, X_OK) == 0 &&
			!(status.st_dev == self->st_dev && status.st_ino == self->st_ino))
			return true;
		list = list[length] != '\0' ? list + length + 1 : NULL;
	}
	return false;
}

static bool find_linker(const char *argv0, char *path)
{
	const char *slash = strrchr(argv0, '/');
	const char *name = slash ? slash + 1 : argv0;
	struct stat self;

	if (stat("/proc/self/exe", &self) < 0 && stat(argv0, &self) < 0)
		memset(&self, 0, sizeof(self));
	return find_in(getenv("COMPILER_PATH"), name, &self, path) ||
	       find_in(getenv("PATH"), name, &self, path) ||
	       find_in("/usr/local/bin:/usr/bin:/bin", name, &self, path);
}

/* Is the output a new one? A link that only prints something leaves an older one alone. */
static bool is_written(const char *output, const struct stat *before)
{
	struct stat after;

	return stat(output, &after) == 0 && S_ISREG(after.st_mode) &&
	       !(after.st_ino == before->st_ino && after.st_size == before->st_size &&
		       after.st_mtim.tv_sec == before->st_mtim.tv_sec &&
		       after.st_mtim.tv_nsec == before->st_mtim.tv_nsec);
}

/* Run the linker and wait; the status an exiting parent should show for it. */
static int run(const char *linker, char **argv)
{
	pid_t pid;
	int status, error = posix_spawn(&pid, linker, NULL, NULL, argv, environ);

	if (error) {
		(void)fprintf(stderr, "%s: %s\n", linker, strerror(error));
		return 127;
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 127;
	if (WIFSIGNALED(status)) {
		/* Ours is to end as it did: the compiler says which signal it was. */
		(void)signal(WTERMSIG(status), SIG_DFL);
		(void)raise(WTERMSIG(status));
		return 128 + WTERMSIG(status);
	}
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	const char *links = getenv(RECORD_VARIABLE);
	struct words arguments = {NULL, 0, 0};
	struct record inputs = {NULL, 0, 0, false};
	const char *output = NULL;
	char linker[PATH_MAX];
	struct stat before;
	bool recorded;
	int status;

	if (argc < 1 || !find_linker(argv[0], linker)) {
		(void)fprintf(stderr, "duel-ld: there is no linker called '%s' on this machine\n",
			argc < 1 ? "" : argv[0]);
		return 127;
	}
	argv[0] = linker;
	if (links && *links && arguments_read(argv + 1, &arguments))
		output = arguments_output(&arguments);
	recorded = output && record_inputs(&inputs, links, &arguments, output);
	if (!recorded) {
		(void)execv(linker, argv);
		(void)fprintf(stderr, "%s: %s\n", linker, strerror(errno));
		return 127;
	}
	memset(&before, 0, sizeof(before));
	(void)stat(output, &before);
	status = run(linker, argv);
	if (status == 0 && is_written(output, &before))
		record_write(links, linker, output, &inputs);
	return status;
}
