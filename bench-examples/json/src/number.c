#include "reader.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_TEXT_MAX 400                /* longer ones are refused: no number needs them */
#define NUMBER_EXACT_MAX 9007199254740992u /* 2^53: every integer below is a double */

struct number {
	uint64_t digits; /* all digits as one integer, as long as they fit */
	int exponent;    /* of ten */
	int is_exact;    /* digits holds them all and is at most 2^53 */
};

static int number_is_digit(const struct reader *reader)
{
	return reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9';
}

static void number_take_digit(struct reader *reader, struct number *number)
{
	number->digits = number->digits * 10 + (uint64_t)(*reader->at - '0');
	if (number->digits > NUMBER_EXACT_MAX) {
		number->digits = NUMBER_EXACT_MAX;
		number->is_exact = 0;
	}
	reader->at++;
}

static int number_read_fraction(struct reader *reader, struct number *number)
{
	if (reader->at == reader->end || *reader->at != '.')
		return 0;
	reader->at++;
	if (!number_is_digit(reader))
		return reader_fail(reader, "a digit expected behind the point");
	while (number_is_digit(reader)) {
		number_take_digit(reader, number);
		number->exponent--;
	}
	return 0;
}

static int number_read_exponent(struct reader *reader, struct number *number)
{
	int exponent = 0;
	int is_negative = 0;

	if (reader->at == reader->end || (*reader->at | 0x20) != 'e')
		return 0;
	reader->at++;
	if (reader->at < reader->end && (*reader->at == '-' || *reader->at == '+'))
		is_negative = *reader->at++ == '-';
	if (!number_is_digit(reader))
		return reader_fail(reader, "a digit expected in the exponent");
	for (; number_is_digit(reader); reader->at++) {
		if (exponent < 10000)
			exponent = exponent * 10 + (*reader->at - '0');
	}
	number->exponent += is_negative ? -exponent : exponent;
	return 0;
}

/* What the short way cannot do exactly; the text ends somewhere, strtod() needs a zero byte. */
static int number_read_slowly(struct reader *reader, const char *start, double *out)
{
	char text[NUMBER_TEXT_MAX];
	size_t length = (size_t)(reader->at - start);

	if (length >= sizeof(text))
		return reader_fail(reader, "the number is too long");
	memcpy(text, start, length);
	text[length] = '\0';
	*out = strtod(text, NULL);
	return isfinite(*out) ? 0 : reader_fail(reader, "the number is too large");
}

/*
 * An integer of at most 2^53 times or divided by a power of ten of at most 22 is rounded once, so
 * the result is the nearest double (Clinger 1990).
 */
int number_read(struct reader *reader, double *out)
{
	static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
		1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
	struct number number = {0, 0, 1};
	const char *start = reader->at;

	if (*reader->at == '-')
		reader->at++;
	if (!number_is_digit(reader))
		return reader_fail(reader, "a digit expected");
	if (*reader->at == '0') {
		reader->at++;
	} else {
		while (number_is_digit(reader))
			number_take_digit(reader, &number);
	}
	if (number_read_fraction(reader, &number) != 0 ||
		number_read_exponent(reader, &number) != 0)
		return -1;
	if (!number.is_exact || number.exponent < -22 || number.exponent > 22)
		return number_read_slowly(reader, start, out);
	*out = (double)number.digits;
	if (number.exponent < 0)
		*out /= powers[-number.exponent];
	else
		*out *= powers[number.exponent];
	if (*start == '-')
		*out = -*out;
	return 0;
}

static size_t number_write_integer(char *out, double number)
{
	char digits[20];
	uint64_t rest = (uint64_t)fabs(number);
	size_t count = 0;
	size_t length = 0;

	do {
		digits[count++] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest > 0);
	if (number < 0)
		out[length++] = '-';
	while (count > 0)
		out[length++] = digits[--count];
	return length;
}

size_t number_write(char *out, size_t room, double number)
{
	if (fabs(number) <= (double)NUMBER_EXACT_MAX && number == floor(number) &&
		!(number == 0 && signbit(number)))
		return number_write_integer(out, number);
	return (size_t)snprintf(out, room, "%.17g", number);
}
