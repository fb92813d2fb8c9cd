#include "runner/judge_command.h"

#include "runner/artifact/read.h"
#include "runner/artifact/write.h"
#include "runner/decide.h"
#include "runner/read_options.h"
#include "runner/rejudge.h"
#include "runner/show.h"

static int judge(struct report *report, const struct read_options *options, struct err *err)
{
	const struct rejudge_limits limits = {
		.cpu = options->cpu,
		.across = options->across,
		.confidence = options->confidence,
		.strict = options->strict,
		.lenient = options->lenient,
	};

	if (rejudge_report(report, &limits, err) < 0)
		return -1;
	if (options->out && artifact_write(options->out, report, err) < 0)
		return -1;
	return show_print(report, options->format, &options->view, err);
}

int judge_command(int argc, char **argv, int *exit_status, struct err *err)
{
	struct read_options options;
	struct report report;
	int result;

	if (read_options_parse(&options, READ_JUDGE, argc, argv, err) < 0)
		return -1;
	if (options.help) {
		read_options_help(READ_JUDGE, stdout);
		return 0;
	}
	if (artifact_read(&report, options.files[0], err) < 0)
		return -1;
	result = judge(&report, &options, err);
	*exit_status = verdict_exit_status(report.verdict);
	report_release(&report);
	return result;
}
