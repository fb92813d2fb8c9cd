/*
 * What a report says about where its figures come from: versions, machine, confinement, moment.
 *
 * Beside the flow: reads what versions and sandbox_probe() have found and fills the report.
 */
#ifndef RUNNER_PROVENANCE_H
#define RUNNER_PROVENANCE_H

#include "runner/artifact/schema.h"
#include "runner/versions.h"
#include "sandbox/sandbox.h"

/* Errors: ERR_OS. */
int provenance_version(
	struct report_version *out, const struct version *version, struct err *err) ATTR_MUST_USE;

/*
 * The moment, the version of duel, the seed (0 = one from the system is drawn), what the machine is
 * and how busy before we add to it, and what its confinement lacks. Errors: ERR_OS.
 */
int provenance_run(struct report *report, uint64_t seed, const struct sandbox_machine *machine,
	struct err *err) ATTR_MUST_USE;

#endif
