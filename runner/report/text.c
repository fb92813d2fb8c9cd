#include "runner/report/report.h"

#include "runner/report/figures.h"
#include "runner/report/page.h"
#include "runner/report/summary.h"
#include "runner/report/width.h"
#include "sandbox/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SAME_ROWS_MAX 50 /* of benchmarks within the limit, unless verbose */
#define LOG_LINES 10     /* of a failure's log, unless verbose */
#define LAYOUT_REASONS 3
#define CELLS 7
#define LABEL_COLUMNS 10
#define COMMIT_DIGITS 12

/* What the parts of the text share. */
struct text {
	struct page page;
	const struct report *report;
	const struct report_view *view;
	struct summary summary;
};

static const char *verdict_color(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_SLOWER:
	case VERDICT_ERROR:
		return "\x1b[31m";
	case VERDICT_FASTER:
		return "\x1b[32m";
	case VERDICT_UNSETTLED:
		return "\x1b[33m";
	case VERDICT_SAME:
	case VERDICT_ADDED:
	case VERDICT_REMOVED:
	case VERDICT_COUNT:
		break;
	}
	return "";
}

static const char *run_color(enum run_verdict verdict)
{
	switch (verdict) {
	case RUN_REGRESSED:
	case RUN_FAILED:
		return "\x1b[1;31m";
	case RUN_PASSED:
		return "\x1b[1;32m";
	case RUN_SKIPPED:
	case RUN_VERDICTS:
		break;
	}
	return "\x1b[1m";
}

static void say_colored(struct text *text, const char *color, const char *words)
{
	bool colored = text->view->color && *color;

	page_say(&text->page, "%s%s%s", colored ? color : "", words, colored ? "\x1b[0m" : "");
}

static void say_headline(struct text *text)
{
	char headline[SUMMARY_BYTES];

	summary_headline(headline, &text->summary, text->report);
	page_say(&text->page, "duel: ");
	say_colored(text, run_color(text->report->verdict), headline);
	page_say(&text->page, "\n");
	if (*text->report->failure)
		page_say(&text->page, "      %s\n", text->report->failure);
}

/* The last lines of somebody's log, each marked as theirs. */
static void say_log(struct text *text, const char *log)
{
	size_t lines = 0;
	const char *from = log + strlen(log);

	while (from > log && (text->view->verbose || lines <= LOG_LINES)) {
		from--;
		lines += *from == '\n' && from[1] != '\0';
	}
	if (from > log)
		from += 2;
	while (*from) {
		size_t length = strcspn(from, "\n");

		page_say(&text->page, "      | %.*s\n", (int)length, from);
		from += length + (from[length] == '\n');
	}
}

static void say_version(struct text *text, const char *side, const struct report_version *version)
{
	char commit[COMMIT_DIGITS + 1];

	if (!*version->commit && !version->worktree)
		return;
	/* It may be anything, and be cut inside a character. */
	(void)text_copy(commit, sizeof(commit), version->commit);
	text_make_printable(commit);
	page_say(&text->page, "  %-*s %s", LABEL_COLUMNS, side, commit);
	if (*version->ref)
		page_say(&text->page, "  %s", version->ref);
	if (*version->subject)
		page_say(&text->page, "  %s", version->subject);
	page_say(&text->page, "%s\n", version->worktree ? "  with uncommitted changes" : "");
}

/* One row of the table; cells behind the name. */
struct row {
	const char *verdict, *name;
	struct figure cells[CELLS];
};

static void make_row(struct row *row, const struct report_benchmark *benchmark)
{
	*row = (struct row){
		.verdict = verdict_name(benchmark->verdict),
		.name = benchmark->name,
		.cells = {figures_percent(benchmark->cpu.ratio), figures_interval(&benchmark->cpu),
			figures_time(benchmark->baseline_ns), figures_time(benchmark->candidate_ns),
			figures_limit(benchmark->limit), figures_percent(benchmark->smallest_loss)},
	};
	(void)snprintf(
		row->cells[CELLS - 1].text, FIGURES_BYTES, "%" PRIu32, benchmark->pairs_count);
}

