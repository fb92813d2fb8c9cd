#include "runner/layout/pads.h"

#include "runner/layout/folder.h"

#include <stdio.h>
#include <string.h>

#define PAD_BYTES_MAX ((size_t)1 << 20)
#define SPECIAL_NUMBERS 16 /* numbers are taken modulo this outside .text: less to load */
#define RETAIN 0x200000    /* SHF_GNU_RETAIN: older elf.h do not have it */
#define ALL_FEATURES 0xf   /* of the and-properties below: IBT, SHSTK, LAM; BTI, PAC, GCS */
#define X86_FEATURES 0xc0000002
#define AARCH64_FEATURES 0xc0000000

/* Where linkers put code apart: GNU ld's order; the others keep the order of the files. */
enum { CODE_SECTIONS = 5 };
static const char *const code_sections[CODE_SECTIONS] = {
	".text", ".text.unlikely", ".text.exit", ".text.startup", ".text.hot"};

/* The sections behind the code ones, as they are numbered in a pad. */
enum { SECTION_NULL, SECTION_CODE };
/* GNU ld puts it first, so that a coarse pad moves all others too. */
enum { COARSE_SECTION = 1 };
enum {
	SECTION_STACK = SECTION_CODE +
			CODE_SECTIONS, /* .note.GNU-stack: wants no executable stack */
	SECTION_PROPERTY,
	SECTION_NAMES,
	SECTIONS
};

struct property {
	uint32_t name_bytes, content_bytes, type;
	char name[4];
	uint32_t feature, feature_bytes, features, padding;
};

/* A file while it is built: contents in front, the table of sections last. */
struct pad {
	struct buf *out;
	struct buf *names;
	Elf64_Shdr sections[SECTIONS];
};

void pads_name(char name[PADS_NAME_BYTES], enum pads_kind kind, unsigned number)
{
	(void)snprintf(name, PADS_NAME_BYTES, "%c%02u.o", "fc"[kind], number % 100);
}

static size_t code_bytes(enum pads_kind kind, unsigned number, size_t section)
{
	if (kind == PADS_IS_COARSE)
		return section == COARSE_SECTION ? (size_t)number * PADS_COARSE_BYTES : 0;
	if (section == 0)
		return number * (size_t)PADS_STEP;
	return number % SPECIAL_NUMBERS * (size_t)PADS_STEP;
}

/* What linkers fill gaps between functions with; it is never run. */
static int append_code(struct buf *out, size_t length, uint16_t machine, struct err *err)
{
	static const unsigned char aarch64_nop[] = {0x1f, 0x20, 0x03, 0xd5};
	static const unsigned char x86_nop[] = {0x90, 0x90, 0x90, 0x90};
	static const unsigned char zeros[4] = {0};
	const unsigned char *word = machine == EM_X86_64    ? x86_nop
				    : machine == EM_AARCH64 ? aarch64_nop
							    : zeros;

	for (; length; length -= sizeof(zeros))
		if (buf_append(out, word, sizeof(zeros), err) < 0)
			return -1;
	return 0;
}

static int begin_section(
	struct pad *pad, size_t index, const char *name, Elf64_Shdr section, struct err *err)
{
	static const char zeros[PADS_STEP] = {0};
	size_t past = pad->out->length % PADS_STEP;

	if (past && buf_append(pad->out, zeros, PADS_STEP - past, err) < 0)
		return -1;
	section.sh_name = (Elf64_Word)pad->names->length;
	section.sh_offset = pad->out->length;
	pad->sections[index] = section;
	return buf_append(pad->names, name, strlen(name) + 1, err);
}

static Elf64_Xword code_alignment(enum pads_kind kind, size_t section, const struct pads_make *make)
{
	return kind == PADS_IS_FINE && section == 0 && !make->many ? PADS_MATCHED : PADS_ALIGNMENT;
}

static int build_code(struct pad *pad, enum pads_kind kind, unsigned number,
	const struct pads_make *make, struct err *err)
{
	for (size_t i = 0; i < CODE_SECTIONS; i++) {
		size_t length = code_bytes(kind, number, i);
		Elf64_Shdr section = {.sh_type = SHT_PROGBITS,
			.sh_flags = SHF_ALLOC | SHF_EXECINSTR | (make->retain ? RETAIN : 0),
			.sh_size = length,
			.sh_addralign = code_alignment(kind, i, make)};

		if (begin_section(pad, SECTION_CODE + i, code_sections[i], section, err) < 0 ||
			append_code(pad->out, length, make->like.e_machine, err) < 0)
			return -1;
	}
	return 0;
}

