#include "runner/list_command.h"

#include "runner/artifact/schema.h"
#include "runner/options.h"
#include "runner/pipeline.h"
#include "runner/session.h"

#include <stdio.h>

static const char *whose(enum verdict verdict)
{
	return verdict == VERDICT_ADDED     ? "candidate"
	       : verdict == VERDICT_REMOVED ? "baseline"
					    : "both";
}

static void print_list(const struct report *report)
{
	for (uint32_t i = 0; i < report->benchmarks_count; i++) {
		const struct report_benchmark *benchmark = &report->benchmarks[i];

		char line[SCHEMA_NAME_BYTES_MAX + 40];

		(void)snprintf(line, sizeof(line), "%-9s  %s%s", whose(benchmark->verdict),
			benchmark->name, benchmark->counts_only ? "  (counts_only)" : "");
		log_defuse(line);
		(void)puts(line);
	}
}

static int list(
	const struct options *options, struct report *report, int *exit_status, struct err *err)
{
	struct log log;

	session_begin(&log, options);
	if (pipeline_list(report, options, &log, session_stop(), err) < 0)
		return session_end(&log, -1, exit_status, err);
	log_live_end(&log);
	if (*report->failure) {
		log_error(&log, "%s", report->failure);
		log_foreign(&log, "  | ", report->failure_log);
		*exit_status = err_exit_status(ERR_BUILD);
	} else {
		print_list(report);
	}
	return session_end(&log, 0, exit_status, err);
}

int list_command(int argc, char **argv, int *exit_status, struct err *err)
{
	struct options options;
	struct report report;
	int result;

	if (options_parse(&options, OPTIONS_LIST, argc, argv, err) < 0)
		return -1;
	if (options.help) {
		(void)printf("usage: duel list [OPTIONS]\n\n");
		options_help(OPTIONS_LIST, stdout);
		return 0;
	}
	report_init(&report);
	result = list(&options, &report, exit_status, err);
	report_release(&report);
	return result;
}
