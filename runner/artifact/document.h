/*
 * struct report -> the artifact's JSON text, member by member of fields.h.
 *
 * What no reader would take is made so that it does: texts are cut and made printable, numbers put
 * into their range (not a number: 0). A run's result is worth more than one odd figure in it.
 */
#ifndef RUNNER_ARTIFACT_DOCUMENT_H
#define RUNNER_ARTIFACT_DOCUMENT_H

#include "runner/artifact/schema.h"
#include "sandbox/base/buf.h"

#include <stdbool.h>

/* Appends to `out`; `pretty` for people, else as small as it gets. Errors: ERR_LIMIT, ERR_OS. */
int document_write(
	struct buf *out, const struct report *report, bool pretty, struct err *err) ATTR_MUST_USE;

#endif
