/*
 * How many bytes from here on need no care in a JSON string: none is a quote, a backslash or a
 * control character. Sixteen bytes at a time with SSE2, else eight.
 */
#ifndef SCAN_H
#define SCAN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline int scan_is_plain(unsigned char byte)
{
	return byte >= 0x20 && byte != '"' && byte != '\\';
}

#ifdef __SSE2__
#include <emmintrin.h>

#define SCAN_WIDTH 16

/* Offset of the first byte that needs care in these sixteen, 16 where there is none. */
static inline size_t scan_block(const char *bytes)
{
	__m128i block = _mm_loadu_si128((const __m128i *)(const void *)bytes);
	__m128i quotes = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
	__m128i backslashes = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
	__m128i controls = _mm_cmpeq_epi8(
		_mm_max_epu8(block, _mm_set1_epi8(0x1f)), _mm_set1_epi8(0x1f));
	unsigned found = (unsigned)_mm_movemask_epi8(
		_mm_or_si128(_mm_or_si128(quotes, backslashes), controls));

	return found ? (size_t)__builtin_ctz(found) : SCAN_WIDTH;
}
#else
#define SCAN_WIDTH 8

/* A byte of the result has its top bit set where the byte of `word` is zero (exact below the first
 * hit, which is all that is asked). */
static inline uint64_t scan_zeroes(uint64_t word)
{
	return (word - 0x0101010101010101u) & ~word & 0x8080808080808080u;
}

static inline size_t scan_block(const char *bytes)
{
	uint64_t word;
	uint64_t found;
	size_t at = 0;

	memcpy(&word, bytes, sizeof(word));
	found = scan_zeroes(word ^ 0x2222222222222222u) | scan_zeroes(word ^ 0x5c5c5c5c5c5c5c5cu) |
		((word - 0x2020202020202020u) & ~word & 0x8080808080808080u);
	if (!found)
		return SCAN_WIDTH;
	while (scan_is_plain((unsigned char)bytes[at]))
		at++;
	return at;
}
#endif

static inline size_t scan_plain(const char *bytes, size_t length)
{
	size_t at = 0;
	size_t step;

	while (length - at >= SCAN_WIDTH) {
		step = scan_block(bytes + at);
		at += step;
		if (step < SCAN_WIDTH)
			return at;
	}
	while (at < length && scan_is_plain((unsigned char)bytes[at]))
		at++;
	return at;
}

#endif
