#include "runner/embedded.h"

#include "sandbox/base/io.h"

#include <limits.h>
#include <stdio.h>

/*
 * The assembler reads the file when this one is compiled (`.incbin`, looked up from the root by
 * -I.). Each file lies between NAME and NAME_end.
 */
/* NOLINTBEGIN(bugprone-macro-parentheses): a name that is declared takes none */
#define EMBED(name, path)                                        \
	__asm__(".section .rodata\n"                             \
		".balign 16\n"                                   \
		".global " #name "\n"                            \
		".type " #name ", %object\n" #name ":\n"         \
		".incbin \"" path "\"\n"                         \
		".global " #name "_end\n"                        \
		".type " #name "_end, %object\n" #name "_end:\n" \
		".byte 0\n"                                      \
		".previous\n");                                  \
	extern const char name[];                                \
	extern const char name##_end[]
/* NOLINTEND(bugprone-macro-parentheses) */

EMBED(embedded_duel_h, "runner/include/duel.h");
EMBED(embedded_duel_worker_h, "runner/include/duel-worker.h");
EMBED(embedded_duel_cases_h, "runner/include/duel-cases.h");
EMBED(embedded_duel_serve_h, "runner/include/duel-serve.h");

int embedded_install(const char *directory, struct err *err)
{
	static const struct {
		const char *name, *start, *end;
	} files[] = {
		{"duel.h", embedded_duel_h, embedded_duel_h_end},
		{"duel-worker.h", embedded_duel_worker_h, embedded_duel_worker_h_end},
		{"duel-cases.h", embedded_duel_cases_h, embedded_duel_cases_h_end},
		{"duel-serve.h", embedded_duel_serve_h, embedded_duel_serve_h_end},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(files); i++) {
		char path[PATH_MAX];

		if ((size_t)snprintf(path, sizeof(path), "%s/%s", directory, files[i].name) >=
			sizeof(path))
			return err_set(err, ERR_OS, "%s: path too long", directory);
		if (io_replace_file(path, files[i].start, (size_t)(files[i].end - files[i].start),
			    0644, err) < 0)
			return -1;
	}
	return 0;
}
