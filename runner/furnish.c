#include "runner/furnish.h"

#include "runner/embedded.h"
#include "runner/layout/layout.h"
#include "sandbox/base/io.h"

#include <limits.h>
#include <stdio.h>

int furnish_side(const struct workspace_side *paths, const struct sandbox_machine *machine,
	enum sandbox_side side, const char *recorder, struct err *err)
{
	char headers[PATH_MAX];

	if ((size_t)snprintf(headers, sizeof(headers), "%s/include", paths->scratch) >=
		sizeof(headers))
		return err_set(err, ERR_OS, "%s: path too long", paths->scratch);
	if (io_make_dirs(headers, 0755, err) < 0 || embedded_install(headers, err) < 0 ||
		layout_install(paths->scratch, recorder, err) < 0 ||
		sandbox_give(machine, side, paths->tree, err) < 0 ||
		sandbox_give(machine, side, paths->scratch, err) < 0)
		return -1;
	return sandbox_give(machine, side, paths->run, err);
}
