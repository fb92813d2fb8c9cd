/*
 * libgit2 1.1 to 1.9: what differs between them, each under one name. The only place that asks for
 * the library's version, and with versions_git.h the only one to include it.
 */
#ifndef RUNNER_VERSIONS_ABI_H
#define RUNNER_VERSIONS_ABI_H

#include "sandbox/base/attr.h"

#include <git2.h>

#define VERSIONS_LIBGIT2 \
	(LIBGIT2_VER_MAJOR * 10000 + LIBGIT2_VER_MINOR * 100 + LIBGIT2_VER_REVISION)

/* Whoever names a repository answers for it, whoever owns its files. */
static inline int versions_abi_accept_owner(void)
{
#if VERSIONS_LIBGIT2 >= 10403
	return git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
#else
	return 0;
#endif
}

/*
 * Extensions of the repository's format that change nothing for who only reads objects: partial
 * clones, and what `git sparse-checkout` and newer `git worktree` switch on.
 */
static inline int versions_abi_accept_extensions(void)
{
#if VERSIONS_LIBGIT2 >= 10300
	const char *names[] = {
		"partialclone", "worktreeconfig", "preciousobjects", "relativeworktrees"};

	return git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, names, ARRAY_LENGTH(names));
#else
	return 0;
#endif
}

#endif
