/*
 * Text somebody else wrote: strict numbers, well-formed UTF-8, nothing that acts on a terminal.
 */
#ifndef SANDBOX_BASE_TEXT_H
#define SANDBOX_BASE_TEXT_H

#include "sandbox/base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Digits only, whole string, in range: no sign, no blanks, no leading plus. */
bool text_to_u64(const char *text, uint64_t max, uint64_t *out);

/* A finite decimal number, whole string. */
bool text_to_double(const char *text, double *out);

/*
 * Is it well-formed UTF-8 (no overlong form, no surrogate, at most U+10FFFF) without control
 * characters, bidirectional controls, zero-width and other invisible characters?
 */
bool text_is_plain(const char *bytes, size_t length);

/* Put '?' in place of every byte that text_is_plain() would refuse; newline and tab become blanks.
 */
void text_make_printable(char *text);

/* The same, but newlines and tabs stay: for log tails of several lines. */
void text_make_printable_lines(char *text);

/* Copy with a bound; false where it did not fit (then dst holds what did). dst is always
 * terminated. */
bool text_copy(char *dst, size_t dst_bytes, const char *src);

/* Shell-style match of a whole string: '*' any run, '?' one byte, "**" as '*'. Linear in
 * |text|*|pattern|. */
bool text_matches(const char *pattern, const char *text);

/*
 * As text_matches() for paths: '*' and '?' stop at '/', "**" does not. "**" that is a whole part of
 * the path takes whole parts, or none. A pattern that ends in '/' matches all that is below.
 */
bool text_matches_path(const char *pattern, const char *path);

/*
 * The one of `names` a mistyped `word` most likely meant, NULL where none is near. Counts inserted,
 * removed and changed bytes; a third of the word may be wrong.
 */
const char *text_nearest(const char *word, const char *const *names, size_t names_count);

#endif
