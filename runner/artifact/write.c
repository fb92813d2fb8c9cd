#include "runner/artifact/write.h"

#include "runner/artifact/document.h"
#include "sandbox/base/io.h"

#include <zstd.h>

#define LEVEL 9 /* what higher ones gain on base64 is not worth their time */
#define FILE_MODE 0644

static void free_context(ZSTD_CCtx **context)
{
	(void)ZSTD_freeCCtx(*context);
}

static int too_large(struct err *err)
{
	return err_set(err, ERR_LIMIT,
		"the run does not fit an artifact (%u MiB, %u MiB uncompressed): measure fewer "
		"benchmarks with --only, or in shards",
		SCHEMA_COMPRESSED_BYTES_MAX >> 20, SCHEMA_BYTES_MAX >> 20);
}

/* The window is within what a reader allows, and the text's checksum is in the frame. */
static int set_up(ZSTD_CCtx *context)
{
	return ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL)) ||
			       ZSTD_isError(ZSTD_CCtx_setParameter(
				       context, ZSTD_c_windowLog, SCHEMA_WINDOW_LOG_MAX)) ||
			       ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1))
		       ? -1
		       : 0;
}

static int compress(struct buf *out, const struct buf *text, struct err *err)
{
	ATTR_CLEANUP(free_context) ZSTD_CCtx *context = ZSTD_createCCtx();
	size_t room = ZSTD_compressBound(text->length), length;
	AUTO_STR frame = malloc(room);

	if (!context || !frame || set_up(context) < 0)
		return err_set(err, ERR_OS, "zstd: out of memory");
	length = ZSTD_compress2(context, frame, room, text->data, text->length);
	if (ZSTD_isError(length))
		return err_set(err, ERR_OS, "zstd: %s", ZSTD_getErrorName(length));
	if (length > SCHEMA_COMPRESSED_BYTES_MAX)
		return too_large(err);
	return buf_append(out, frame, length, err);
}

int artifact_encode(struct buf *out, const struct report *report, struct err *err)
{
	AUTO_BUF text;

	buf_init(&text, SCHEMA_BYTES_MAX);
	if (document_write(&text, report, DOCUMENT_ARTIFACT, err) < 0)
		return err->kind == ERR_LIMIT ? too_large(err) : -1;
	return compress(out, &text, err);
}

int artifact_write(const char *path, const struct report *report, struct err *err)
{
	AUTO_BUF bytes;

	buf_init(&bytes, SCHEMA_COMPRESSED_BYTES_MAX);
	if (artifact_encode(&bytes, report, err) < 0)
		return err_wrap(err, "%s", path);
	return io_replace_file(path, bytes.data, bytes.length, FILE_MODE, err);
}
