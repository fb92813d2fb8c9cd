#include "runner/run_command.h"

#include "runner/artifact/write.h"
#include "runner/decide.h"
#include "runner/options.h"
#include "runner/pipeline.h"
#include "runner/report/report.h"
#include "runner/session.h"

#include <stdio.h>

static int print_options_help(void)
{
	(void)printf("usage: duel run [OPTIONS]\n\n");
	options_help(OPTIONS_RUN, stdout);
	return 0;
}

static int write_and_show(const struct report *report, const struct options *options,
	const struct log *log, struct err *err)
{
	const struct report_view view = {.color = log->color, .verbose = log->level == LOG_VERBOSE};
	const char *out = options->out ? options->out : "duel-1.json.zst";
	AUTO_BUF text;

	buf_init(&text, SCHEMA_BYTES_MAX);
	if (artifact_write(out, report, err) < 0 || report_text(&text, report, &view, err) < 0)
		return -1;
	(void)fwrite(buf_text(&text), 1, text.length, stdout);
	return 0;
}

static int run_and_show(
	struct report *report, const struct options *options, struct log *log, struct err *err)
{
	if (pipeline_run(report, options, log, session_stop(), err) < 0)
		return -1;
	return write_and_show(report, options, log, err);
}

int run_command(int argc, char **argv, int *exit_status, struct err *err)
{
	struct options options;
	struct report report;
	struct log log;
	int result;

	if (options_parse(&options, OPTIONS_RUN, argc, argv, err) < 0)
		return -1;
	if (options.help)
		return print_options_help();
	session_begin(&log, &options);
	report_init(&report);
	result = run_and_show(&report, &options, &log, err);
	log_live_end(&log);
	*exit_status = *session_stop() ? SESSION_INTERRUPTED : verdict_exit_status(report.verdict);
	report_release(&report);
	return result;
}
