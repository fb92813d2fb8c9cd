#include "runner/pass_time.h"

#include <inttypes.h>
#include <math.h>

double pass_time_rest(const struct pass_time *time)
{
	return fmax(0, time->wall - time->pace - time->links - time->files -
			       visit_time_sum(&time->visits));
}

void pass_time_report(const struct pass_time *time, struct report_time *report)
{
	const struct visit_time *visits = &time->visits;

	report->links += time->links + time->files;
	report->starts += visits->starts + visits->ends + visits->checks;
	report->setup += visits->setup;
	report->warmup += visits->warmup + time->pace;
	report->samples += visits->samples;
	report->handover += visits->handover + pass_time_rest(time);
}

void pass_time_say(const struct pass_time *time, uint64_t count, struct log *log)
{
	const struct visit_time *visits = &time->visits;

	log_detail(log,
		"timing pass: %.2f s, %" PRIu64
		" visits: samples %.2f s, hand-over %.2f s, warm-up %.2f s, pace %.2f s, set-up "
		"%.2f s, starts %.2f s, checks %.2f s, ends %.2f s, links %.2f s, files %.2f s, "
		"rest %.2f s",
		time->wall, count, visits->samples, visits->handover, visits->warmup, time->pace,
		visits->setup, visits->starts, visits->checks, visits->ends, time->links,
		time->files, pass_time_rest(time));
}
