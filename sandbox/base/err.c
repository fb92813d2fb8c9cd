#include "sandbox/base/err.h"

#include "sandbox/base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int(err_set)(struct err *err, enum err_kind kind, const char *format, ...)
{
	va_list args;

	err->kind = (int32_t)kind;
	err->os_errno = 0;
	va_start(args, format);
	(void)vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	return -1;
}

int(err_errno)(struct err *err, enum err_kind kind, const char *format, ...)
{
	int number = errno;
	size_t used;
	va_list args;

	err->kind = (int32_t)kind;
	err->os_errno = number;
	va_start(args, format);
	(void)vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	used = strlen(err->text);
	(void)snprintf(err->text + used, sizeof(err->text) - used, ": %s", strerror(number));
	errno = number;
	return -1;
}

int(err_wrap)(struct err *err, const char *format, ...)
{
	char inner[ERR_TEXT_BYTES];
	size_t used;
	va_list args;

	memcpy(inner, err->text, sizeof(inner));
	inner[sizeof(inner) - 1] = '\0';
	va_start(args, format);
	(void)vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	used = strlen(err->text);
	(void)text_copy(err->text + used, sizeof(err->text) - used, ": ");
	used = strlen(err->text);
	(void)text_copy(err->text + used, sizeof(err->text) - used, inner);
	return -1;
}

void err_from_wire(struct err *err)
{
	if (err->kind <= ERR_NONE || err->kind >= ERR_KINDS)
		err->kind = ERR_BUG;
	err->text[sizeof(err->text) - 1] = '\0';
	text_make_printable(err->text);
}

int err_exit_status(enum err_kind kind)
{
	static const int status[ERR_KINDS] = {
		[ERR_NONE] = 0,
		[ERR_USAGE] = 2,
		[ERR_CONFIG] = 2,
		[ERR_VERSION] = 3,
		[ERR_BUILD] = 3,
		[ERR_BENCH] = 3,
		[ERR_CONFINE] = 4,
		[ERR_LIMIT] = 5,
		[ERR_HOSTILE] = 6,
		[ERR_OS] = 7,
		[ERR_NET] = 7,
		[ERR_BUG] = 70,
	};

	return (unsigned)kind < ERR_KINDS ? status[kind] : 70;
}
