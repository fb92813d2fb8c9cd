/*
 * What a run goes by: duel.json of both versions -> the configuration and the gate in force.
 *
 * Stands between versions and build. config.h says what is the baseline's and what the candidate's.
 */
#ifndef RUNNER_RULES_H
#define RUNNER_RULES_H

#include "runner/artifact/schema.h"
#include "runner/config.h"
#include "runner/versions.h"

struct rules {
	struct config sides[2]; /* as written, by enum sandbox_side; the baseline's may be empty */
	struct config gate;     /* in force; borrows from both */
	bool baseline_has_any;
};

/* Where they are read. Borrowed. */
struct rules_source {
	const struct versions *versions;
	const struct version *picked; /* two, by enum sandbox_side */
	const char *path;             /* inside each version */
};

/*
 * Read and check both files; the gate and what the candidate changed in it go into the report.
 * After an error too *rules wants rules_release(). Errors: ERR_CONFIG, ERR_VERSION, ERR_OS.
 */
int rules_read(struct rules *rules, const struct rules_source *source, struct report *report,
	struct err *err) ATTR_MUST_USE;
void rules_release(struct rules *rules); /* accepts a zeroed one */

/*
 * What the baseline is built and run by where it is built without the candidate's overlay: its own
 * file, if it has one.
 */
const struct config *rules_of_baseline_alone(const struct rules *rules);

/* Would it then be built from, or by, anything else? */
bool rules_baseline_differs(const struct rules *rules);

#endif
