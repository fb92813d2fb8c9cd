#include "runner/report_command.h"

#include "runner/artifact/read.h"
#include "runner/read_options.h"
#include "runner/show.h"

int report_command(int argc, char **argv, int *exit_status, struct err *err)
{
	struct read_options options;
	struct report report;
	int result;

	if (read_options_parse(&options, READ_REPORT, argc, argv, err) < 0)
		return -1;
	*exit_status = 0;
	if (options.help) {
		read_options_help(READ_REPORT, stdout);
		return 0;
	}
	if (artifact_read(&report, options.files[0], err) < 0)
		return -1;
	result = show_print(&report, options.format, &options.view, err);
	report_release(&report);
	return result;
}
