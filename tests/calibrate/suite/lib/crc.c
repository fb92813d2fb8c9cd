#include "lib.h"

void crc_make_table(uint32_t table[256])
{
	uint32_t i;
	uint32_t crc;
	int bit;

	for (i = 0; i < 256; i++) {
		crc = i;
		for (bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
		table[i] = crc;
	}
}

uint32_t crc_update(const uint32_t table[256], const unsigned char *bytes, size_t length)
{
	uint32_t crc = ~0u;
	size_t i;

	for (i = 0; i < length; i++)
		crc = table[(crc ^ bytes[i]) & 255] ^ crc >> 8;
	return ~crc;
}

uint32_t crc_adler(const unsigned char *bytes, size_t length)
{
	uint32_t low = 1;
	uint32_t high = 0;
	size_t i;

	for (i = 0; i < length; i++) {
		low += bytes[i];
		high += low;
		if (low >= 65521)
			low -= 65521;
		if (high >= 65521)
			high -= 65521;
	}
	return high << 16 | low;
}
