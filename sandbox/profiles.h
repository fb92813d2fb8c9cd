/*
 * What each profile grants: constants, nothing computed. Callers choose a profile; none can compose
 * or weaken one.
 */
#ifndef SANDBOX_PROFILES_H
#define SANDBOX_PROFILES_H

#include "sandbox/sandbox.h"

#include <stdbool.h>
#include <stdint.h>

#define PROFILES_CPU_UNLIMITED UINT64_MAX

/* Limits of one process, but for processes_max, which counts all of the uid. */
struct profile_limits {
	uint64_t cpu_seconds;
	uint64_t file_bytes_max;
	uint64_t files_max; /* open descriptors */
	uint64_t processes_max;
	uint64_t locked_bytes_max;
};

struct profile {
	const char *name;
	bool tree_writable;
	uint64_t tmp_bytes_max;     /* each private tmpfs */
	uint64_t scratch_bytes_max; /* the private scratch where the caller gave none */
	struct profile_limits limits;
};

const struct profile *profiles_get(enum sandbox_profile profile);

#endif
