#include "runner/show.h"

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"

#include <stdio.h>
#include <stdlib.h>

#define FILE_MODE 0644

bool show_in_color(bool always, bool never)
{
	const char *no_color = getenv("NO_COLOR");

	return always || (!never && !(no_color && *no_color) && isatty(STDOUT_FILENO) == 1);
}

int show_print(const struct report *report, enum report_format format,
	const struct report_view *view, struct err *err)
{
	AUTO_BUF text;
	int result;

	buf_init(&text, REPORT_BYTES_MAX);
	result = format == REPORT_TEXT ? report_text(&text, report, view, err)
				       : report_render(&text, format, report, err);
	if (result < 0)
		return err_wrap(err, "report");
	/* What people read also lands in a runner's log; data for programs is left as it is. */
	if ((format == REPORT_TEXT || format == REPORT_MARKDOWN) && text.data)
		log_defuse(text.data);
	/* What was not written is seen when the program ends: main.c. */
	(void)fwrite(buf_text(&text), 1, text.length, stdout);
	return 0;
}

int show_write(const char *path, const struct report *report, struct err *err)
{
	AUTO_BUF text;

	buf_init(&text, REPORT_BYTES_MAX);
	if (report_render(&text, report_format_by_path(path), report, err) < 0)
		return err_wrap(err, "%s", path);
	return io_replace_file(path, text.data, text.length, FILE_MODE, err);
}
