#include "runner/artifact/read.h"

#include "runner/artifact/inflate.h"
#include "runner/artifact/parse.h"
#include "sandbox/base/io.h"

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
	AUTO_BUF bytes;

	report_init(report);
	buf_init(&bytes, SCHEMA_COMPRESSED_BYTES_MAX);
	if (io_read_file(&bytes, path, err) < 0) {
		if (err->kind == ERR_LIMIT)
			return err_set(err, ERR_HOSTILE,
				"%s: more than %u MiB: no artifact of duel is that large", path,
				SCHEMA_COMPRESSED_BYTES_MAX >> 20);
		return -1;
	}
	if (artifact_decode(report, bytes.data, bytes.length, err) < 0)
		return err_wrap(err, "%s", path);
	return 0;
}
