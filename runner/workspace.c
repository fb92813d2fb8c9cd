#include "runner/workspace.h"

#include "sandbox/base/io.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int make_side(struct workspace *workspace, enum sandbox_side side, struct err *err)
{
	struct workspace_side *paths = &workspace->sides[side];
	const struct {
		char **path;
		const char *name;
	} places[] = {{&paths->tree, "tree"}, {&paths->scratch, "scratch"}, {&paths->run, "run"}};
	char letter = side == SANDBOX_BASELINE ? 'b' : 'c';

	for (size_t i = 0; i < ARRAY_LENGTH(places); i++) {
		if (asprintf(places[i].path, "%s/%c/%s", workspace->path, letter, places[i].name) <
			0) {
			*places[i].path = NULL;
			return err_errno(err, ERR_OS, "work directory");
		}
		if (io_make_dirs(*places[i].path, 0755, err) < 0)
			return -1;
	}
	return 0;
}

int workspace_make(struct workspace *workspace, struct err *err)
{
	const char *parent = getenv("TMPDIR");
	char *resolved;

	*workspace = (struct workspace){0};
	if (!parent || *parent != '/')
		parent = "/tmp";
	resolved = realpath(parent, NULL);
	if (!resolved)
		return err_errno(
			err, ERR_OS, "%s: set TMPDIR to a directory that can be written", parent);
	if (asprintf(&workspace->path, "%s/duel.XXXXXX", resolved) < 0)
		workspace->path = NULL;
	free(resolved);
	if (!workspace->path)
		return err_errno(err, ERR_OS, "work directory");
	if (!mkdtemp(workspace->path)) {
		(void)err_errno(err, ERR_OS,
			"create %s: set TMPDIR to a directory that can be written",
			workspace->path);
		free(workspace->path);
		workspace->path = NULL;
		return -1;
	}
	/* Confined commands of an own uid must get through to their tree; they cannot list this. */
	if (chmod(workspace->path, 0711) < 0)
		return err_errno(err, ERR_OS, "%s", workspace->path);
	for (enum sandbox_side side = SANDBOX_BASELINE; side <= SANDBOX_CANDIDATE; side++) {
		if (make_side(workspace, side, err) < 0)
			return -1;
	}
	return 0;
}

void workspace_keep(struct workspace *workspace)
{
	for (size_t i = 0; i < ARRAY_LENGTH(workspace->sides); i++) {
		free(workspace->sides[i].tree);
		free(workspace->sides[i].scratch);
		free(workspace->sides[i].run);
	}
	free(workspace->path);
	*workspace = (struct workspace){0};
}

int workspace_remove(struct workspace *workspace, struct err *err)
{
	int result = workspace->path ? io_remove_tree(workspace->path, err) : 0;

	workspace_keep(workspace);
	return result;
}

void workspace_explain(const struct workspace *workspace, struct err *err)
{
	if (workspace->path && (err->os_errno == ENOSPC || err->os_errno == EDQUOT))
		(void)err_wrap(err, "no room for %s: set TMPDIR to a directory with more",
			workspace->path);
}
