#include "runner/artifact/inflate.h"

#include "runner/artifact/schema.h"

#include <stdint.h>
#include <string.h>
#include <zstd.h>

#define CHUNK_BYTES ((size_t)64 << 10)
#define MAGIC_BYTES 4

static void free_context(ZSTD_DCtx **context)
{
	(void)ZSTD_freeDCtx(*context);
}

static int check_magic(const void *bytes, size_t length, struct err *err)
{
	static const unsigned char magic[MAGIC_BYTES] = {0x28, 0xb5, 0x2f, 0xfd};

	if (length == 0)
		return err_set(err, ERR_HOSTILE, "the file is empty");
	if (length < MAGIC_BYTES || memcmp(bytes, magic, MAGIC_BYTES) != 0)
		return err_set(err, ERR_HOSTILE, "not a zstd frame: this is no artifact of duel");
	return 0;
}

/* A header that already says too much saves the work; one that says nothing is met by the buffer.
 */
static int check_claim(const struct buf *text, const void *bytes, size_t length, struct err *err)
{
	unsigned long long claimed = ZSTD_getFrameContentSize(bytes, length);

	if (claimed == ZSTD_CONTENTSIZE_ERROR)
		return err_set(err, ERR_HOSTILE, "damaged: the zstd frame has no whole header");
	if (claimed != ZSTD_CONTENTSIZE_UNKNOWN && claimed > text->bytes_max)
		return err_set(err, ERR_HOSTILE, "%llu bytes uncompressed, at most %zu are read",
			claimed, text->bytes_max);
	return 0;
}

/* Take one step. *left: 0 = the frame is complete. */
static int step(
	struct buf *text, ZSTD_DCtx *context, ZSTD_inBuffer *in, size_t *left, struct err *err)
{
	char chunk[CHUNK_BYTES];
	ZSTD_outBuffer out = {chunk, sizeof(chunk), 0};

	*left = ZSTD_decompressStream(context, &out, in);
	if (ZSTD_isError(*left))
		return err_set(err, ERR_HOSTILE, "damaged: zstd: %s", ZSTD_getErrorName(*left));
	if (out.pos > text->bytes_max - text->length)
		return err_set(
			err, ERR_HOSTILE, "more than %zu bytes uncompressed", text->bytes_max);
	if (buf_append(text, chunk, out.pos, err) < 0)
		return -1;
	/* Room in the output, nothing left to read, and yet no end. */
	if (*left != 0 && in->pos == in->size && out.pos < out.size)
		return err_set(err, ERR_HOSTILE, "damaged: the file ends too early");
	return 0;
}

int inflate_frame(struct buf *text, const void *bytes, size_t length, struct err *err)
{
	ATTR_CLEANUP(free_context) ZSTD_DCtx *context = NULL;
	ZSTD_inBuffer in = {bytes, length, 0};
	size_t left = 1;

	if (check_magic(bytes, length, err) < 0 || check_claim(text, bytes, length, err) < 0)
		return -1;
	context = ZSTD_createDCtx();
	if (!context || ZSTD_isError(ZSTD_DCtx_setParameter(
				context, ZSTD_d_windowLogMax, SCHEMA_WINDOW_LOG_MAX)))
		return err_set(err, ERR_OS, "zstd: out of memory");
	while (left != 0)
		if (step(text, context, &in, &left, err) < 0)
			return -1;
	if (in.pos != in.size)
		return err_set(err, ERR_HOSTILE,
			"damaged: %zu bytes behind the end of the document", in.size - in.pos);
	return 0;
}
