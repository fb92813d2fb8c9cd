/*
 * struct report -> JSON text, member by member of fields.h: the artifact's, and the results'.
 *
 * What no reader would take is made so that it does: texts are cut and made printable, numbers put
 * into their range (not a number: 0). A run's result is worth more than one odd figure in it.
 */
#ifndef RUNNER_ARTIFACT_DOCUMENT_H
#define RUNNER_ARTIFACT_DOCUMENT_H

#include "runner/artifact/schema.h"
#include "sandbox/base/buf.h"

enum document_form {
	DOCUMENT_ARTIFACT, /* all of it, as small as it gets */
	DOCUMENT_RESULTS,  /* for programs that want verdicts: indented, numbers of pairs for pairs
			    */
};

/* Appends to `out`. Errors: ERR_LIMIT, ERR_OS. */
int document_write(struct buf *out, const struct report *report, enum document_form form,
	struct err *err) ATTR_MUST_USE;

#endif
