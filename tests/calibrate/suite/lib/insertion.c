#include "lib.h"

LIB_STEADY void sort_insertion(uint32_t *numbers, size_t count)
{
	size_t i;
	size_t at;
	uint32_t number;

	for (i = 1; i < count; i++) {
		number = numbers[i];
		for (at = i; at > 0 && numbers[at - 1] > number; at--)
			numbers[at] = numbers[at - 1];
		numbers[at] = number;
	}
}