static int build_notes(struct pad *pad, uint16_t machine, struct err *err)
{
	struct property property = {.name_bytes = 4,
		.content_bytes = 16,
		.type = 5, /* NT_GNU_PROPERTY_TYPE_0 */
		.name = "GNU",
		.feature = machine == EM_AARCH64 ? AARCH64_FEATURES : X86_FEATURES,
		.feature_bytes = 4,
		.features = ALL_FEATURES};
	bool has_features = machine == EM_X86_64 || machine == EM_AARCH64;
	Elf64_Shdr stack = {.sh_type = SHT_PROGBITS, .sh_addralign = 1};
	Elf64_Shdr note = {.sh_type = has_features ? SHT_NOTE : SHT_PROGBITS,
		.sh_flags = has_features ? SHF_ALLOC : 0,
		.sh_size = has_features ? sizeof(property) : 0,
		.sh_addralign = 8};

	if (begin_section(pad, SECTION_STACK, ".note.GNU-stack", stack, err) < 0 ||
		begin_section(pad, SECTION_PROPERTY,
			has_features ? ".note.gnu.property" : ".comment", note, err) < 0)
		return -1;
	return buf_append(pad->out, &property, (size_t)note.sh_size, err);
}

/* The names' own name is among them, so that they are complete only then. */
static int build_names(struct pad *pad, struct err *err)
{
	Elf64_Shdr section = {.sh_type = SHT_STRTAB, .sh_addralign = 1};

	if (begin_section(pad, SECTION_NAMES, ".shstrtab", section, err) < 0)
		return -1;
	pad->sections[SECTION_NAMES].sh_size = pad->names->length;
	return buf_append(pad->out, pad->names->data, pad->names->length, err);
}

static int build_table(struct pad *pad, Elf64_Ehdr *header, struct err *err)
{
	static const char zeros[PADS_STEP] = {0};

	if (buf_append(pad->out, zeros, PADS_STEP - pad->out->length % PADS_STEP, err) < 0)
		return -1;
	header->e_shoff = pad->out->length;
	if (buf_append(pad->out, pad->sections, sizeof(pad->sections), err) < 0)
		return -1;
	memcpy(pad->out->data, header, sizeof(*header));
	return 0;
}

int pads_build(struct buf *out, enum pads_kind kind, unsigned number, const struct pads_make *make,
	struct err *err)
{
	const Elf64_Ehdr *like = &make->like;
	AUTO_BUF names = {.bytes_max = PAD_BYTES_MAX};
	struct pad pad = {.out = out, .names = &names};
	Elf64_Ehdr header = {.e_type = ET_REL,
		.e_machine = like->e_machine,
		.e_version = EV_CURRENT,
		.e_flags = like->e_flags,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = SECTIONS,
		.e_shstrndx = SECTION_NAMES};

	memcpy(header.e_ident, like->e_ident, EI_OSABI);
	/* Retained sections are an extension of GNU's. */
	header.e_ident[EI_OSABI] = make->retain ? ELFOSABI_GNU : ELFOSABI_NONE;
	buf_clear(out);
	if (buf_append(out, &header, sizeof(header), err) < 0 ||
		buf_append(&names, "", 1, err) < 0 ||
		build_code(&pad, kind, number, make, err) < 0 ||
		build_notes(&pad, like->e_machine, err) < 0 || build_names(&pad, err) < 0)
		return -1;
	return build_table(&pad, &header, err);
}

static int write_one(int folder_fd, enum pads_kind kind, unsigned number,
	const struct pads_make *make, struct err *err)
{
	AUTO_BUF bytes = {.bytes_max = PAD_BYTES_MAX};
	char name[PADS_NAME_BYTES];

	pads_name(name, kind, number);
	if (pads_build(&bytes, kind, number, make, err) < 0)
		return -1;
	return folder_put_file(folder_fd, name, bytes.data, bytes.length, err);
}

int pads_write(int folder_fd, const struct pads_make *make, struct err *err)
{
	for (unsigned number = 0; number < PADS_FINE; number++)
		if (write_one(folder_fd, PADS_IS_FINE, number, make, err) < 0)
			return -1;
	for (unsigned number = 1; number < PADS_COARSE; number++)
		if (write_one(folder_fd, PADS_IS_COARSE, number, make, err) < 0)
			return -1;
	return 0;
}
