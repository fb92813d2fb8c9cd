/*
 * The links that a build recorded: record directory -> struct links.
 *
 * Comes first of what replays links; duel-ld wrote the records (record.h). They lay where the build
 * could write, so every byte is hostile: lengths and counts are bounded, names of copies can only
 * mean files of the store, links are not followed. A record that breaks a rule is left out and
 * counted. What a record says to run is run only inside the version's own confinement.
 */
#ifndef RUNNER_LAYOUT_LINKS_H
#define RUNNER_LAYOUT_LINKS_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"

#include <stdbool.h>
#include <stddef.h>

#define LINKS_MAX 2048                      /* of more records the newest are kept */
#define LINKS_BYTES_MAX ((size_t)128 << 20) /* all records of one build together */
#define LINKS_ENV_MAX 64
#define LINKS_TEXT_BYTES_MAX 131072 /* one string of a record, as the kernel limits an argument */
#define LINKS_STORED_BYTES_MAX 80   /* a copy's name */

struct links_arg {
	const char *text;  /* borrowed from the record's bytes */
	const char *copy;  /* borrowed; the copy of the file it names, NULL = none was made */
	bool is_temporary; /* the file is gone by now: use the copy */
};

struct links_record {
	char *bytes; /* owned: the record, which all strings point into */
	const char *linker, *cwd, *output, *stored;
	struct links_arg *args; /* owned array; without argv[0] */
	size_t args_count;
	const char *env[LINKS_ENV_MAX + 1]; /* NULL-terminated */
	size_t env_count;
};

struct links {
	struct links_record *items; /* owned array; oldest first */
	size_t count;
	size_t refused; /* records that broke a rule */
};

/* Accept zeroed ones. */
void links_record_release(struct links_record *record);
void links_release(struct links *links);

/*
 * Take one record apart. Errors: ERR_BUILD, saying which rule it breaks; then nothing is owned.
 */
int links_parse(struct links_record *record, const char *bytes, size_t length,
	struct err *err) ATTR_MUST_USE;

/*
 * Read the records of the directory. A directory without records, or none, is no error.
 * Errors: ERR_OS.
 */
int links_read(struct links *links, int folder_fd, struct err *err) ATTR_MUST_USE;

/* Is it a name that duel-ld gives to a copy? */
bool links_is_stored_name(const char *name);

#endif
