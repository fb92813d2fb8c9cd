#include "runner/layout/symbols.h"

#include <string.h>

#define HASH_START UINT64_C(0xcbf29ce484222325) /* FNV-1a, 64 bits */
#define HASH_PRIME UINT64_C(0x100000001b3)

void symbols_release(struct symbols *symbols)
{
	free(symbols->items);
	memset(symbols, 0, sizeof(*symbols));
}

/*
 * ThinLTO puts a hash of the module's path behind the names of promoted functions: the path of a
 * relink's input may differ, so ".llvm." ends a name.
 */
static uint64_t hash_name(const char *name)
{
	uint64_t hash = HASH_START;

	for (; *name && strncmp(name, ".llvm.", 6) != 0; name++)
		hash = (hash ^ (unsigned char)*name) * HASH_PRIME;
	return hash;
}

static int symbol_compare(const void *left, const void *right)
{
	const struct symbol *l = left, *r = right;

	if (l->name != r->name)
		return l->name < r->name ? -1 : 1;
	if (l->size != r->size)
		return l->size < r->size ? -1 : 1;
	return (l->address > r->address) - (l->address < r->address);
}

static bool is_function(const struct elf_file *file, const Elf64_Sym *symbol)
{
	unsigned type = ELF64_ST_TYPE(symbol->st_info);
	const Elf64_Shdr *section;
	const char *name;

	if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol->st_size == 0 ||
		symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= file->sections_count)
		return false;
	section = &file->sections[symbol->st_shndx];
	name = elf_file_section_name(file, section);
	return (section->sh_flags & SHF_EXECINSTR) && strcmp(name, ".init") != 0 &&
	       strcmp(name, ".fini") != 0 && strncmp(name, ".plt", 4) != 0;
}

static const Elf64_Shdr *find_table(const struct elf_file *file)
{
	for (size_t i = 0; i < file->sections_count; i++)
		if (file->sections[i].sh_type == SHT_SYMTAB)
			return &file->sections[i];
	return NULL;
}

static int collect(struct symbols *symbols, const struct elf_file *file, const Elf64_Sym *table,
	size_t count, const Elf64_Shdr *strings, struct err *err)
{
	AUTO_STR names = NULL;

	if (elf_file_read(file, strings, SYMBOLS_BYTES_MAX, &names, err) < 0)
		return -1;
	symbols->items = calloc(count + 1, sizeof(*symbols->items));
	if (!symbols->items)
		return err_set(err, ERR_OS, "out of memory");
	for (size_t i = 0; i < count; i++) {
		struct symbol *symbol = &symbols->items[symbols->count];

		if (!is_function(file, &table[i]))
			continue;
		if (table[i].st_name >= strings->sh_size)
			return err_set(err, ERR_BUILD, "an ELF file with a damaged symbol table");
		symbol->name = hash_name(names + table[i].st_name);
		symbol->size = table[i].st_size;
		symbol->address = table[i].st_value;
		symbols->count++;
	}
	return 0;
}

int symbols_read(struct symbols *symbols, const struct elf_file *file, struct err *err)
{
	const Elf64_Shdr *section = find_table(file);
	AUTO_STR table = NULL;

	memset(symbols, 0, sizeof(*symbols));
	if (!section)
		return 0;
	if (section->sh_link >= file->sections_count)
		return err_set(err, ERR_BUILD, "an ELF file whose symbols have no names");
	if (elf_file_read(file, section, SYMBOLS_BYTES_MAX, &table, err) < 0)
		return -1;
	/* malloc's memory is aligned for any type. */
	if (collect(symbols, file, (const Elf64_Sym *)(const void *)table,
		    (size_t)section->sh_size / sizeof(Elf64_Sym), &file->sections[section->sh_link],
		    err) < 0) {
		symbols_release(symbols);
		return -1;
	}
	if (symbols->count)
		qsort(symbols->items, symbols->count, sizeof(*symbols->items), symbol_compare);
	return 0;
}

bool symbols_are_same(const struct symbols *left, const struct symbols *right)
{
	if (left->count != right->count)
		return false;
	for (size_t i = 0; i < left->count; i++)
		if (left->items[i].name != right->items[i].name ||
			left->items[i].size != right->items[i].size)
			return false;
	return true;
}

size_t symbols_unmoved(const struct symbols *before, const struct symbols *after)
{
	size_t unmoved = 0;

	for (size_t i = 0; i < before->count && i < after->count; i++)
		unmoved += before->items[i].address == after->items[i].address;
	return unmoved;
}

uint64_t symbols_layout(const struct symbols *symbols)
{
	uint64_t hash = HASH_START;

	for (size_t i = 0; i < symbols->count; i++) {
		hash = (hash ^ symbols->items[i].address) * HASH_PRIME;
		hash ^= hash >> 31;
	}
	return hash;
}
