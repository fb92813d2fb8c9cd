#include "runner/report/figures.h"

#include "sandbox/base/attr.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define UNKNOWN "-"
#define UNBOUNDED "+∞"
#define DIGITS_TURN 0.9995 /* from here on three digits round up to the next unit */

static struct figure plain(const char *text)
{
	struct figure figure = {{0}};

	(void)snprintf(figure.text, sizeof(figure.text), "%s", text);
	return figure;
}

/* Three digits, never as a power of ten. */
static int decimals_of(double value)
{
	return value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
}

struct figure figures_time(double ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	struct figure figure = {{0}};
	size_t unit = 0;

	if (!(ns > 0))
		return plain(UNKNOWN);
	while (unit + 1 < ARRAY_LENGTH(units) && ns >= DIGITS_TURN * units[unit + 1].ns)
		unit++;
	ns /= units[unit].ns;
	(void)snprintf(
		figure.text, sizeof(figure.text), "%.*f %s", decimals_of(ns), ns, units[unit].name);
	return figure;
}

struct figure figures_seconds(double seconds)
{
	struct figure figure = {{0}};

	(void)snprintf(figure.text, sizeof(figure.text), "%.*f s", decimals_of(seconds), seconds);
	return figure;
}

/* Percent without its sign "%"; two decimals only where one would show nothing. */
static struct figure percent(double ratio)
{
	struct figure figure = {{0}};
	double value = (ratio - 1) * 100, size = fabs(value);
	int decimals = size >= 99.95 ? 0 : size < 0.095 ? 2 : 1;

	if (ratio >= SCHEMA_RATIO_MAX)
		return plain(UNBOUNDED);
	if (size < 0.005)
		return plain("0.0");
	(void)snprintf(figure.text, sizeof(figure.text), "%+.*f", decimals, value);
	return figure;
}

struct figure figures_percent(double ratio)
{
	struct figure figure = {{0}};

	if (!(ratio > 0))
		return plain(UNKNOWN);
	(void)snprintf(figure.text, sizeof(figure.text), "%.40s %%", percent(ratio).text);
	return figure;
}

struct figure figures_interval(const struct report_ratio *cpu)
{
	struct figure figure = {{0}};

	if (!(cpu->ratio > 0))
		return plain(UNKNOWN);
	(void)snprintf(figure.text, sizeof(figure.text), "[%.20s, %.20s]", percent(cpu->low).text,
		percent(cpu->high).text);
	return figure;
}

struct figure figures_ratio(double ratio)
{
	struct figure figure = {{0}};

	if (!(ratio > 0))
		return plain(UNKNOWN);
	if (ratio >= SCHEMA_RATIO_MAX)
		return plain("∞");
	(void)snprintf(figure.text, sizeof(figure.text), "%.*f", ratio < 100 ? 3 : 0, ratio);
	return figure;
}

struct figure figures_ratios(const struct report_ratio *cpu)
{
	struct figure figure = {{0}}, low = figures_ratio(cpu->low);

	if (!(cpu->ratio > 0))
		return plain(UNKNOWN);
	(void)snprintf(figure.text, sizeof(figure.text), "%.12s [%.12s, %.12s]",
		figures_ratio(cpu->ratio).text, cpu->low > 0 ? low.text : "0",
		figures_ratio(cpu->high).text);
	return figure;
}

struct figure figures_limit(double ratio)
{
	struct figure figure = {{0}};

	/* Six digits hide the error of the subtraction: 1.02 - 1 is 0.020000000000000018. */
	(void)snprintf(figure.text, sizeof(figure.text), "%+.6g %%", (ratio - 1) * 100);
	return figure;
}

struct figure figures_confidence(double confidence)
{
	struct figure figure = {{0}};

	(void)snprintf(figure.text, sizeof(figure.text), "%.6g %%", confidence * 100);
	return figure;
}

struct figure figures_noise(double log_ratio)
{
	struct figure figure = {{0}};

	(void)snprintf(figure.text, sizeof(figure.text), "%.2g %%", (exp(log_ratio) - 1) * 100);
	return figure;
}
