#include "runner/report/markdown_escape.h"

#include "sandbox/base/text.h"

#include <stdbool.h>
#include <string.h>

#define BLOCK_FENCE_MIN 3 /* what opens a block of code */

static size_t longest_run(const char *text, size_t length)
{
	size_t longest = 0, run = 0;

	for (size_t i = 0; i < length; i++) {
		run = text[i] == '`' ? run + 1 : 0;
		if (run > longest)
			longest = run;
	}
	return longest;
}

static int append_fence(struct buf *out, size_t length, struct err *err)
{
	for (size_t i = 0; i < length; i++)
		if (buf_append(out, "`", 1, err) < 0)
			return -1;
	return 0;
}

/* A piece without '|', not empty. */
static int append_piece(struct buf *out, const char *text, size_t length, struct err *err)
{
	size_t fence = longest_run(text, length) + 1;
	/* One blank at each end is taken off again where there is one at both (and more between).
	 */
	bool padded = text[0] == '`' || text[length - 1] == '`' ||
		      (text[0] == ' ' && text[length - 1] == ' ');
	const char *pad = padded && strspn(text, " ") < length ? " " : "";

	if (append_fence(out, fence, err) < 0 || buf_append_str(out, pad, err) < 0 ||
		buf_append(out, text, length, err) < 0 || buf_append_str(out, pad, err) < 0)
		return -1;
	return append_fence(out, fence, err);
}

int markdown_escape_code(struct buf *out, const char *text, struct err *err)
{
	AUTO_STR copy = strdup(text);
	const char *at = copy;

	if (!copy)
		return err_set(err, ERR_OS, "out of memory");
	text_make_printable(copy);
	while (*at) {
		size_t length = strcspn(at, "|");

		if (length > 0 && append_piece(out, at, length, err) < 0)
			return -1;
		at += length;
		for (; *at == '|'; at++)
			if (buf_append_str(out, "&#124;", err) < 0)
				return -1;
	}
	return 0;
}

int markdown_escape_block(struct buf *out, const char *text, struct err *err)
{
	AUTO_STR copy = strdup(text);
	size_t length, fence;

	if (!copy)
		return err_set(err, ERR_OS, "out of memory");
	text_make_printable_lines(copy);
	length = strlen(copy);
	fence = longest_run(copy, length) + 1;
	if (fence < BLOCK_FENCE_MIN)
		fence = BLOCK_FENCE_MIN;
	if (buf_append(out, "\n", 1, err) < 0 || append_fence(out, fence, err) < 0 ||
		buf_append_str(out, "text\n", err) < 0 || buf_append(out, copy, length, err) < 0)
		return -1;
	if (length > 0 && copy[length - 1] != '\n' && buf_append(out, "\n", 1, err) < 0)
		return -1;
	if (append_fence(out, fence, err) < 0)
		return -1;
	return buf_append_str(out, "\n\n", err);
}
