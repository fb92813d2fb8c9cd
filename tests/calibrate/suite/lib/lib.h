/*
 * The functions of the suite's static library, each called by one benchmark.
 */
#ifndef LIB_H
#define LIB_H

#ifdef SUITE_RENAME
/* The same functions under other names, which sort elsewhere. */
#define crc_update tables_crc_update
#define utf8_is_valid strings_utf8_is_valid
#define varint_sum bytes_varint_sum
#define hash_fnv z_hash_fnv
#define base64_encode b_encode
#define search_count a_search_count
#endif

#include <stddef.h>
#include <stdint.h>

/* As SUITE_STEADY in suite.h, which the library does not know. */
#define LIB_STEADY __attribute__((noinline, aligned(64)))

uint32_t hash_fnv(const unsigned char *bytes, size_t length);

void crc_make_table(uint32_t table[256]);
uint32_t crc_update(const uint32_t table[256], const unsigned char *bytes, size_t length);
uint32_t crc_adler(const unsigned char *bytes, size_t length);

/* 1 or 0. */
int utf8_is_valid(const unsigned char *bytes, size_t length);

/* Return the bytes written; `length` is a multiple of 3 (of 4 for decoding). */
size_t base64_encode(char *out, const unsigned char *bytes, size_t length);
size_t base64_decode(unsigned char *out, const char *text, size_t length);

/* Return the bytes written; the worst case of packing is length * 9 / 8 + 9. */
size_t lz_pack(unsigned char *out, const unsigned char *bytes, size_t length);
size_t lz_unpack(unsigned char *out, const unsigned char *packed, size_t length);

/* How often the word occurs. */
size_t search_count(const char *text, size_t length, const char *word);

/* Numbers of seven bits a byte. */
size_t varint_write(unsigned char *out, uint64_t number);
uint64_t varint_sum(const unsigned char *bytes, size_t length);

void sort_insertion(uint32_t *numbers, size_t count);

#endif