static void make_head(struct row *head, const struct report *report)
{
	static const char *const words[CELLS] = {
		"change", "", "baseline", "candidate", "limit", "could see", "pairs"};

	*head = (struct row){.verdict = "", .name = "benchmark"};
	for (size_t i = 0; i < CELLS; i++)
		(void)snprintf(head->cells[i].text, FIGURES_BYTES, "%s", words[i]);
	(void)snprintf(head->cells[1].text, FIGURES_BYTES, "%.20s interval",
		figures_confidence(report->limits.confidence).text);
}

static void widen(size_t widths[CELLS + 1], const struct row *row)
{
	size_t name = width_columns(row->name);

	if (name > widths[CELLS])
		widths[CELLS] = name;
	for (size_t i = 0; i < CELLS; i++) {
		size_t width = width_columns(row->cells[i].text);

		if (width > widths[i])
			widths[i] = width;
	}
}

static void say_row(struct text *text, const size_t widths[CELLS + 1], const struct row *row,
	enum verdict verdict)
{
	size_t cells = text->view->verbose ? CELLS : 4;

	page_say(&text->page, "  ");
	say_colored(text, verdict_color(verdict), row->verdict);
	page_say(&text->page, "%*s%s%*s", (int)(LABEL_COLUMNS + 1 - strlen(row->verdict)), "",
		row->name, (int)(widths[CELLS] - width_columns(row->name)), "");
	for (size_t i = 0; i < cells; i++)
		page_say(&text->page, "  %*s%s",
			(int)(widths[i] - width_columns(row->cells[i].text)), "",
			row->cells[i].text);
	page_say(&text->page, "\n");
}

/* How many rows are shown: all but `same` ones beyond a screenful, which come last. */
static uint32_t shown_rows(const struct text *text)
{
	uint32_t same = text->summary.verdicts[VERDICT_SAME];

	if (text->view->verbose || same <= SAME_ROWS_MAX)
		return text->report->benchmarks_count;
	return text->report->benchmarks_count - same;
}

static void say_table(struct text *text)
{
	const struct report *report = text->report;
	size_t widths[CELLS + 1] = {0};
	uint32_t shown = shown_rows(text);
	struct row row;

	if (report->benchmarks_count == 0)
		return;
	page_say(&text->page, "\n");
	make_head(&row, report);
	widen(widths, &row);
	for (uint32_t i = 0; i < shown; i++) {
		make_row(&row, &report->benchmarks[text->summary.order[i]]);
		widen(widths, &row);
	}
	make_head(&row, report);
	if (shown > 0)
		say_row(text, widths, &row, VERDICT_SAME);
	for (uint32_t i = 0; i < shown; i++) {
		const struct report_benchmark
			*benchmark = &report->benchmarks[text->summary.order[i]];

		make_row(&row, benchmark);
		say_row(text, widths, &row, benchmark->verdict);
	}
	if (shown < report->benchmarks_count)
		page_say(&text->page, "  %-*s %u benchmarks, shown with -v\n", LABEL_COLUMNS,
			"same", report->benchmarks_count - shown);
}

/* Why, in the table's order; what is within the limit is explained with -v only. */
static void say_reasons(struct text *text)
{
	bool any = false;

	for (uint32_t i = 0; i < shown_rows(text); i++) {
		const struct report_benchmark
			*benchmark = &text->report->benchmarks[text->summary.order[i]];

		if (!*benchmark->reason ||
			(benchmark->verdict == VERDICT_SAME && !text->view->verbose))
			continue;
		page_say(&text->page, "%s  %s: %s\n", any ? "" : "\n", benchmark->name,
			benchmark->reason);
		say_log(text, benchmark->log);
		any = true;
	}
}

static void say_fact(struct text *text, const char *label, const char *words)
{
	page_say(&text->page, "  %-*s %s\n", LABEL_COLUMNS, label, words);
}

static void say_layout(struct text *text)
{
	const char *reasons[LAYOUT_REASONS];
	char words[SUMMARY_BYTES];
	size_t count = summary_layout_reasons(reasons, LAYOUT_REASONS, text->report);

	summary_layout(words, &text->summary);
	page_say(&text->page, "  %-*s %s", LABEL_COLUMNS, "layout", words);
	for (size_t i = 0; i < count; i++)
		page_say(&text->page, "%s%s", i == 0 ? ": " : "; ", reasons[i]);
	page_say(&text->page, "\n");
}

