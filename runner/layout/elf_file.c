#include "runner/layout/elf_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define COMPARED_BYTES 65536

/* All of the range, which the caller has checked against the size. */
static int read_at(
	const struct elf_file *file, uint64_t offset, void *bytes, size_t length, struct err *err)
{
	char *next = bytes;

	while (length) {
		ssize_t n = pread(file->fd, next, length, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_errno(err, ERR_OS, "read an ELF file");
		if (n == 0)
			return err_set(err, ERR_BUILD, "an ELF file was cut short");
		next += n;
		offset += (uint64_t)n;
		length -= (size_t)n;
	}
	return 0;
}

static bool is_inside(const struct elf_file *file, uint64_t offset, uint64_t length)
{
	return offset <= file->bytes && length <= file->bytes - offset;
}

static int read_header(struct elf_file *file, struct err *err)
{
	static const uint16_t probe = 1;
	unsigned char own_order = *(const unsigned char *)&probe ? ELFDATA2LSB : ELFDATA2MSB;
	const Elf64_Ehdr *header = &file->header;

	if (!is_inside(file, 0, sizeof(*header)))
		return err_set(err, ERR_BUILD, "not an ELF file");
	if (read_at(file, 0, &file->header, sizeof(file->header), err) < 0)
		return -1;
	if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
		return err_set(err, ERR_BUILD, "not an ELF file");
	if (header->e_ident[EI_CLASS] != ELFCLASS64)
		return err_set(err, ERR_BUILD, "not a 64-bit ELF file");
	if (header->e_ident[EI_DATA] != own_order)
		return err_set(err, ERR_BUILD, "an ELF file of another machine");
	if (header->e_shoff == 0 || header->e_shnum == 0)
		return err_set(err, ERR_BUILD, "an ELF file without sections");
	if (header->e_shentsize != sizeof(Elf64_Shdr) ||
		!is_inside(file, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)))
		return err_set(err, ERR_BUILD, "an ELF file with a damaged section table");
	return 0;
}

static int read_sections(struct elf_file *file, struct err *err)
{
	size_t length = file->header.e_shnum * sizeof(Elf64_Shdr);
	const Elf64_Shdr *names;

	file->sections = malloc(length);
	if (!file->sections)
		return err_set(err, ERR_OS, "out of memory");
	if (read_at(file, file->header.e_shoff, file->sections, length, err) < 0)
		return -1;
	file->sections_count = file->header.e_shnum;
	if (file->header.e_shstrndx >= file->sections_count)
		return err_set(err, ERR_BUILD, "an ELF file without section names");
	names = &file->sections[file->header.e_shstrndx];
	if (elf_file_read(file, names, ELF_FILE_NAMES_BYTES_MAX, &file->names, err) < 0)
		return -1;
	file->names_bytes = (size_t)names->sh_size;
	return 0;
}

int elf_file_open(struct elf_file *file, int fd, struct err *err)
{
	struct stat status;

	memset(file, 0, sizeof(*file));
	file->fd = fd;
	if (fstat(fd, &status) < 0)
		return err_errno(err, ERR_OS, "look at an ELF file");
	if (!S_ISREG(status.st_mode))
		return err_set(err, ERR_BUILD, "not a regular file");
	file->bytes = (uint64_t)status.st_size;
	if (read_header(file, err) == 0 && read_sections(file, err) == 0)
		return 0;
	elf_file_release(file);
	return -1;
}

void elf_file_release(struct elf_file *file)
{
	free(file->sections);
	free(file->names);
	memset(file, 0, sizeof(*file));
}

const char *elf_file_section_name(const struct elf_file *file, const Elf64_Shdr *section)
{
	return section->sh_name < file->names_bytes ? file->names + section->sh_name : "";
}

