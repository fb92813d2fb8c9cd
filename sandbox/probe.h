/*
 * Which properties a tier has on this machine, and through what.
 */
#ifndef SANDBOX_PROBE_H
#define SANDBOX_PROBE_H

#include "sandbox/sandbox.h"

/* Fill in the providers from the tier, the Landlock ABI and the cgroup. Pure. */
void probe_providers(struct sandbox_machine *machine);

/* The first required property nothing provides; SANDBOX_PROPERTIES where all are. Pure. */
enum sandbox_property probe_first_missing(const struct sandbox_machine *machine);

#endif
