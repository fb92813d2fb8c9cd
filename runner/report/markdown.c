#include "runner/report/report.h"

#include "runner/report/figures.h"
#include "runner/report/page.h"
#include "runner/report/summary.h"
#include "sandbox/base/text.h"

#include <inttypes.h>
#include <stdbool.h>

#define ROWS_MAX 200 /* of one table: what is beyond is in the artifact */
#define LOGS_MAX 10
#define LAYOUT_REASONS 5
#define COMMIT_DIGITS 12

/* What the parts of the page share. Foreign text goes through page_code() and page_block() only. */
struct markdown {
	struct page page;
	const struct report *report;
	struct summary summary;
};

static const struct report_benchmark *ranked(const struct markdown *md, uint32_t place)
{
	return &md->report->benchmarks[md->summary.order[place]];
}

static void say_headline(struct markdown *md)
{
	char headline[SUMMARY_BYTES];

	summary_headline(headline, &md->summary, md->report);
	page_say(&md->page, "## duel: %s\n\n", headline);
	if (*md->report->failure) {
		page_code(&md->page, md->report->failure);
		page_say(&md->page, "\n\n");
	}
	if (*md->report->failure_log)
		page_block(&md->page, md->report->failure_log);
}

static void say_version(struct page *page, const char *side, const struct report_version *version)
{
	char commit[COMMIT_DIGITS + 1];

	(void)text_copy(commit, sizeof(commit), version->commit);
	if (!*commit && !version->worktree)
		return;
	page_say(page, "- %s ", side);
	page_code(page, commit);
	if (*version->ref) {
		page_say(page, ", ");
		page_code(page, version->ref);
	}
	if (*version->subject) {
		page_say(page, ": ");
		page_code(page, version->subject);
	}
	page_say(page, "%s\n", version->worktree ? ", with uncommitted changes" : "");
}

static void say_versions(struct markdown *md)
{
	say_version(&md->page, "baseline", &md->report->baseline);
	say_version(&md->page, "candidate", &md->report->candidate);
}

static void say_more(struct page *page, uint32_t more)
{
	if (more > 0)
		page_say(page, "\n%" PRIu32 " more are in the artifact.\n", more);
}

static void say_slower(struct markdown *md, const struct report_benchmark *benchmark)
{
	struct page *page = &md->page;

	page_say(page, "- ");
	page_code(page, benchmark->name);
	page_say(page, ": **%s** CPU time an iteration, %s at %s; limit %s; %s to %s%s",
		figures_percent(benchmark->cpu.ratio).text, figures_interval(&benchmark->cpu).text,
		figures_confidence(1 - 2 * benchmark->alpha).text,
		figures_limit(benchmark->limit).text, figures_time(benchmark->baseline_ns).text,
		figures_time(benchmark->candidate_ns).text,
		benchmark->confirmed ? "; met again in a second measurement from fresh processes"
				     : "");
	if (*benchmark->reason) {
		page_say(page, "; ");
		page_code(page, benchmark->reason);
	}
	page_say(page, "\n");
}

static void say_regressed(struct markdown *md)
{
	uint32_t slower = md->summary.verdicts[VERDICT_SLOWER];
	uint32_t shown = slower < ROWS_MAX ? slower : ROWS_MAX;
	bool together = md->report->across_verdict == VERDICT_SLOWER;

	if (slower == 0 && !together)
		return;
	page_say(&md->page, "\n### What regressed\n\n");
	for (uint32_t i = 0; i < shown; i++)
		say_slower(md, ranked(md, i));
	if (together)
		page_say(&md->page,
			"- all benchmarks together: **%s** CPU time, %s at %s; limit %s\n",
			figures_percent(md->report->across.ratio).text,
			figures_interval(&md->report->across).text,
			figures_confidence(md->report->limits.confidence).text,
			figures_limit(md->report->limits.across).text);
	say_more(&md->page, slower - shown);
}

static void say_row(struct page *page, const struct report_benchmark *benchmark)
{
	page_say(page, "| ");
	page_code(page, benchmark->name);
	page_say(page, " | %s | %s | %s | %s | %s | %s |\n", verdict_name(benchmark->verdict),
		figures_ratios(&benchmark->cpu).text, figures_time(benchmark->baseline_ns).text,
		figures_time(benchmark->candidate_ns).text, figures_limit(benchmark->limit).text,
		figures_percent(benchmark->smallest_loss).text);
}

/* Of the ranked benchmarks, `count` from `first` on. */
static void say_table(struct markdown *md, uint32_t first, uint32_t count)
{
	uint32_t shown = count < ROWS_MAX ? count : ROWS_MAX;

	page_say(&md->page,
		"\n| benchmark | verdict | ratio [interval] | baseline | candidate | limit | "
		"could see |\n|---|---|---|---|---|---|---|\n");
	for (uint32_t i = first; i < first + shown; i++)
		say_row(&md->page, ranked(md, i));
	say_more(&md->page, count - shown);
}

static void say_tables(struct markdown *md)
{
	uint32_t same = md->summary.verdicts[VERDICT_SAME];
	uint32_t others = md->report->benchmarks_count - same;

	if (others > 0)
		say_table(md, 0, others);
	if (same == 0)
		return;
	page_say(&md->page,
		"\n<details>\n<summary>%" PRIu32 " benchmark%s within the limit</summary>\n", same,
		same == 1 ? "" : "s");
	say_table(md, others, same);
	page_say(&md->page, "\n</details>\n");
}

