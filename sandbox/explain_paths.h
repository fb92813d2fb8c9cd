/*
 * Would a call that names a file be refused by the view of files or by Landlock? Judged from
 * outside, by the path: the kernel tells nobody why.
 */
#ifndef SANDBOX_EXPLAIN_PATHS_H
#define SANDBOX_EXPLAIN_PATHS_H

#include "sandbox/sandbox.h"
#include "sandbox/seccomp_eval.h"

#define EXPLAIN_PATHS_WATCHED_MAX 32

/* The numbers of the calls that name files, ended by -1. */
void explain_paths_watched(int numbers[EXPLAIN_PATHS_WATCHED_MAX]);

/*
 * What is wrong with the path this call names, made by thread `thread` (as we number it): a line
 * without its end in `text`, "" where nothing is known to be wrong.
 */
void explain_paths_judge(const struct sandbox_cell *cell, pid_t thread,
	const struct seccomp_eval_call *call, char *text, size_t text_bytes);

/* Make an absolute path of one that may hold ".", ".." and "//". In place. */
void explain_paths_normalize(char *path);

#endif
