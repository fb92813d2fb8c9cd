#include "runner/embedded.h"

/* The assembler reads the file at build time (binutils `as` manual, .incbin); -I. makes it the
 * root's. */
__asm__(".section .rodata\n"
	".balign 16\n"
	".global embedded_duel_h\n"
	".type embedded_duel_h, %object\n"
	"embedded_duel_h:\n"
	".incbin \"runner/include/duel.h\"\n"
	".global embedded_duel_h_end\n"
	".type embedded_duel_h_end, %object\n"
	"embedded_duel_h_end:\n"
	".byte 0\n"
	".previous\n");
