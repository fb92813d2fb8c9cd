/*
 * Every verdict of a run, from the raw pairs in its report: the last stage before the artifact.
 *
 * The pipeline calls it at its end, `duel judge` on a stored report, `duel merge` on several: one
 * code path, so that a stored run judged again gives the same verdicts to the byte. Deterministic;
 * no clock, no file. The judge's own rules are in stats/, what limits its word in verdict.h.
 */
#ifndef RUNNER_DECIDE_H
#define RUNNER_DECIDE_H

#include "runner/artifact/schema.h"
#include "runner/stats/series.h"
#include "runner/verdict.h" /* verdict_exit_status(): what a command ends with */

/* The rules a benchmark is judged by, also while it is measured. */
void decide_rules(struct judge_rules *rules, const struct report_benchmark *benchmark);

/*
 * Those of all benchmarks together; numbers of pairs are the largest of the benchmarks that
 * decide_pooled() takes.
 */
void decide_across_rules(struct judge_rules *rules, const struct report *report);

/*
 * Does this benchmark's time count for the run as a whole? Not where its verdict is a fact, where
 * counts alone decide, or while it has no pairs.
 */
bool decide_pooled(const struct report_benchmark *benchmark);

/*
 * The series that all benchmarks together are judged by; `series` has room for every benchmark.
 * Where the layouts of some were varied, only theirs: elsewhere time alone shows too little; where
 * none were, *is_fixed. Returns how many.
 */
size_t decide_across_series(struct series *series, const struct report *report, bool *is_fixed);

/*
 * Fill in of each benchmark: verdict, reason, cpu, smallest_loss, confirmed, bimodal, drifting; of
 * the run: null_trusted, null_reason, noise_floor, the across members, and verdict.
 *
 * Kept as they are: benchmarks whose verdict is error, added or removed; failure, and with it a run
 * that failed or was skipped as a whole. Errors: ERR_OS.
 */
int decide_report(struct report *report, struct err *err) ATTR_MUST_USE;

#endif
