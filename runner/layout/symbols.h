/*
 * The functions of an ELF file: is a relink the same code, and has it moved?
 *
 * A function is a symbol of type FUNC or IFUNC with a size, in a section that is executed; those of
 * .init, .fini and the PLT, which the linker makes itself, are left out. Names are kept as hashes:
 * they come from a build nobody has reviewed and are only ever compared.
 */
#ifndef RUNNER_LAYOUT_SYMBOLS_H
#define RUNNER_LAYOUT_SYMBOLS_H

#include "runner/layout/elf_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SYMBOLS_BYTES_MAX ((size_t)256 << 20) /* of a symbol table, and of its names */

struct symbol {
	uint64_t name; /* hash */
	uint64_t size; /* bytes of machine code */
	uint64_t address;
};

/* Sorted by name, size, address. */
struct symbols {
	struct symbol *items; /* owned array */
	size_t count;         /* 0 where the file was stripped */
};

/* Errors: ERR_BUILD the tables are damaged; ERR_LIMIT; ERR_OS. Then nothing is owned. */
int symbols_read(
	struct symbols *symbols, const struct elf_file *file, struct err *err) ATTR_MUST_USE;
void symbols_release(struct symbols *symbols); /* accepts a zeroed one */

/* The same functions with the same sizes? */
bool symbols_are_same(const struct symbols *left, const struct symbols *right);

/* How many functions lie where they lay before? Only for two that are the same. */
size_t symbols_unmoved(const struct symbols *before, const struct symbols *after);

/* A figure for where everything lies: equal layouts have equal ones. */
uint64_t symbols_layout(const struct symbols *symbols);

#endif
