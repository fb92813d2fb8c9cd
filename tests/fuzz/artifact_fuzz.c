/*
 * Any bytes as an artifact, or as its JSON text where they do not begin like a frame; what is
 * accepted is judged, judged under other limits, merged, shown in every format, and written again.
 */
#include "runner/artifact/parse.h"
#include "runner/artifact/read.h"
#include "runner/artifact/write.h"
#include "runner/decide.h"
#include "runner/merge.h"
#include "runner/rejudge.h"
#include "runner/report/report.h"
#include "sandbox/base/text.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Zstd's magic number, little-endian. */
static const uint8_t magic[] = {0x28, 0xb5, 0x2f, 0xfd};

static int read_any(struct report *report, const uint8_t *data, size_t size, struct err *err)
{
	if (size >= sizeof(magic) && memcmp(data, magic, sizeof(magic)) == 0)
		return artifact_decode(report, data, size, err);
	return parse_document(report, (const char *)data, size, err);
}

/* Nothing in it acts on a terminal. */
static void assert_plain(const struct buf *text)
{
	const char *at = buf_text(text);

	assert(strlen(at) == text->length);
	while (*at) {
		size_t length = strcspn(at, "\r\n\t");

		assert(text_is_plain(at, length));
		at += length + (at[length] != '\0');
	}
}

static void show(const struct report *report)
{
	const struct report_view verbose = {.verbose = true};

	for (unsigned format = 0; format <= REPORT_FORMATS; format++) {
		AUTO_BUF text = {.bytes_max = REPORT_BYTES_MAX};
		struct err err = {0};
		int result = format == REPORT_FORMATS
				     ? report_text(&text, report, &verbose, &err)
				     : report_render(
					       &text, (enum report_format)format, report, &err);

		assert(result == 0);
		assert_plain(&text);
	}
}

/* What is written is read back, and shown as it was. */
static void write_and_read(const struct report *report)
{
	AUTO_BUF bytes = {.bytes_max = SCHEMA_COMPRESSED_BYTES_MAX};
	AUTO_BUF before = {.bytes_max = REPORT_BYTES_MAX};
	AUTO_BUF after = {.bytes_max = REPORT_BYTES_MAX};
	struct report again;
	struct err err = {0};
	int read;

	if (artifact_encode(&bytes, report, &err) < 0) {
		assert(err.kind == ERR_LIMIT);
		return;
	}
	read = artifact_decode(&again, bytes.data, bytes.length, &err);
	assert(read == 0);
	if (report_json(&before, report, &err) == 0 && report_json(&after, &again, &err) == 0)
		assert(strcmp(buf_text(&before), buf_text(&after)) == 0);
	report_release(&again);
}

static void judge(struct report *report)
{
	const struct rejudge_limits limits = {
		.cpu = 1.5, .across = 1.25, .confidence = 0.95, .strict = true};
	struct err err = {0};
	int decided = decide_report(report, &err);

	assert(decided == 0);
	assert(verdict_exit_status(report->verdict) <= 3);
	decided = rejudge_report(report, &limits, &err);
	assert(decided == 0);
}

/* Its benchmarks go into the merged run, which shows and writes like any other. */
static void merge_alone(struct report *report)
{
	static struct merge merge;
	struct report merged;
	struct err err = {0};
	int result;

	merge_start(&merge, &merged);
	result = merge_add(&merge, report, "shard", &err);
	assert(result == 0);
	result = merge_end(&merge, &err);
	assert(result == 0);
	result = decide_report(&merged, &err);
	assert(result == 0);
	show(&merged);
	write_and_read(&merged);
	report_release(&merged);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct report report;
	struct err err = {0};

	if (read_any(&report, data, size, &err) < 0) {
		assert(err.kind == ERR_HOSTILE);
		assert(text_is_plain(err.text, strlen(err.text)));
		return 0;
	}
	show(&report);
	write_and_read(&report);
	judge(&report);
	show(&report);
	write_and_read(&report);
	merge_alone(&report);
	report_release(&report);
	return 0;
}
