/*
 * What each word of a recorded link is: record -> words that can be linked again elsewhere.
 *
 * Between links and replay. The output's name is taken out, files that the linker would write
 * beside it are dropped, inputs that are gone are replaced by their copies. The options are those
 * of GNU ld, gold, lld and mold.
 */
#ifndef RUNNER_LAYOUT_WORDS_H
#define RUNNER_LAYOUT_WORDS_H

#include "runner/layout/links.h"

#include <stdbool.h>
#include <stddef.h>

enum words_role {
	WORDS_OPTION,     /* or an option's value */
	WORDS_INPUT,      /* a file the linker loads */
	WORDS_LIBRARY,    /* -lNAME */
	WORDS_RESOLUTION, /* the LTO plugin's scratch file: named anew for each link */
};

struct word {
	char *text; /* owned; of WORDS_RESOLUTION what stands before the file's name */
	enum words_role role;
	bool is_whole;  /* between --whole-archive and its end */
	bool is_closed; /* no object may be put in front: --start-lib, another input format */
};

struct words {
	struct word *items; /* owned array */
	size_t count;
	bool drops_unused;    /* --gc-sections */
	bool hides_libraries; /* --exclude-libs: a member named alone would be exported */
};

/*
 * `copies` is the store as the link sees it. `always` uses every copy there is, else only those of
 * files that lay where compilers put what they delete. Errors: ERR_OS; then nothing is owned.
 */
int words_make(struct words *words, const struct links_record *record, const char *copies,
	bool always, struct err *err) ATTR_MUST_USE;
void words_release(struct words *words); /* accepts a zeroed one */

/* Does the path lie with the system's own files, as the link sees it from `cwd`? */
bool words_is_system(const char *path, const char *cwd);

#endif
