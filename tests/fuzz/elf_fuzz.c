/*
 * An ELF file as a hostile linker would leave it: sections, symbols, comparison with itself.
 */
#include "runner/layout/elf_file.h"
#include "runner/layout/symbols.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_names(const struct elf_file *file)
{
	for (size_t i = 0; i < file->sections_count; i++)
		assert(strlen(elf_file_section_name(file, &file->sections[i])) <=
			file->names_bytes);
}

static void check_symbols(const struct elf_file *file)
{
	struct symbols symbols;
	struct err err;

	if (symbols_read(&symbols, file, &err) < 0)
		return;
	assert(symbols_are_same(&symbols, &symbols));
	assert(symbols_unmoved(&symbols, &symbols) == symbols.count);
	for (size_t i = 1; i < symbols.count; i++)
		assert(symbols.items[i - 1].name <= symbols.items[i].name);
	symbols_release(&symbols);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);
	struct elf_file file;
	struct err err;
	bool same;

	assert(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	if (elf_file_open(&file, fd, &err) == 0) {
		check_names(&file);
		check_symbols(&file);
		if (elf_file_same_image(&file, &file, &same, &err) == 0)
			assert(same);
		elf_file_release(&file);
	}
	(void)close(fd);
	return 0;
}
