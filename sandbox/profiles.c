#include "sandbox/profiles.h"

#define MIB(n) ((uint64_t)(n) << 20)
#define GIB(n) ((uint64_t)(n) << 30)

static const struct profile all[SANDBOX_PROFILES] = {
	/* A compiler may need gigabytes of temporary files and as many processes as make starts. */
	[SANDBOX_BUILD] =
		{
			.name = "build",
			.tree_writable = true,
			.tmp_bytes_max = GIB(2),
			.scratch_bytes_max = GIB(2),
			.limits =
				{
					.cpu_seconds = 7200,
					.file_bytes_max = GIB(8),
					.files_max = 4096,
					.processes_max = 2048,
					.locked_bytes_max = MIB(8),
				},
		},
	/* The linker alone: its inputs are snapshots, its output goes to the scratch. */
	[SANDBOX_LINK] =
		{
			.name = "link",
			.tree_writable = false,
			.tmp_bytes_max = GIB(1),
			.scratch_bytes_max = GIB(2),
			.limits =
				{
					.cpu_seconds = 600,
					.file_bytes_max = GIB(4),
					.files_max = 4096,
					.processes_max = 512,
					.locked_bytes_max = MIB(8),
				},
		},
	/* Benchmarks, also under valgrind, whose output file is the largest thing they write. */
	[SANDBOX_RUN] =
		{
			.name = "run",
			.tree_writable = false,
			.tmp_bytes_max = MIB(256),
			.scratch_bytes_max = MIB(256),
			.limits =
				{
					/*
					 * None: the kernel's timer behind it keeps the process's
					 * CPU clock, which workers read, only up to its last tick.
					 * Runs have deadlines.
					 */
					.cpu_seconds = PROFILES_CPU_UNLIMITED,
					.file_bytes_max = GIB(1),
					.files_max = 4096,
					.processes_max = 512,
					.locked_bytes_max = MIB(8),
				},
		},
};

const struct profile *profiles_get(enum sandbox_profile profile)
{
	return &all[profile];
}
