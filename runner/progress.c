#include "runner/progress.h"

void progress_start(
	struct progress *progress, struct log *log, size_t count, double budget_s, uint64_t now_ns)
{
	log_stage(log, "measuring %zu benchmark%s, for at most %.3g s", count,
		count == 1 ? "" : "s", budget_s);
	*progress = (struct progress){.log = log, .start_ns = now_ns, .said_ns = now_ns};
}

void progress_show(struct progress *progress, size_t settled, size_t count, const char *benchmark,
	uint64_t now_ns)
{
	bool live = progress->log->live;
	double elapsed_s = (double)(now_ns - progress->start_ns) / 1e9;

	if (now_ns - progress->said_ns < (live ? PROGRESS_LIVE_NS : PROGRESS_PLAIN_NS))
		return;
	progress->said_ns = now_ns;
	/* The name comes last: a narrow terminal cuts it. */
	if (live)
		log_live(progress->log, "measuring %.0f s, settled %zu of %zu: %s", elapsed_s,
			settled, count, benchmark);
	else
		log_say(progress->log, "measuring %.0f s, settled %zu of %zu", elapsed_s, settled,
			count);
}
