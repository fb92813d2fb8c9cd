/*
 * A text in the making: appends that remember their first failure, asked for once at the end.
 */
#ifndef RUNNER_REPORT_PAGE_H
#define RUNNER_REPORT_PAGE_H

#include "sandbox/base/buf.h"
#include "sandbox/base/err.h"

#include <stdbool.h>

struct page {
	struct buf *out; /* borrowed, as err is */
	struct err *err;
	bool failed; /* *err says why; what is appended from now on is dropped */
};

void page_say(struct page *page, const char *format, ...) ATTR_PRINTF(2, 3);

/* Somebody else's text for Markdown, inert: markdown_escape_code(). Nothing where it is "". */
void page_code(struct page *page, const char *text);

/* A log of several lines, the same. */
void page_block(struct page *page, const char *text);

/* 0, or -1 with the first failure in page->err. */
int page_end(const struct page *page) ATTR_MUST_USE;

#endif
