#include "runner/rejudge.h"

#include "runner/decide.h"
#include "runner/stats/family.h"

#include <stdio.h>
#include <string.h>

#define SAID_BYTES 200

/* "cpu 1.05, across 1.01" of what was asked for. */
static void say(char said[SAID_BYTES], const struct rejudge_limits *limits)
{
	const struct {
		const char *name;
		double value;
	} numbers[] = {{"cpu", limits->cpu}, {"across", limits->across},
		{"confidence", limits->confidence}};
	size_t used = 0;

	*said = '\0';
	for (size_t i = 0; i < ARRAY_LENGTH(numbers); i++)
		if (numbers[i].value > 0)
			used += (size_t)snprintf(said + used, SAID_BYTES - used, "%s%s %.9g",
				used ? ", " : "", numbers[i].name, numbers[i].value);
	if (limits->strict || limits->lenient)
		(void)snprintf(said + used, SAID_BYTES - used, "%s%s", used ? ", " : "",
			limits->strict ? "strict" : "not strict");
}

static int set_source(struct report *report, const struct rejudge_limits *limits, struct err *err)
{
	char said[SAID_BYTES], source[SAID_BYTES + SCHEMA_TEXT_BYTES_MAX + 30];
	const char *before = report->limits.source;

	say(said, limits);
	if (!*said)
		return 0;
	(void)snprintf(source, sizeof(source), "duel judge (%s)%s%s", said,
		*before ? ", all else " : "", before);
	return report_set(&report->limits.source, source, SCHEMA_TEXT_BYTES_MAX, err);
}

int rejudge_report(struct report *report, const struct rejudge_limits *limits, struct err *err)
{
	if (set_source(report, limits, err) < 0)
		return -1;
	if (limits->cpu > 0)
		report->limits.cpu = limits->cpu;
	if (limits->across > 0)
		report->limits.across = limits->across;
	if (limits->confidence > 0)
		report->limits.confidence = limits->confidence;
	report->limits.strict = limits->strict || (report->limits.strict && !limits->lenient);
	for (uint32_t i = 0; i < report->benchmarks_count; i++) {
		struct report_benchmark *benchmark = &report->benchmarks[i];

		if (limits->cpu > 0)
			benchmark->limit = limits->cpu;
		if (limits->confidence > 0)
			benchmark->alpha = family_alpha(
				limits->confidence, report->benchmarks_count);
	}
	return decide_report(report, err);
}
