#include "runner/checkout.h"

#include "runner/build.h"
#include "runner/tree.h"
#include "runner/tree_export.h"
#include "runner/tree_overlay.h"
#include "sandbox/base/io.h"

static int export_side(const struct checkout *checkout, enum sandbox_side side, const char *tree,
	struct tree_export *exported, struct err *err)
{
	AUTO_FD root = -1;

	/* Both trees get one time: of two builds neither may find files of another age. */
	if (tree_open(&root, tree, err) < 0 ||
		tree_export(exported, checkout->versions, &checkout->picked[side], root,
			checkout->picked[SANDBOX_CANDIDATE].commit_time_s, err) < 0)
		return err_wrap(err, "%s", build_side_name(side));
	return 0;
}

static int lay_over(
	const struct checkout *checkout, const struct workspace *workspace, struct err *err)
{
	AUTO_FD baseline = -1;
	AUTO_FD candidate = -1;

	if (tree_open(&baseline, workspace->sides[SANDBOX_BASELINE].tree, err) < 0 ||
		tree_open(&candidate, workspace->sides[SANDBOX_CANDIDATE].tree, err) < 0)
		return -1;
	return tree_overlay(baseline, candidate, checkout->overlay, err);
}

int checkout_both(const struct checkout *checkout, struct workspace *workspace, struct err *err)
{
	if (workspace_make(workspace, err) < 0)
		return -1;
	for (enum sandbox_side side = SANDBOX_BASELINE; side <= SANDBOX_CANDIDATE; side++) {
		struct tree_export exported;

		if (export_side(checkout, side, workspace->sides[side].tree, &exported, err) < 0 ||
			tree_export_notes(&exported, build_side_name(side), checkout->notes, err) <
				0)
			return -1;
	}
	return lay_over(checkout, workspace, err);
}

int checkout_baseline_alone(
	const struct checkout *checkout, const struct workspace *workspace, struct err *err)
{
	const struct workspace_side *paths = &workspace->sides[SANDBOX_BASELINE];
	struct tree_export exported;

	if (io_remove_tree(paths->tree, err) < 0 || io_remove_tree(paths->scratch, err) < 0 ||
		io_make_dirs(paths->tree, 0755, err) < 0 ||
		io_make_dirs(paths->scratch, 0755, err) < 0)
		return -1;
	return export_side(checkout, SANDBOX_BASELINE, paths->tree, &exported, err);
}
