#include "runner/artifact/read.h"

#include "runner/artifact/inflate.h"
#include "runner/artifact/parse.h"
#include "sandbox/base/io.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

int artifact_decode(struct report *report, const void *bytes, size_t length, struct err *err)
{
	AUTO_BUF text;

	report_init(report);
	buf_init(&text, SCHEMA_BYTES_MAX);
	if (inflate_frame(&text, bytes, length, err) < 0)
		return -1;
	return parse_document(report, buf_text(&text), text.length, err);
}

int artifact_read(struct report *report, const char *path, struct err *err)
{
	bool input = strcmp(path, "-") == 0;
	const char *name = input ? "standard input" : path;
	AUTO_BUF bytes;
	int got;

	report_init(report);
	buf_init(&bytes, SCHEMA_COMPRESSED_BYTES_MAX);
	got = input ? io_read_all(&bytes, STDIN_FILENO, err) : io_read_file(&bytes, path, err);
	if (got < 0 && err->kind == ERR_LIMIT)
		return err_set(err, ERR_HOSTILE,
			"%s: more than %u MiB: no artifact of duel is that large", name,
			SCHEMA_COMPRESSED_BYTES_MAX >> 20);
	if (got < 0)
		return input ? err_wrap(err, "%s", name) : -1;
	if (artifact_decode(report, bytes.data, bytes.length, err) < 0)
		return err_wrap(err, "%s", name);
	return 0;
}
