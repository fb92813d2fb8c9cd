/*
 * cgroup v2: the limits that hold for all processes of a cell together. Used where the machine
 * grants a group with the memory and pids controllers (root, systemd's layout); its absence is
 * reported, never refused.
 */
#ifndef SANDBOX_CGROUP_H
#define SANDBOX_CGROUP_H

#include "sandbox/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cgroup_limits {
	uint64_t memory_bytes; /* 0 = none */
	uint64_t processes_max;
};

/* Can a group with both controllers be made here? Makes and removes one. */
bool cgroup_is_granted(void);

/*
 * Make a group; *procs_fd takes a process in when "0" is written to it by that process. Only
 * commands go in: the keeper must outlive what the memory limit kills.
 * Errors: ERR_CONFINE. Owns: path with cgroup_remove(), *procs_fd.
 */
int cgroup_make(char *path, size_t path_bytes, const struct cgroup_limits *limits, int *procs_fd,
	struct err *err) ATTR_MUST_USE;

/* Kill what is left in it and remove it. Accepts "". */
void cgroup_remove(const char *path);

#endif
