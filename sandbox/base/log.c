#include "sandbox/base/log.h"

#include "sandbox/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOG_LINE_BYTES 2048
#define LIVE_BYTES 78 /* fits a narrow terminal */

void log_init(struct log *log, enum log_level level)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");
	bool terminal = isatty(STDERR_FILENO) == 1;

	*log = (struct log){
		.level = level,
		.live = terminal && level == LOG_NORMAL && term && strcmp(term, "dumb") != 0,
		.color = terminal && !(no_color && *no_color),
	};
}

/*
 * GitHub's runner acts on "::name" where a line begins, blanks aside, and on "##[name" anywhere in
 * it: whatever text is said, it is not a command.
 */
void log_defuse(char *lines)
{
	for (char *at = lines; (at = strstr(at, "##[")); at += 3)
		at[1] = '.';
	for (char *line = lines; line; line = strchr(line, '\n')) {
		/* Runners skip blanks of any script: all that is not ASCII may be one. */
		while (*line == '\n' || *line == '\t' || *line == ' ' ||
			(unsigned char)*line >= 0x80)
			line++;
		if (strncmp(line, "::", 2) == 0)
			line[1] = '.';
	}
}

/* One write(2) a line, so that lines of several processes do not mix. */
static void put_line(struct log *log, const char *prefix, const char *format, va_list args)
{
	char line[LOG_LINE_BYTES];
	size_t used = (size_t)snprintf(line, sizeof(line), "%s", prefix);

	log_live_end(log);
	(void)vsnprintf(line + used, sizeof(line) - used - 1, format, args);
	text_make_printable_lines(line);
	log_defuse(line);
	used = strlen(line);
	line[used++] = '\n';
	/* A log that cannot be written leaves nobody to tell. */
	(void)!write(STDERR_FILENO, line, used);
}

void log_error(struct log *log, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put_line(log, "duel: ", format, args);
	va_end(args);
}

void log_warning(struct log *log, const char *format, ...)
{
	va_list args;

	if (log->level < LOG_NORMAL)
		return;
	va_start(args, format);
	put_line(log, "duel: warning: ", format, args);
	va_end(args);
}

void log_say(struct log *log, const char *format, ...)
{
	va_list args;

	if (log->level < LOG_NORMAL)
		return;
	va_start(args, format);
	put_line(log, "", format, args);
	va_end(args);
}

void log_detail(struct log *log, const char *format, ...)
{
	va_list args;

	if (log->level < LOG_VERBOSE)
		return;
	va_start(args, format);
	put_line(log, "", format, args);
	va_end(args);
}

static void draw(struct log *log, const char *format, va_list args)
{
	char line[LIVE_BYTES + 1];

	/* Cut first: of a character that is cut in two, nothing reaches the terminal. */
	(void)vsnprintf(line, sizeof(line), format, args);
	text_make_printable(line);
	/* carriage return, text, clear to the end of the line */
	(void)fprintf(stderr, "\r%s\033[K", line);
	(void)fflush(stderr);
	log->live_shown = true;
}

void log_live(struct log *log, const char *format, ...)
{
	va_list args;

	if (!log->live)
		return;
	va_start(args, format);
	draw(log, format, args);
	va_end(args);
}

void log_stage(struct log *log, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (log->live)
		draw(log, format, args);
	else if (log->level >= LOG_NORMAL)
		put_line(log, "", format, args);
	va_end(args);
}

void log_live_end(struct log *log)
{
	if (!log->live_shown)
		return;
	log->live_shown = false;
	(void)fprintf(stderr, "\r\033[K");
	(void)fflush(stderr);
}

void log_foreign(struct log *log, const char *prefix, const char *text)
{
	while (*text) {
		char line[LOG_LINE_BYTES / 2];
		size_t length = strcspn(text, "\n");
		size_t kept = length < sizeof(line) - 1 ? length : sizeof(line) - 1;

		memcpy(line, text, kept);
		line[kept] = '\0';
		text_make_printable(line);
		if (log->level >= LOG_NORMAL)
			log_say(log, "%s%s", prefix, line);
		text += length;
		if (*text == '\n')
			text++;
	}
}
