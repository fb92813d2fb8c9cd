/*
 * The artifact's JSON text -> struct report, or one sentence why not.
 *
 * The text is somebody else's. Depth and number of values are bounded before a parser sees it
 * (scan.h); then every member must be there once, of its kind, in its range, printable, and no
 * other, unless the document is of a newer minor. What the members say together is checked last.
 */
#ifndef RUNNER_ARTIFACT_PARSE_H
#define RUNNER_ARTIFACT_PARSE_H

#include "runner/artifact/schema.h"

#include <stddef.h>

/*
 * *report is initialised here; after an error it is empty.
 *
 * Errors: ERR_HOSTILE with the path of the member, such as "benchmarks[3].cpu.low"; ERR_OS.
 */
int parse_document(
	struct report *report, const char *text, size_t length, struct err *err) ATTR_MUST_USE;

#endif
