#include "runner/layout/elf_file.h"

#include "runner/layout/pads.h"
#include "runner/layout/symbols.h"
#include "sandbox/base/io.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

static struct err err;
static Elf64_Ehdr own; /* this test's own header */

static int make_file(const void *bytes, size_t length)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(io_write_all(fd, bytes, length, &err), 0);
	return fd;
}

static int open_bytes(struct elf_file *file, const void *bytes, size_t length)
{
	AUTO_FD fd = make_file(bytes, length);
	int result = elf_file_open(file, fd, &err);

	if (result == 0)
		elf_file_release(file);
	return result;
}

static void a_pad_has_all_code_sections(void **state)
{
	AUTO_BUF bytes = {.bytes_max = 1 << 20};
	AUTO_FD fd = -1;
	struct elf_file file;

	(void)state;
	assert_int_equal(
		pads_build(&bytes, PADS_IS_FINE, 21, &(struct pads_make){own, true, false}, &err),
		0);
	fd = make_file(bytes.data, bytes.length);
	assert_int_equal(elf_file_open(&file, fd, &err), 0);
	assert_int_equal(file.header.e_machine, own.e_machine);
	assert_int_equal(file.header.e_flags, own.e_flags);
	assert_string_equal(elf_file_section_name(&file, &file.sections[1]), ".text");
	assert_int_equal(file.sections[1].sh_size, 21 * PADS_STEP);
	assert_int_equal(file.sections[1].sh_addralign, PADS_MATCHED);
	assert_int_equal(file.sections[2].sh_addralign, PADS_ALIGNMENT);
	/* The phase is the same everywhere. */
	for (size_t i = 2; i < 6; i++)
		assert_int_equal(file.sections[i].sh_size / PADS_STEP % 4, 21 % 4);
	elf_file_release(&file);
}

static void a_coarse_pad_is_as_long_as_it_says(void **state)
{
	AUTO_BUF bytes = {.bytes_max = 1 << 20};
	AUTO_FD fd = -1;
	struct elf_file file;
	uint64_t total = 0;

	(void)state;
	assert_int_equal(pads_build(&bytes, PADS_IS_COARSE, PADS_COARSE - 1,
				 &(struct pads_make){own, false, false}, &err),
		0);
	fd = make_file(bytes.data, bytes.length);
	assert_int_equal(elf_file_open(&file, fd, &err), 0);
	for (size_t i = 1; i < 6; i++)
		total += file.sections[i].sh_size;
	assert_int_equal(total, (PADS_COARSE - 1) * PADS_COARSE_BYTES);
	elf_file_release(&file);
}

static void what_is_no_elf_file_is_named(void **state)
{
	struct elf_file file;
	Elf64_Ehdr header = own;

	(void)state;
	assert_int_equal(open_bytes(&file, "", 0), -1);
	assert_string_equal(err.text, "not an ELF file");
	assert_int_equal(open_bytes(&file, "#!/bin/sh\n", 10), -1);
	header.e_ident[EI_CLASS] = ELFCLASS32;
	assert_int_equal(open_bytes(&file, &header, sizeof(header)), -1);
	assert_string_equal(err.text, "not a 64-bit ELF file");
	header.e_ident[EI_CLASS] = ELFCLASS64;
	header.e_ident[EI_DATA] = own.e_ident[EI_DATA] == ELFDATA2LSB ? ELFDATA2MSB : ELFDATA2LSB;
	assert_int_equal(open_bytes(&file, &header, sizeof(header)), -1);
	assert_string_equal(err.text, "an ELF file of another machine");
	header.e_ident[EI_DATA] = own.e_ident[EI_DATA];
	assert_int_equal(open_bytes(&file, &header, sizeof(header)), -1);
	assert_string_equal(err.text, "an ELF file with a damaged section table");
	header.e_shnum = 0;
	assert_int_equal(open_bytes(&file, &header, sizeof(header)), -1);
	assert_string_equal(err.text, "an ELF file without sections");
	assert_int_equal(err.kind, ERR_BUILD);
}

static void a_file_cut_anywhere_is_refused(void **state)
{
	AUTO_BUF bytes = {.bytes_max = 1 << 20};
	struct elf_file file;

	(void)state;
	assert_int_equal(
		pads_build(&bytes, PADS_IS_FINE, 1, &(struct pads_make){own, false, false}, &err),
		0);
	for (size_t length = 0; length < bytes.length; length++)
		assert_int_equal(open_bytes(&file, bytes.data, length), -1);
	assert_int_equal(open_bytes(&file, bytes.data, bytes.length), 0);
}