static void say_sensitivity(struct text *text)
{
	const struct report *report = text->report;

	if (report->noise_floor > 0)
		page_say(&text->page, "  %-*s %s, baseline against baseline\n", LABEL_COLUMNS,
			"noise", figures_noise(report->noise_floor).text);
	if (!report->null_trusted && *report->null_reason)
		page_say(&text->page, "  %-*s this machine cannot tell: %s\n", LABEL_COLUMNS,
			"noise", report->null_reason);
	if (text->summary.losses > 0)
		page_say(&text->page,
			"  %-*s a loss of %s in half of the benchmarks, at worst %s (%s)\n",
			LABEL_COLUMNS, "could see", figures_percent(text->summary.loss_median).text,
			figures_percent(text->summary.loss_worst).text,
			report->benchmarks[text->summary.worst].name);
}

static void say_limits(struct text *text)
{
	const struct report *report = text->report;
	char words[SUMMARY_BYTES];

	summary_limits(words, &text->summary, report);
	page_say(&text->page, "  %-*s %s%s%s\n", LABEL_COLUMNS, "limits", words,
		*report->limits.source ? ", from " : "", report->limits.source);
	for (size_t i = 0; report->gate_changes[i]; i++)
		say_fact(text, "gate", report->gate_changes[i]);
}

static void say_machine(struct text *text)
{
	const struct report_machine *machine = &text->report->machine;

	if (*machine->cpu || *machine->kernel)
		page_say(&text->page, "  %-*s %s, %u cores, Linux %s, load %.1f to %.1f%s\n",
			LABEL_COLUMNS, "machine", machine->cpu, machine->cores, machine->kernel,
			machine->load_start, machine->load_end,
			machine->steal > 0.05 ? ", time stolen by its host" : "");
	if (*machine->tier)
		page_say(&text->page, "  %-*s %s", LABEL_COLUMNS, "confined", machine->tier);
	for (size_t i = 0; *machine->tier && machine->missing[i]; i++)
		page_say(&text->page, "%s%s", i == 0 ? "; missing here: " : ", ",
			machine->missing[i]);
	if (*machine->tier)
		page_say(&text->page, "\n");
}

static void say_facts(struct text *text)
{
	const struct report *report = text->report;
	char words[SUMMARY_BYTES];

	page_say(&text->page, "\n");
	if (text->summary.compared > text->summary.identical) {
		summary_across(words, report);
		page_say(&text->page, "  %-*s %s%s%s\n", LABEL_COLUMNS, "together", words,
			*report->across_reason ? ": " : "", report->across_reason);
		say_limits(text);
		say_layout(text);
		say_sensitivity(text);
	}
	say_machine(text);
	for (size_t i = 0; report->notes[i]; i++)
		say_fact(text, "note", report->notes[i]);
}

static void say_time(struct text *text)
{
	const struct report_time *time = &text->report->time;
	const struct {
		const char *name;
		double seconds;
	} parts[] = {{"checkout", time->checkout}, {"build", time->build},
		{"confinement", time->confinement}, {"links", time->links},
		{"starts", time->starts}, {"set-up", time->setup}, {"warm-up", time->warmup},
		{"samples", time->samples}, {"hand-over", time->handover}};

	page_say(&text->page, "  %-*s %s:", LABEL_COLUMNS, "time",
		figures_seconds(time->total).text);
	for (size_t i = 0; i < ARRAY_LENGTH(parts); i++)
		page_say(&text->page, "%s %s %s", i == 0 ? "" : ",", parts[i].name,
			figures_seconds(parts[i].seconds).text);
	page_say(&text->page, "\n  %-*s %" PRIu64 "\n", LABEL_COLUMNS, "seed", text->report->seed);
	if (*text->report->started)
		say_fact(text, "started", text->report->started);
	if (*text->report->duel_version)
		say_fact(text, "duel", text->report->duel_version);
}

int report_text(struct buf *out, const struct report *report, const struct report_view *view,
	struct err *err)
{
	struct text text = {.page = {.out = out, .err = err}, .report = report, .view = view};
	int result = summary_make(&text.summary, report, err);

	if (result == 0) {
		say_headline(&text);
		if (*report->failure_log)
			say_log(&text, report->failure_log);
		page_say(&text.page, "\n");
		say_version(&text, "baseline", &report->baseline);
		say_version(&text, "candidate", &report->candidate);
		say_table(&text);
		say_reasons(&text);
		say_facts(&text);
		if (view->verbose)
			say_time(&text);
		result = page_end(&text.page);
	}
	summary_release(&text.summary);
	return result;
}
