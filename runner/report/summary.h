/*
 * What a report says at a glance: the sentence that comes first, counts, and the order of rows.
 *
 * Shared by the text and the Markdown report. Own words only: foreign text (failure, reasons) is
 * left to the caller, who knows how to make it inert.
 */
#ifndef RUNNER_REPORT_SUMMARY_H
#define RUNNER_REPORT_SUMMARY_H

#include "runner/artifact/schema.h"

#include <stddef.h>
#include <stdint.h>

#define SUMMARY_BYTES 400

struct summary {
	uint32_t verdicts[VERDICT_COUNT]; /* how many benchmarks have each */
	uint32_t compared;                /* neither added nor removed */
	uint32_t identical;               /* of these, the same code on both sides */
	uint32_t judged;                  /* those with a limit: behind the next two */
	double limit_low, limit_high;     /* least and greatest limit of CPU time */
	uint32_t losses;                  /* benchmarks whose smallest loss is known */
	double loss_median, loss_worst;
	uint32_t worst; /* index of the benchmark with the worst */
	uint32_t layouts[LAYOUT_STATES];
	uint32_t *order; /* owned: all benchmarks, what matters most first; `same` last */
};

/* Errors: ERR_OS. */
int summary_make(
	struct summary *summary, const struct report *report, struct err *err) ATTR_MUST_USE;
void summary_release(struct summary *summary);

/* The first sentence: "regressed: 2 of 12 benchmarks are slower (limit +2 %)". */
void summary_headline(
	char text[SUMMARY_BYTES], const struct summary *summary, const struct report *report);

/* "same, +0.1 % [-0.1, +0.3], limit +0.5 %": all benchmarks together. */
void summary_across(char text[SUMMARY_BYTES], const struct report *report);

/* "CPU time +2 %, all together +0.5 %, confidence 99 %". */
void summary_limits(
	char text[SUMMARY_BYTES], const struct summary *summary, const struct report *report);

/* "varied: ..." without the reasons why some were not. */
void summary_layout(char text[SUMMARY_BYTES], const struct summary *summary);

/* Why layouts were not varied: up to `max` different reasons, in order. Gives how many. */
size_t summary_layout_reasons(const char **reasons, size_t max, const struct report *report);

#define AUTO_SUMMARY ATTR_CLEANUP(summary_release) struct summary

#endif
