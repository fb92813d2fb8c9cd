/*
 * How many columns a text takes on a terminal, so that tables line up with names in any script.
 *
 * The text is well-formed UTF-8 without controls (text.h). Wide characters are those of East Asian
 * Width W and F (Unicode 15, UAX 11), in ranges; combining marks take none.
 */
#ifndef RUNNER_REPORT_WIDTH_H
#define RUNNER_REPORT_WIDTH_H

#include <stddef.h>

size_t width_columns(const char *text);

#endif
