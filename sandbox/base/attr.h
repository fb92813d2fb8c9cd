/*
 * Compiler attributes used in this tree, each under one name.
 *
 * The AUTO_ macros release a local when it leaves its scope (gcc and clang `cleanup`): declare the
 * variable where it gets its value, and take ownership out of it with the steal_ functions.
 */
#ifndef SANDBOX_BASE_ATTR_H
#define SANDBOX_BASE_ATTR_H

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#define ATTR_MUST_USE __attribute__((warn_unused_result))
#define ATTR_PRINTF(at, first) __attribute__((format(printf, at, first)))
#define ATTR_NORETURN __attribute__((noreturn))
#define ATTR_UNUSED __attribute__((unused))
#define ATTR_CLEANUP(function) __attribute__((cleanup(function)))

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static inline void attr_close(const int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
}

static inline void attr_free(void *pointer_to_pointer)
{
	free(*(void **)pointer_to_pointer);
}

/* A descriptor closed at the end of its scope; -1 holds nothing. */
#define AUTO_FD ATTR_CLEANUP(attr_close) int
/* A malloc'ed string freed at the end of its scope; NULL holds nothing. */
#define AUTO_STR ATTR_CLEANUP(attr_free) char *

/* Take the descriptor out of *fd: it will not be closed at the end of the scope. */
static inline int steal_fd(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

/* Take the string out of *text: it will not be freed at the end of the scope. */
static inline char *steal_str(char **text)
{
	char *taken = *text;

	*text = NULL;
	return taken;
}

#endif
