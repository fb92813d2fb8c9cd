#include "sandbox/base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buf_init(struct buf *buf, size_t bytes_max)
{
	*buf = (struct buf){.bytes_max = bytes_max};
}

void buf_release(struct buf *buf)
{
	free(buf->data);
	*buf = (struct buf){.bytes_max = buf->bytes_max};
}

void buf_clear(struct buf *buf)
{
	buf->length = 0;
	if (buf->data)
		buf->data[0] = '\0';
}

static int buf_reserve(struct buf *buf, size_t more, struct err *err)
{
	size_t capacity = buf->capacity ? buf->capacity : 64;
	char *grown;

	if (more > buf->bytes_max || buf->length > buf->bytes_max - more)
		return err_set(err, ERR_LIMIT, "more than %zu bytes", buf->bytes_max);
	if (buf->data && buf->length + more < buf->capacity)
		return 0;
	while (capacity <= buf->length + more)
		capacity *= 2;
	grown = realloc(buf->data, capacity);
	if (!grown)
		return err_errno(err, ERR_OS, "grow a buffer to %zu bytes", capacity);
	buf->data = grown;
	buf->capacity = capacity;
	return 0;
}

int buf_append(struct buf *buf, const void *bytes, size_t length, struct err *err)
{
	if (buf_reserve(buf, length, err) < 0)
		return -1;
	if (length)
		memcpy(buf->data + buf->length, bytes, length);
	buf->length += length;
	buf->data[buf->length] = '\0';
	return 0;
}

int buf_append_str(struct buf *buf, const char *text, struct err *err)
{
	return buf_append(buf, text, strlen(text), err);
}

int buf_printf(struct buf *buf, struct err *err, const char *format, ...)
{
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (length < 0)
		return err_errno(err, ERR_BUG, "format '%s'", format);
	if (buf_reserve(buf, (size_t)length, err) < 0)
		return -1;
	va_start(args, format);
	(void)vsnprintf(buf->data + buf->length, (size_t)length + 1, format, args);
	va_end(args);
	buf->length += (size_t)length;
	return 0;
}

void buf_keep_tail(struct buf *buf, size_t keep)
{
	if (buf->length <= keep)
		return;
	memmove(buf->data, buf->data + buf->length - keep, keep);
	buf->length = keep;
	buf->data[keep] = '\0';
}

const char *buf_text(const struct buf *buf)
{
	return buf->data ? buf->data : "";
}

char *buf_take(struct buf *buf, struct err *err)
{
	char *taken;

	if (!buf->data && buf_append(buf, "", 0, err) < 0)
		return NULL;
	taken = buf->data;
	*buf = (struct buf){.bytes_max = buf->bytes_max};
	return taken;
}
