#include "sandbox/base/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool text_to_u64(const char *text, uint64_t max, uint64_t *out)
{
	uint64_t value = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		unsigned digit = (unsigned)(unsigned char)*text - '0';

		if (digit > 9 || value > (max - digit) / 10 || digit > max)
			return false;
		value = value * 10 + digit;
	}
	*out = value;
	return true;
}

bool text_to_double(const char *text, double *out)
{
	char *end;
	double value;

	/* strtod(3) also takes blanks, a plus, hexadecimal and words. */
	if (text[strspn(text, "0123456789.eE+-")] || *text == '+')
		return false;
	errno = 0;
	value = strtod(text, &end);
	if (end == text || *end || errno || !isfinite(value))
		return false;
	*out = value;
	return true;
}

/* Characters that change how others are shown, or show as nothing (Unicode 15, categories Cc, Cf,
 * Zl, Zp). */
static bool is_invisible(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{0x0000, 0x001f},
		{0x007f, 0x009f},
		{0x00ad, 0x00ad},
		{0x0600, 0x0605},
		{0x061c, 0x061c},
		{0x06dd, 0x06dd},
		{0x070f, 0x070f},
		{0x115f, 0x1160},
		{0x17b4, 0x17b5},
		{0x180b, 0x180f},
		{0x200b, 0x200f},
		{0x2028, 0x202e},
		{0x2060, 0x206f},
		{0x3164, 0x3164},
		{0xe000, 0xf8ff},
		{0xfe00, 0xfe0f},
		{0xfeff, 0xfeff},
		{0xffa0, 0xffa0},
		{0xfff0, 0xfffb},
		{0xfffe, 0xffff},
		{0x1bca0, 0x1bca3},
		{0x1d173, 0x1d17a},
		{0xe0000, 0x10ffff},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(ranges); i++) {
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	}
	return false;
}

/* Bytes of the well-formed character at `s` (RFC 3629 table 3-7), 0 where there is none. */
static size_t utf8_length(const unsigned char *s, size_t left, uint32_t *c)
{
	size_t length = s[0] < 0x80   ? 1
			: s[0] < 0xc2 ? 0
			: s[0] < 0xe0 ? 2
			: s[0] < 0xf0 ? 3
			: s[0] < 0xf5 ? 4
				      : 0;
	static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};

	if (length == 0 || length > left)
		return 0;
	*c = length == 1 ? s[0] : s[0] & (0x7fu >> length);
	for (size_t i = 1; i < length; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (s[i] & 0x3fu);
	}
	if (*c < least[length] || *c > 0x10ffff || (*c >= 0xd800 && *c <= 0xdfff))
		return 0;
	return length;
}

bool text_is_plain(const char *bytes, size_t length)
{
	const unsigned char *s = (const unsigned char *)bytes;

	while (length > 0) {
		uint32_t c;
		size_t step = utf8_length(s, length, &c);

		if (step == 0 || is_invisible(c))
			return false;
		s += step;
		length -= step;
	}
	return true;
}

static void make_printable(char *text, bool keep_lines)
{
	unsigned char *s = (unsigned char *)text;
	size_t length = strlen(text);

	while (length > 0) {
		uint32_t c;
		size_t step = utf8_length(s, length, &c);

		if (step == 1 && (*s == '\n' || *s == '\t')) {
			if (!keep_lines)
				*s = ' ';
		} else if (step == 0) {
			*s = '?';
			step = 1;
		} else if (is_invisible(c)) {
			memset(s, '?', step);
		}
		s += step;
		length -= step;
	}
}

void text_make_printable(char *text)
{
	make_printable(text, false);
}

void text_make_printable_lines(char *text)
{
	make_printable(text, true);
}

bool text_copy(char *dst, size_t dst_bytes, const char *src)
{
	size_t length = strnlen(src, dst_bytes);
	bool fits = length < dst_bytes;

	if (!fits)
		length = dst_bytes - 1;
	memcpy(dst, src, length);
	dst[length] = '\0';
	return fits;
}

