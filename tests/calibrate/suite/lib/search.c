#include "lib.h"

#include <string.h>

/* Horspool: on a mismatch skip as far as the last byte of the window allows. */
size_t search_count(const char *text, size_t length, const char *word)
{
	size_t skip[256];
	size_t word_length = strlen(word);
	size_t count = 0;
	size_t at = 0;
	size_t i;

	for (i = 0; i < 256; i++)
		skip[i] = word_length;
	for (i = 0; i + 1 < word_length; i++)
		skip[(unsigned char)word[i]] = word_length - 1 - i;
	while (at + word_length <= length) {
		for (i = word_length; i > 0 && text[at + i - 1] == word[i - 1]; i--)
			;
		count += i == 0;
		at += skip[(unsigned char)text[at + word_length - 1]];
	}
	return count;
}