/* Whatever is changed, reading ends in a result; the sanitizers watch. */
static void read_all(const void *bytes, size_t length)
{
	AUTO_FD fd = make_file(bytes, length);
	struct symbols symbols;
	struct elf_file file;
	bool same;

	if (elf_file_open(&file, fd, &err) < 0)
		return;
	for (size_t i = 0; i < file.sections_count; i++)
		(void)strlen(elf_file_section_name(&file, &file.sections[i]));
	if (symbols_read(&symbols, &file, &err) == 0)
		symbols_release(&symbols);
	if (elf_file_same_image(&file, &file, &same, &err) == 0)
		assert_true(same);
	elf_file_release(&file);
}

static void any_byte_may_be_wrong(void **state)
{
	AUTO_BUF bytes = {.bytes_max = 1 << 20};

	(void)state;
	assert_int_equal(
		pads_build(&bytes, PADS_IS_FINE, 1, &(struct pads_make){own, false, false}, &err),
		0);
	for (size_t i = 0; i < bytes.length; i++) {
		char before = bytes.data[i];

		bytes.data[i] = (char)0xff;
		read_all(bytes.data, bytes.length);
		bytes.data[i] = (char)0x7f;
		read_all(bytes.data, bytes.length);
		bytes.data[i] = before;
	}
}

static void own_functions_are_found_and_compared(void **state)
{
	AUTO_FD fd = open("/proc/self/exe", O_RDONLY);
	struct symbols symbols, moved;
	struct elf_file file;

	(void)state;
	assert_int_equal(elf_file_open(&file, fd, &err), 0);
	assert_int_equal(symbols_read(&symbols, &file, &err), 0);
	assert_int_equal(symbols_read(&moved, &file, &err), 0);
	assert_true(symbols.count > 20);
	assert_true(symbols_are_same(&symbols, &moved));
	assert_int_equal(symbols_unmoved(&symbols, &moved), symbols.count);
	assert_true(symbols_layout(&symbols) == symbols_layout(&moved));
	moved.items[3].address += 16;
	assert_int_equal(symbols_unmoved(&symbols, &moved), symbols.count - 1);
	assert_true(symbols_layout(&symbols) != symbols_layout(&moved));
	moved.items[3].size++;
	assert_false(symbols_are_same(&symbols, &moved));
	symbols_release(&symbols);
	symbols_release(&moved);
	elf_file_release(&file);
}

static void an_image_differs_by_one_byte(void **state)
{
	AUTO_BUF bytes = {.bytes_max = 1 << 20};
	struct elf_file left, right;
	AUTO_FD left_fd = -1;
	AUTO_FD right_fd = -1;
	bool same;

	(void)state;
	assert_int_equal(
		pads_build(&bytes, PADS_IS_FINE, 8, &(struct pads_make){own, false, false}, &err),
		0);
	left_fd = make_file(bytes.data, bytes.length);
	assert_int_equal(elf_file_open(&left, left_fd, &err), 0);
	bytes.data[left.sections[1].sh_offset + 5] ^= 1;
	right_fd = make_file(bytes.data, bytes.length);
	assert_int_equal(elf_file_open(&right, right_fd, &err), 0);
	assert_int_equal(elf_file_same_image(&left, &left, &same, &err), 0);
	assert_true(same);
	assert_int_equal(elf_file_same_image(&left, &right, &same, &err), 0);
	assert_false(same);
	elf_file_release(&left);
	elf_file_release(&right);
}

static int read_own(void **state)
{
	AUTO_FD fd = open("/proc/self/exe", O_RDONLY);

	(void)state;
	return read(fd, &own, sizeof(own)) == (ssize_t)sizeof(own) ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pad_has_all_code_sections),
		cmocka_unit_test(a_coarse_pad_is_as_long_as_it_says),
		cmocka_unit_test(what_is_no_elf_file_is_named),
		cmocka_unit_test(a_file_cut_anywhere_is_refused),
		cmocka_unit_test(any_byte_may_be_wrong),
		cmocka_unit_test(own_functions_are_found_and_compared),
		cmocka_unit_test(an_image_differs_by_one_byte),
	};

	return cmocka_run_group_tests(tests, read_own, NULL);
}
