#include "lib.h"

size_t varint_write(unsigned char *out, uint64_t number)
{
	size_t length = 0;

	for (; number >= 0x80; number >>= 7)
		out[length++] = (unsigned char)(number | 0x80);
	out[length++] = (unsigned char)number;
	return length;
}

LIB_STEADY uint64_t varint_sum(const unsigned char *bytes, size_t length)
{
	uint64_t sum = 0;
	uint64_t number = 0;
	unsigned shift = 0;
	size_t i;

	for (i = 0; i < length; i++) {
		number |= (uint64_t)(bytes[i] & 0x7f) << shift;
		shift += 7;
		if (bytes[i] < 0x80) {
			sum += number;
			number = 0;
			shift = 0;
		}
	}
	return sum;
}
