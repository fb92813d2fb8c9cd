#include "runner/merge_command.h"

#include "runner/artifact/read.h"
#include "runner/artifact/write.h"
#include "runner/decide.h"
#include "runner/merge.h"
#include "runner/read_options.h"
#include "runner/show.h"

static int add_file(struct merge *merge, const char *path, struct err *err)
{
	struct report shard;
	int result;

	if (artifact_read(&shard, path, err) < 0)
		return -1;
	result = merge_add(merge, &shard, path, err);
	report_release(&shard);
	return result;
}

static int merge_and_show(
	struct report *report, const struct read_options *options, struct err *err)
{
	struct merge merge;

	merge_start(&merge, report);
	for (size_t i = 0; i < options->files_count; i++)
		if (add_file(&merge, options->files[i], err) < 0)
			return -1;
	if (merge_end(&merge, err) < 0 || decide_report(report, err) < 0)
		return -1;
	if (options->out && artifact_write(options->out, report, err) < 0)
		return -1;
	return show_print(report, options->format, &options->view, err);
}

int merge_command(int argc, char **argv, int *exit_status, struct err *err)
{
	struct read_options options;
	struct report report;
	int result;

	if (read_options_parse(&options, READ_MERGE, argc, argv, err) < 0)
		return -1;
	if (options.help) {
		read_options_help(READ_MERGE, stdout);
		return 0;
	}
	report_init(&report);
	result = merge_and_show(&report, &options, err);
	*exit_status = verdict_exit_status(report.verdict);
	report_release(&report);
	return result;
}