int elf_file_read(const struct elf_file *file, const Elf64_Shdr *section, size_t bytes_max,
	char **bytes, struct err *err)
{
	AUTO_STR contents = NULL;

	if (section->sh_type == SHT_NOBITS ||
		!is_inside(file, section->sh_offset, section->sh_size))
		return err_set(err, ERR_BUILD, "an ELF section lies outside its file");
	if (section->sh_size > bytes_max)
		return err_set(err, ERR_LIMIT, "an ELF section of more than %zu bytes", bytes_max);
	contents = malloc((size_t)section->sh_size + 1);
	if (!contents)
		return err_set(err, ERR_OS, "out of memory");
	if (read_at(file, section->sh_offset, contents, (size_t)section->sh_size, err) < 0)
		return -1;
	contents[section->sh_size] = '\0';
	*bytes = steal_str(&contents);
	return 0;
}

/* --- the loaded image --------------------------------------------------------------------------
 */

/* The next section that is loaded, from *at on; NULL = none. */
static const Elf64_Shdr *next_loaded(const struct elf_file *file, size_t *at)
{
	while (*at < file->sections_count) {
		const Elf64_Shdr *section = &file->sections[(*at)++];

		if (section->sh_type != SHT_NULL && (section->sh_flags & SHF_ALLOC))
			return section;
	}
	return NULL;
}

static bool same_place(const struct elf_file *left, const Elf64_Shdr *left_section,
	const struct elf_file *right, const Elf64_Shdr *right_section)
{
	return left_section->sh_type == right_section->sh_type &&
	       left_section->sh_flags == right_section->sh_flags &&
	       left_section->sh_addr == right_section->sh_addr &&
	       left_section->sh_size == right_section->sh_size &&
	       strcmp(elf_file_section_name(left, left_section),
		       elf_file_section_name(right, right_section)) == 0;
}

static int same_bytes(const struct elf_file *left, const struct elf_file *right,
	uint64_t offsets[2], uint64_t length, bool *same, struct err *err)
{
	AUTO_STR bytes = malloc((size_t)2 * COMPARED_BYTES);

	if (!bytes)
		return err_set(err, ERR_OS, "out of memory");
	*same = true;
	while (*same && length) {
		size_t piece = length < COMPARED_BYTES ? (size_t)length : COMPARED_BYTES;

		if (read_at(left, offsets[0], bytes, piece, err) < 0 ||
			read_at(right, offsets[1], bytes + COMPARED_BYTES, piece, err) < 0)
			return -1;
		*same = memcmp(bytes, bytes + COMPARED_BYTES, piece) == 0;
		offsets[0] += piece;
		offsets[1] += piece;
		length -= piece;
	}
	return 0;
}

static int same_section(const struct elf_file *left, const Elf64_Shdr *left_section,
	const struct elf_file *right, const Elf64_Shdr *right_section, bool *same, struct err *err)
{
	uint64_t offsets[2] = {left_section->sh_offset, right_section->sh_offset};

	*same = same_place(left, left_section, right, right_section);
	if (!*same || left_section->sh_type == SHT_NOBITS ||
		strcmp(elf_file_section_name(left, left_section), ".note.gnu.build-id") == 0)
		return 0;
	if (!is_inside(left, offsets[0], left_section->sh_size) ||
		!is_inside(right, offsets[1], right_section->sh_size))
		return err_set(err, ERR_BUILD, "an ELF section lies outside its file");
	return same_bytes(left, right, offsets, left_section->sh_size, same, err);
}

int elf_file_same_image(
	const struct elf_file *left, const struct elf_file *right, bool *same, struct err *err)
{
	size_t left_at = 0, right_at = 0;

	*same = left->header.e_type == right->header.e_type &&
		left->header.e_machine == right->header.e_machine &&
		left->header.e_entry == right->header.e_entry;
	while (*same) {
		const Elf64_Shdr *left_section = next_loaded(left, &left_at);
		const Elf64_Shdr *right_section = next_loaded(right, &right_at);

		if (!left_section || !right_section) {
			*same = left_section == right_section;
			return 0;
		}
		if (same_section(left, left_section, right, right_section, same, err) < 0)
			return -1;
	}
	return 0;
}
