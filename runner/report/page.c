#include "runner/report/page.h"

#include "runner/report/markdown_escape.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void page_say(struct page *page, const char *format, ...)
{
	AUTO_STR text = NULL;
	va_list args;
	int length;

	if (page->failed)
		return;
	va_start(args, format);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	text = length < 0 ? NULL : malloc((size_t)length + 1);
	if (!text) {
		(void)err_set(page->err, ERR_OS, "out of memory");
		page->failed = true;
		return;
	}
	va_start(args, format);
	(void)vsnprintf(text, (size_t)length + 1, format, args);
	va_end(args);
	page->failed = buf_append(page->out, text, (size_t)length, page->err) < 0;
}

void page_code(struct page *page, const char *text)
{
	if (!page->failed)
		page->failed = markdown_escape_code(page->out, text, page->err) < 0;
}

void page_block(struct page *page, const char *text)
{
	if (!page->failed)
		page->failed = markdown_escape_block(page->out, text, page->err) < 0;
}

int page_end(const struct page *page)
{
	return page->failed ? -1 : 0;
}
