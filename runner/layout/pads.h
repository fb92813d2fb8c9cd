/*
 * Objects of nothing but padding, which a relink puts between the program's own.
 *
 * A pad has each of the sections that linkers sort code into (.text, .text.hot, .text.unlikely,
 * ...). Those of a fine pad begin at a multiple of the alignment and are `number` steps of
 * PADS_STEP bytes long: the number says where the code behind it lies, whatever lies before. With
 * few pads .text is aligned to PADS_MATCHED, so that one number is one place within that; with
 * many, whose gaps would add up, and in the other sections to PADS_ALIGNMENT, so that the number's
 * low bits say where the code lies within a cache line. A coarse pad moves everything by `number`
 * times PADS_COARSE_BYTES.
 *
 * They are written here as ELF files, so that no assembler is needed and all of them take
 * milliseconds. A property note claims every feature (branch protection and the like) that linkers
 * only grant when all objects have it: the program decides, as without pads.
 */
#ifndef RUNNER_LAYOUT_PADS_H
#define RUNNER_LAYOUT_PADS_H

#include "sandbox/base/attr.h"
#include "sandbox/base/buf.h"
#include "sandbox/base/err.h"

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

#define PADS_STEP 16      /* bytes: what compilers align functions to */
#define PADS_ALIGNMENT 64 /* bytes: a cache line */
#define PADS_FINE 64      /* numbers 0..63 */
#define PADS_MATCHED (PADS_FINE * PADS_STEP)
#define PADS_MATCHED_SLOTS 64 /* more pads than that are many */
#define PADS_COARSE 17        /* numbers 1..16: 0 would be no pad */
/* A page and a quarter: other pages, other places within them; more than fine pads add up to. */
#define PADS_COARSE_BYTES 5120

#define PADS_NAME_BYTES 16

enum pads_kind { PADS_IS_FINE, PADS_IS_COARSE };

/* "f07.o", "c16.o" */
void pads_name(char name[PADS_NAME_BYTES], enum pads_kind kind, unsigned number);

/* What all pads of one program have in common. */
struct pads_make {
	Elf64_Ehdr like; /* the header of a file of the program: same machine, same flags */
	bool retain;     /* keep it where the linker drops what nothing refers to (--gc-sections) */
	bool many;       /* more than PADS_MATCHED_SLOTS of them are in a link */
};

/* One pad's bytes. Errors: ERR_OS. */
int pads_build(struct buf *out, enum pads_kind kind, unsigned number, const struct pads_make *make,
	struct err *err) ATTR_MUST_USE;

/* Write all pads into a new directory. Errors: ERR_OS. */
int pads_write(int folder_fd, const struct pads_make *make, struct err *err) ATTR_MUST_USE;

#endif
