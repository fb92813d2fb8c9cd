#include "runner/verdict.h"

#include "runner/report/figures.h"
#include "sandbox/base/err.h"

#include <stdarg.h>
#include <stdio.h>

static void say(struct verdict_said *said, enum verdict verdict, const char *format, ...)
	ATTR_PRINTF(3, 4);

static void say(struct verdict_said *said, enum verdict verdict, const char *format, ...)
{
	va_list args;

	said->verdict = verdict;
	va_start(args, format);
	(void)vsnprintf(said->reason, sizeof(said->reason), format, args);
	va_end(args);
}

static const char *change(enum verdict verdict)
{
	return verdict == VERDICT_SLOWER ? "slowdown" : "gain";
}

static bool is_change(enum verdict verdict)
{
	return verdict == VERDICT_SLOWER || verdict == VERDICT_FASTER;
}

/* Why the judge could not settle it, and what would help. */
static void say_unsettled(struct verdict_said *said, const struct verdict_evidence *evidence)
{
	const struct judge_result *time = evidence->time;
	const char *first = time->direction > 0   ? "slower in the first measurement; "
			    : time->direction < 0 ? "faster in the first measurement; "
						  : "";

	if (time->settled)
		say(said, VERDICT_UNSETTLED, "%stoo close to the limit to settle in %u pairs",
			first, time->pairs_total);
	else if (evidence->pairs_missing <= evidence->benchmark->pairs_max)
		say(said, VERDICT_UNSETTLED,
			"%sthe time was over after %u pair%s, about %u more would settle it", first,
			time->pairs_total, time->pairs_total == 1 ? "" : "s",
			evidence->pairs_missing);
	else
		say(said, VERDICT_UNSETTLED,
			"%sthe time was over after %u pair%s; more of it would hardly settle this",
			first, time->pairs_total, time->pairs_total == 1 ? "" : "s");
}

static void say_time(struct verdict_said *said, const struct verdict_evidence *evidence)
{
	const struct report_benchmark *benchmark = evidence->benchmark;
	enum verdict time = evidence->time->verdict;
	bool fixed = benchmark->layout == LAYOUT_FIXED;

	if (time == VERDICT_UNSETTLED)
		say_unsettled(said, evidence);
	else if (is_change(time) && fixed && !evidence->strict)
		say(said, VERDICT_UNSETTLED,
			"layout not varied: %s; a %s seen by time alone may be layout",
			benchmark->layout_reason, change(time));
	else if (is_change(time) && fixed)
		say(said, time, "layout not varied: %s; strict: time alone decides",
			benchmark->layout_reason);
	else if (time == VERDICT_SAME && evidence->time->direction != 0)
		say(said, time, "%s in the first measurement, not met again in fresh processes",
			evidence->time->direction > 0 ? "slower" : "faster");
	else if (time == VERDICT_ERROR)
		say(said, time, "its limit, alpha or numbers of pairs are out of range");
	else
		say(said, time, "%s", "");
}

void verdict_of_benchmark(struct verdict_said *said, const struct verdict_evidence *evidence)
{
	const struct report_benchmark *benchmark = evidence->benchmark;
	const struct shape *shape = evidence->shape;
	enum verdict time = evidence->time->verdict;

	if (benchmark->identical)
		say(said, VERDICT_SAME, "identical code");
	/* Exact counts will be asked here: where they regress the clock has no say. */
	else if (benchmark->counts_only)
		say(said, VERDICT_UNSETTLED,
			"counts_only: its CPU time is shown and decides nothing");
	else if (evidence->time->pairs_total == 0)
		say(said, VERDICT_UNSETTLED, "no pair was measured in the time given");
	else if (evidence->machine_distrust)
		say(said, VERDICT_UNSETTLED, "this machine cannot tell: %s",
			evidence->machine_distrust);
	else if (shape_verdict(shape, time, benchmark->limit) != time)
		say(said, VERDICT_UNSETTLED,
			"bimodal: its visits fall into two heaps, at %s and %s, which do not agree",
			figures_percent(shape->low_ratio).text,
			figures_percent(shape->high_ratio).text);
	else
		say_time(said, evidence);
}

void verdict_across(struct verdict_said *said, enum verdict time, bool layout_fixed,
	const char *machine_distrust)
{
	if (machine_distrust)
		say(said, VERDICT_UNSETTLED, "this machine cannot tell: %s", machine_distrust);
	else if (is_change(time) && layout_fixed)
		say(said, VERDICT_UNSETTLED,
			"layout not varied in any benchmark; a %s seen by time alone may be layout",
			change(time));
	else
		say(said, time, "%s", "");
}

enum run_verdict verdict_of_run(const struct report *report)
{
	bool slower = report->across_verdict == VERDICT_SLOWER, error = false;

	for (uint32_t i = 0; i < report->benchmarks_count; i++) {
		slower |= report->benchmarks[i].verdict == VERDICT_SLOWER;
		error |= report->benchmarks[i].verdict == VERDICT_ERROR;
	}
	if (slower)
		return RUN_REGRESSED;
	if (*report->failure)
		return report->verdict == RUN_SKIPPED ? RUN_SKIPPED : RUN_FAILED;
	return error ? RUN_FAILED : RUN_PASSED;
}

int verdict_exit_status(enum run_verdict verdict)
{
	switch (verdict) {
	case RUN_PASSED:
	case RUN_SKIPPED:
		return 0;
	case RUN_REGRESSED:
		return 1;
	case RUN_FAILED:
		return err_exit_status(ERR_BENCH);
	case RUN_VERDICTS:
		break;
	}
	return err_exit_status(ERR_BUG);
}
