/*
 * Files a build needs, carried inside the program, so that one binary is enough.
 *
 * embedded_install() puts duel.h and what it includes into a directory; the build finds it by the
 * environment variable DUEL_INCLUDE.
 */
#ifndef RUNNER_EMBEDDED_H
#define RUNNER_EMBEDDED_H

#include "sandbox/base/err.h"

/* Write the headers into `directory`, which exists. Errors: ERR_OS with the path. */
int embedded_install(const char *directory, struct err *err) ATTR_MUST_USE;

#endif
