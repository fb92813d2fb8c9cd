/*
 * What the members of a report say together: the last question before it is believed.
 */
#ifndef RUNNER_ARTIFACT_VALIDATE_H
#define RUNNER_ARTIFACT_VALIDATE_H

#include "runner/artifact/schema.h"

/* Names there and unique, intervals about their ratio, visits in order, rules where there are
 * pairs. Errors: ERR_HOSTILE with the path; ERR_OS. */
int validate_report(const struct report *report, struct err *err) ATTR_MUST_USE;

#endif
