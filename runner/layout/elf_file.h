/*
 * Reading what a linker wrote: a bounded view of an ELF64 file of this machine's byte order.
 *
 * The files come from a build nobody has reviewed. They are read with pread(2), never mapped, so
 * that a file cut short meanwhile is an error and not a signal; every offset and count is checked
 * against the file's size before it is used.
 */
#ifndef RUNNER_LAYOUT_ELF_FILE_H
#define RUNNER_LAYOUT_ELF_FILE_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ELF_FILE_NAMES_BYTES_MAX (16u << 20) /* all section names together */

struct elf_file {
	int fd;               /* borrowed */
	uint64_t bytes;       /* the file's size when it was opened */
	Elf64_Ehdr header;    /* type, machine, flags */
	Elf64_Shdr *sections; /* owned array */
	size_t sections_count;
	char *names; /* owned; section names, terminated */
	size_t names_bytes;
};

/*
 * Read the header and the section table. Errors: ERR_BUILD, it is no ELF file, or none of this kind
 * (32 bits, other byte order), or damaged; ERR_OS. Then nothing is owned.
 */
int elf_file_open(struct elf_file *file, int fd, struct err *err) ATTR_MUST_USE;
void elf_file_release(struct elf_file *file); /* accepts a zeroed one */

/* Never NULL: "" where the name lies outside the table. */
const char *elf_file_section_name(const struct elf_file *file, const Elf64_Shdr *section);

/*
 * The section's bytes, allocated, one zero byte behind them. Errors: ERR_BUILD it lies outside the
 * file or has none there; ERR_LIMIT beyond bytes_max; ERR_OS.
 */
int elf_file_read(const struct elf_file *file, const Elf64_Shdr *section, size_t bytes_max,
	char **bytes, struct err *err) ATTR_MUST_USE;

/*
 * Do both files put the same bytes at the same addresses? What is not loaded (symbols, debug
 * information) may differ, and so may the build id, which depends on it. Errors: as
 * elf_file_read().
 */
int elf_file_same_image(const struct elf_file *left, const struct elf_file *right, bool *same,
	struct err *err) ATTR_MUST_USE;

#endif