/*
 * The classic two-pointer match: after a mismatch go back to the last star and let it take one byte
 * more. For paths a single star may not take a '/', a double one may, and one that is a whole part
 * of the path ("a/" "**" "/b") takes whole parts only, or none. A failed single star falls back to
 * the last double one; never further: what an earlier star could still give, the later one can
 * take.
 */
struct star {
	const char *pattern; /* behind the star; NULL = none seen */
	const char *text;    /* what the star has taken ends here */
	enum { STAR_IN_PART, STAR_ANY, STAR_PARTS } takes;
};

static bool retry(struct star *star, const char **pattern, const char **text)
{
	if (!star->pattern || !*star->text || (star->takes == STAR_IN_PART && *star->text == '/'))
		return false;
	if (star->takes == STAR_PARTS) {
		const char *slash = strchr(star->text, '/');

		if (!slash)
			return false;
		star->text = slash;
	}
	star->text++;
	*pattern = star->pattern;
	*text = star->text;
	return true;
}

/* The run of stars at *pattern, which moves behind it; `start` is the whole pattern's. */
static struct star star_at(const char **pattern, const char *start, const char *text, bool path)
{
	const char *first = *pattern;
	struct star star = {.text = text, .takes = STAR_ANY};

	while (**pattern == '*')
		(*pattern)++;
	if (path && *pattern - first == 1)
		star.takes = STAR_IN_PART;
	else if (path && **pattern == '/' && (first == start || first[-1] == '/')) {
		star.takes = STAR_PARTS;
		(*pattern)++;
	}
	star.pattern = *pattern;
	return star;
}

static bool matches(const char *pattern, const char *text, bool path)
{
	const char *start = pattern;
	struct star one = {.pattern = NULL}, two = {.pattern = NULL};

	for (;;) {
		if (*pattern == '*') {
			struct star star = star_at(&pattern, start, text, path);

			one = star;
			if (star.takes != STAR_IN_PART) {
				two = star;
				one.pattern = NULL;
			}
			continue;
		}
		/* "dir/" stands for all that is below it. */
		if (!*pattern && (!*text || (path && pattern > start && pattern[-1] == '/')))
			return true;
		if (*text && (*pattern == *text || (*pattern == '?' && !(path && *text == '/')))) {
			pattern++;
			text++;
			continue;
		}
		if (retry(&one, &pattern, &text))
			continue;
		one.pattern = NULL;
		if (!retry(&two, &pattern, &text))
			return false;
	}
}

bool text_matches(const char *pattern, const char *text)
{
	return matches(pattern, text, false);
}

bool text_matches_path(const char *pattern, const char *path)
{
	return matches(pattern, path, true);
}

#define NEAREST_BYTES_MAX 63

/* Levenshtein's distance by rows; both at most NEAREST_BYTES_MAX bytes. */
static size_t distance(const char *a, const char *b)
{
	size_t row[NEAREST_BYTES_MAX + 1];
	size_t length = strlen(b);

	for (size_t i = 0; i <= length; i++)
		row[i] = i;
	for (size_t row_number = 1; *a; a++, row_number++) {
		size_t diagonal = row[0];

		row[0] = row_number;
		for (size_t i = 1; i <= length; i++) {
			size_t changed = diagonal + (*a != b[i - 1]);
			size_t shorter = (row[i] < row[i - 1] ? row[i] : row[i - 1]) + 1;

			diagonal = row[i];
			row[i] = changed < shorter ? changed : shorter;
		}
	}
	return row[length];
}

const char *text_nearest(const char *word, const char *const *names, size_t names_count)
{
	size_t length = strlen(word);
	size_t best_distance = length < 3 ? 1 : length / 3 + 1;
	const char *best = NULL;

	if (length > NEAREST_BYTES_MAX)
		return NULL;
	for (size_t i = 0; i < names_count; i++) {
		size_t d;

		if (strlen(names[i]) > NEAREST_BYTES_MAX)
			continue;
		d = distance(word, names[i]);
		if (d > best_distance || (best && d == best_distance))
			continue;
		best = names[i];
		best_distance = d;
	}
	return best;
}
