#include "runner/versions_git.h"

#include "sandbox/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int versions_git_error(struct err *err, const char *format, ...)
{
	const git_error *last = git_error_last();
	char context[ERR_TEXT_BYTES];
	char message[ERR_TEXT_BYTES];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(context, sizeof(context), format, args);
	va_end(args);
	text_make_printable(context);
	(void)text_copy(message, sizeof(message),
		last && last->message ? last->message : "no reason given");
	text_make_printable(message);
	return err_set(err, ERR_VERSION, "%s: %s", context, message);
}

static bool is_partial(const struct versions *versions)
{
	git_config *config = NULL;
	git_config_entry *entry = NULL;
	bool found;

	if (git_repository_config_snapshot(&config, versions->repository) < 0)
		return false;
	found = git_config_get_entry(&entry, config, "extensions.partialclone") == 0;
	git_config_entry_free(entry);
	entry = NULL;
	found = found || git_config_get_entry(&entry, config, "remote.origin.promisor") == 0;
	git_config_entry_free(entry);
	git_config_free(config);
	return found;
}

int versions_git_missing(
	const struct versions *versions, const char *what, const git_oid *id, struct err *err)
{
	char name[VERSIONS_ID_BYTES];
	char shown[VERSIONS_TEXT_BYTES];

	(void)git_oid_tostr(name, sizeof(name), id);
	(void)text_copy(shown, sizeof(shown), what);
	text_make_printable(shown);
	if (is_partial(versions))
		return err_set(err, ERR_VERSION,
			"%s: object %.12s is not in this clone, which is a partial one: clone "
			"without "
			"--filter (in a workflow: actions/checkout without `filter:`)",
			shown, name);
	return err_set(err, ERR_VERSION,
		"%s: object %.12s is missing: the repository is damaged (git fsck tells more)",
		shown, name);
}

int versions_git_commit(const struct versions *versions, const struct version *version,
	git_commit **out, struct err *err)
{
	AUTO_GIT_OBJECT object = NULL;

	if (git_revparse_single(&object, versions->repository, version->commit) < 0 ||
		git_object_peel((git_object **)out, object, GIT_OBJECT_COMMIT) < 0)
		return versions_git_error(err, "commit %.12s", version->commit);
	return 0;
}

int versions_git_tree(const struct versions *versions, const struct version *version,
	git_tree **out, struct err *err)
{
	AUTO_GIT_COMMIT commit = NULL;
	int result;

	if (versions_git_commit(versions, version, &commit, err) < 0)
		return -1;
	result = git_commit_tree(out, commit);
	if (result == GIT_ENOTFOUND)
		return versions_git_missing(
			versions, "the commit's top directory", git_commit_tree_id(commit), err);
	return result < 0 ? versions_git_error(err, "tree of commit %.12s", version->commit) : 0;
}
