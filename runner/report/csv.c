#include "runner/report/page.h"
#include "runner/report/report.h"

#include <inttypes.h>
#include <string.h>

#define COLUMNS                                                                                   \
	"benchmark,worker,verdict,ratio,ratio_low,ratio_high,limit,smallest_loss,baseline_ns,"    \
	"candidate_ns,baseline_wall_ns,candidate_wall_ns,iterations,bytes,items,pairs,confirmed," \
	"bimodal,drifting,layout,reason\r\n"

/*
 * Quoted where it must be (RFC 4180). A spreadsheet takes what begins like this for a formula and
 * runs it: the apostrophe makes it text.
 */
static void say_text(struct page *page, const char *text)
{
	const char *guard = *text && strchr("=+-@", *text) ? "'" : "";

	if (!text[strcspn(text, "\",\r\n")]) {
		page_say(page, "%s%s", guard, text);
		return;
	}
	page_say(page, "\"%s", guard);
	while (*text) {
		size_t length = strcspn(text, "\"");

		page_say(page, "%.*s", (int)length, text);
		text += length;
		if (*text == '"') {
			page_say(page, "\"\"");
			text++;
		}
	}
	page_say(page, "\"");
}

/* Empty where it is unknown. */
static void say_number(struct page *page, double value)
{
	if (value > 0)
		page_say(page, ",%.9g", value);
	else
		page_say(page, ",");
}

static void say_flag(struct page *page, bool flag)
{
	page_say(page, ",%s", flag ? "true" : "false");
}

static void say_row(struct page *page, const struct report_benchmark *benchmark)
{
	say_text(page, benchmark->name);
	page_say(page, ",");
	say_text(page, benchmark->worker);
	page_say(page, ",%s", verdict_name(benchmark->verdict));
	say_number(page, benchmark->cpu.ratio);
	say_number(page, benchmark->cpu.low);
	say_number(page, benchmark->cpu.high);
	say_number(page, benchmark->limit);
	say_number(page, benchmark->smallest_loss);
	say_number(page, benchmark->baseline_ns);
	say_number(page, benchmark->candidate_ns);
	say_number(page, benchmark->baseline_wall_ns);
	say_number(page, benchmark->candidate_wall_ns);
	page_say(page, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32, benchmark->iterations,
		benchmark->bytes, benchmark->items, benchmark->pairs_count);
	say_flag(page, benchmark->confirmed);
	say_flag(page, benchmark->bimodal);
	say_flag(page, benchmark->drifting);
	page_say(page, ",%s,", report_layout_name(benchmark->layout));
	say_text(page, benchmark->reason);
	page_say(page, "\r\n");
}

int report_csv(struct buf *out, const struct report *report, struct err *err)
{
	struct page page = {.out = out, .err = err};

	page_say(&page, "%s", COLUMNS);
	for (uint32_t i = 0; i < report->benchmarks_count; i++)
		say_row(&page, &report->benchmarks[i]);
	return page_end(&page);
}
