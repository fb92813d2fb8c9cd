/*
 * Numbers as people read them: times with units, ratios as percent, intervals.
 *
 * Pure; ASCII but for the micro sign and the infinity sign. A ratio of 0 is unknown and shown as a
 * dash; one of SCHEMA_RATIO_MAX has no bound.
 */
#ifndef RUNNER_REPORT_FIGURES_H
#define RUNNER_REPORT_FIGURES_H

#include "runner/artifact/schema.h"

#define FIGURES_BYTES 48

struct figure {
	char text[FIGURES_BYTES];
};

struct figure figures_time(double ns);                          /* "12.3 µs" */
struct figure figures_seconds(double seconds);                  /* "0.42 s" */
struct figure figures_percent(double ratio);                    /* "+3.1 %", of 1.031 */
struct figure figures_interval(const struct report_ratio *cpu); /* "[+2.6, +3.7]", percent */
struct figure figures_ratio(double ratio);                      /* "1.031" */
struct figure figures_ratios(const struct report_ratio *cpu);   /* "1.031 [1.026, 1.037]" */
struct figure figures_limit(double ratio);                      /* "+2 %", of 1.02 */
struct figure figures_confidence(double confidence);            /* "99 %" */
struct figure figures_noise(double log_ratio);                  /* "0.31 %" */

#endif
