/*
 * The only functions that may put somebody else's text into Markdown.
 *
 * It becomes code, in which GitHub's Markdown has no mentions, links, images, references, HTML or
 * emoji; what code cannot hold is taken apart:
 *  - backquotes: the fence is longer than any run of them;
 *  - '|' would end a table's cell even inside code: it stands between two pieces of code, as an
 *    entity, which is never structure. So the same text is safe inside and outside of tables;
 *  - controls, bidirectional and invisible characters: text_make_printable() puts '?' for them.
 * The text is shown in full; cutting is the caller's business.
 */
#ifndef RUNNER_REPORT_MARKDOWN_ESCAPE_H
#define RUNNER_REPORT_MARKDOWN_ESCAPE_H

#include "sandbox/base/buf.h"
#include "sandbox/base/err.h"

/* One line, in a paragraph, a list item or a table's cell. Errors: ERR_LIMIT, ERR_OS. */
int markdown_escape_code(struct buf *out, const char *text, struct err *err) ATTR_MUST_USE;

/* Several lines as a block of their own, with an empty line before and behind it. */
int markdown_escape_block(struct buf *out, const char *text, struct err *err) ATTR_MUST_USE;

#endif