/* A heading with words, and each benchmark of this verdict with its reason. */
static void say_reasons(
	struct markdown *md, enum verdict verdict, const char *heading, const char *words)
{
	uint32_t shown = 0, logs = 0;

	if (md->summary.verdicts[verdict] == 0)
		return;
	page_say(&md->page, "\n### %s\n\n%s\n\n", heading, words);
	for (uint32_t i = 0; i < md->report->benchmarks_count && shown < ROWS_MAX; i++) {
		const struct report_benchmark *benchmark = ranked(md, i);

		if (benchmark->verdict != verdict)
			continue;
		shown++;
		page_say(&md->page, "- ");
		page_code(&md->page, benchmark->name);
		if (*benchmark->reason) {
			page_say(&md->page, ": ");
			page_code(&md->page, benchmark->reason);
		}
		page_say(&md->page, "\n");
		if (*benchmark->log && logs++ < LOGS_MAX)
			page_block(&md->page, benchmark->log);
	}
	say_more(&md->page, md->summary.verdicts[verdict] - shown);
}

static void say_layout(struct markdown *md)
{
	const char *reasons[LAYOUT_REASONS];
	size_t count = summary_layout_reasons(reasons, LAYOUT_REASONS, md->report);
	char words[SUMMARY_BYTES];

	summary_layout(words, &md->summary);
	page_say(&md->page, "- %s", words);
	for (size_t i = 0; i < count; i++) {
		page_say(&md->page, "%s", i == 0 ? ": " : "; ");
		page_code(&md->page, reasons[i]);
	}
	page_say(&md->page, "\n");
}

static void say_list(struct page *page, const char *label, char *const *items)
{
	for (size_t i = 0; i < SCHEMA_NOTES_MAX && items[i]; i++) {
		page_say(page, "- %s: ", label);
		page_code(page, items[i]);
		page_say(page, "\n");
	}
}

static void say_judgement(struct markdown *md)
{
	const struct report *report = md->report;
	char words[SUMMARY_BYTES];

	summary_across(words, report);
	page_say(&md->page, "- all together: %s", words);
	if (*report->across_reason) {
		page_say(&md->page, ": ");
		page_code(&md->page, report->across_reason);
	}
	summary_limits(words, &md->summary, report);
	page_say(&md->page, "\n- limits: %s", words);
	if (*report->limits.source) {
		page_say(&md->page, ", from ");
		page_code(&md->page, report->limits.source);
	}
	page_say(&md->page, "\n");
	say_list(&md->page, "the candidate changed in the gate", report->gate_changes);
	say_layout(md);
	if (md->summary.losses > 0)
		page_say(&md->page,
			"- a loss of %s would have been seen in half of the benchmarks, one of %s "
			"in each\n",
			figures_percent(md->summary.loss_median).text,
			figures_percent(md->summary.loss_worst).text);
}

static void say_machine(struct markdown *md)
{
	const struct report *report = md->report;
	const struct report_machine *machine = &report->machine;

	if (*machine->cpu) {
		page_say(&md->page, "- machine: ");
		page_code(&md->page, machine->cpu);
		page_say(&md->page, ", %" PRIu32 " cores, load %.1f to %.1f", machine->cores,
			machine->load_start, machine->load_end);
		if (report->noise_floor > 0)
			page_say(&md->page, ", baseline against baseline scatters by %s",
				figures_noise(report->noise_floor).text);
		page_say(&md->page, "\n");
	}
	if (!report->null_trusted && *report->null_reason) {
		page_say(&md->page, "- this machine cannot tell: ");
		page_code(&md->page, report->null_reason);
		page_say(&md->page, "\n");
	}
	if (*machine->tier) {
		page_say(&md->page, "- confined: ");
		page_code(&md->page, machine->tier);
		page_say(&md->page, "\n");
		say_list(&md->page, "confinement that this machine lacks", machine->missing);
	}
}

static const char how_it_decides[] =
	"\nEach pair is one fresh process of each side on one core, with the same random offsets "
	"and, where links could be repeated, a new random layout of the same machine code. A "
	"benchmark is **slower** where the whole interval of the ratio of CPU time, candidate to "
	"baseline, lies above its limit, and lies there again in a second measurement from fresh "
	"processes; **faster** is the same below; **same** lies within; **unsettled** is too close "
	"to the limit to tell and never fails a run. *Could see* is the smallest loss that this "
	"run would have called slower.\n";

static void say_details(struct markdown *md)
{
	page_say(&md->page,
		"\n<details>\n<summary>Limits, machine, and how it decides</summary>\n\n");
	if (md->summary.compared > 0)
		say_judgement(md);
	say_machine(md);
	say_list(&md->page, "note", md->report->notes);
	if (md->summary.compared > 0)
		page_say(&md->page, "%s", how_it_decides);
	page_say(&md->page, "\n</details>\n");
}

static void say_all(struct markdown *md)
{
	say_headline(md);
	say_versions(md);
	say_regressed(md);
	say_tables(md);
	say_reasons(md, VERDICT_ERROR, "Could not be measured",
		"What each printed last stands below it.");
	say_reasons(md, VERDICT_UNSETTLED, "Unsettled",
		"Not shown to be slower, nor shown not to be. This never fails a run.");
	say_details(md);
}

int report_markdown(struct buf *out, const struct report *report, struct err *err)
{
	struct markdown md = {.page = {.out = out, .err = err}, .report = report};
	int result = summary_make(&md.summary, report, err);

	if (result == 0) {
		say_all(&md);
		result = page_end(&md.page);
	}
	summary_release(&md.summary);
	return result;
}
