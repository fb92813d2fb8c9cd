#include "runner/run_command.h"

#include "runner/artifact/write.h"
#include "runner/decide.h"
#include "runner/options.h"
#include "runner/pipeline.h"
#include "runner/report/report.h"

#include <stdio.h>
#include <sys/prctl.h>

/* The one mutable global of this program: a signal handler has no other way to speak. */
static volatile sig_atomic_t stop_requested;

static void request_stop(int signal_number)
{
	(void)signal_number;
	stop_requested = 1;
}

static void catch_signals(void)
{
	/* No SA_RESTART wanted or needed: every wait looks at the flag. */
	struct sigaction action = {.sa_handler = request_stop};

	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGTERM, &action, NULL);
	(void)sigaction(SIGHUP, &action, NULL);
}

static int print_options_help(void)
{
	(void)printf("usage: duel run [OPTIONS]\n\n");
	options_help(stdout);
	return 0;
}

/* Parse, and set up what both verbs need. *done: help was asked for and given. */
static int begin(struct options *options, struct log *log, bool *done, int argc, char **argv,
	struct err *err)
{
	if (options_parse(options, argc, argv, err) < 0)
		return -1;
	*done = options->help;
	if (options->help)
		return print_options_help();
	log_init(log, options->level);
	if (options->color_always || options->color_never)
		log->color = options->color_always;
	/* Nobody of our uid may read this process: confined commands of the flat tier share it. */
	(void)prctl(PR_SET_DUMPABLE, 0);
	catch_signals();
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
	if (pipeline_run(report, options, log, &stop_requested, err) < 0)
		return -1;
	return write_and_show(report, options, log, err);
}

int run_command(int argc, char **argv, int *exit_status, struct err *err)
{
	struct options options;
	struct report report;
	struct log log;
	bool done = false;
	int result;

	if (begin(&options, &log, &done, argc, argv, err) < 0)
		return -1;
	if (done)
		return 0;
	report_init(&report);
	result = run_and_show(&report, &options, &log, err);
	log_live_end(&log);
	*exit_status = stop_requested ? 130 : verdict_exit_status(report.verdict);
	report_release(&report);
	return result;
}
