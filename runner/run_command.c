#include "runner/run_command.h"

#include "runner/artifact/write.h"
#include "runner/decide.h"
#include "runner/options.h"
#include "runner/pipeline.h"
#include "runner/session.h"
#include "runner/show.h"
#include "sandbox/base/io.h"

#include <stdio.h>

static int print_options_help(void)
{
	(void)printf("usage: duel run [OPTIONS]\n\n");
	options_help(OPTIONS_RUN, stdout);
	return 0;
}

static const char *artifact_path(const struct options *options)
{
	return options->out ? options->out : "duel-1.json.zst";
}

/* Nobody wants to hear after minutes of measuring that there is no place for the result. */
static int check_targets(const struct options *options, struct err *err)
{
	int result = io_check_replaceable(artifact_path(options), err);

	for (size_t i = 0; result == 0 && i < options->reports_count; i++)
		result = io_check_replaceable(options->reports[i], err);
	return result < 0 ? err_wrap(err, "--out and --report need a directory that can be written")
			  : 0;
}

static int write_and_show(const struct report *report, const struct options *options,
	const struct log *log, struct err *err)
{
	const struct report_view view = {
		.color = show_in_color(options->color_always, options->color_never),
		.verbose = log->level == LOG_VERBOSE,
	};

	/* What was measured is shown even where it cannot be kept. */
	if (show_print(report, REPORT_TEXT, &view, err) < 0 ||
		artifact_write(artifact_path(options), report, err) < 0)
		return -1;
	for (size_t i = 0; i < options->reports_count; i++)
		if (show_write(options->reports[i], report, err) < 0)
			return -1;
	return 0;
}

static int run_and_show(
	struct report *report, const struct options *options, struct log *log, struct err *err)
{
	if (check_targets(options, err) < 0 ||
		pipeline_run(report, options, log, session_stop(), err) < 0)
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
	*exit_status = verdict_exit_status(report.verdict);
	result = session_end(&log, result, exit_status, err);
	report_release(&report);
	return result;
}
