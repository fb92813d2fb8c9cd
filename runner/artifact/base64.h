/*
 * 32-bit numbers as base64 text (RFC 4648, section 4) and back: how the artifact holds raw pairs.
 *
 * Least significant byte first, whatever the machine. Only the one text that base64_pack() gives
 * for some numbers is read back: padding in full, no blanks, no bits left over.
 */
#ifndef RUNNER_ARTIFACT_BASE64_H
#define RUNNER_ARTIFACT_BASE64_H

#include "sandbox/base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The text of `count` numbers, a string the caller frees; NULL = out of memory. */
char *base64_pack(const uint32_t *numbers, size_t count) ATTR_MUST_USE;

/* False where the text is no packed numbers or holds more than `max`; then *count is undefined. */
bool base64_unpack(const char *text, uint32_t *numbers, size_t max, size_t *count) ATTR_MUST_USE;

#endif
