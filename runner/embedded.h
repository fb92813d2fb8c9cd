/*
 * Files a build needs, carried inside the program, so that one binary is enough.
 */
#ifndef RUNNER_EMBEDDED_H
#define RUNNER_EMBEDDED_H

#include <stddef.h>

/* runner/include/duel.h, as it was when this program was built. */
extern const char embedded_duel_h[];
extern const char embedded_duel_h_end[];

#endif
