#include "runner/report/report.h"

#include "runner/artifact/document.h"

#include <string.h>

static int plain_text(struct buf *out, const struct report *report, struct err *err)
{
	return report_text(out, report, &(struct report_view){0}, err);
}

int report_json(struct buf *out, const struct report *report, struct err *err)
{
	return document_write(out, report, DOCUMENT_RESULTS, err);
}

static const struct {
	const char *name, *extension;
	int (*render)(struct buf *out, const struct report *report, struct err *err);
} formats[REPORT_FORMATS] = {
	[REPORT_TEXT] = {"text", ".txt", plain_text},
	[REPORT_MARKDOWN] = {"markdown", ".md", report_markdown},
	[REPORT_JSON] = {"json", ".json", report_json},
	[REPORT_CSV] = {"csv", ".csv", report_csv},
};

enum report_format report_format_by_name(const char *name)
{
	unsigned format = 0;

	while (format < REPORT_FORMATS && strcmp(formats[format].name, name) != 0)
		format++;
	return (enum report_format)format;
}

enum report_format report_format_by_path(const char *path)
{
	size_t length = strlen(path);
	unsigned format = 0;

	for (; format < REPORT_FORMATS; format++) {
		size_t tail = strlen(formats[format].extension);

		if (length > tail && strcmp(path + length - tail, formats[format].extension) == 0)
			break;
	}
	return (enum report_format)format;
}

int report_render(
	struct buf *out, enum report_format format, const struct report *report, struct err *err)
{
	if (format >= REPORT_FORMATS)
		return err_set(err, ERR_BUG, "no format %u", (unsigned)format);
	return formats[format].render(out, report, err);
}
