#include "sandbox/limits.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* prlimit64(2) speaks 64 bits on every architecture and is one plain call. */
struct limit64 {
	uint64_t soft;
	uint64_t hard;
};

static int set_limit(int resource, uint64_t value)
{
	struct limit64 now;
	struct limit64 wanted;

	if (syscall(SYS_prlimit64, 0, resource, NULL, &now) < 0)
		return -1;
	wanted.hard = now.hard < value ? now.hard : value;
	wanted.soft = wanted.hard;
	return (int)syscall(SYS_prlimit64, 0, resource, &wanted, NULL);
}

int limits_apply(const struct profile_limits *limits)
{
	/* Core dumps: with 0 the kernel still runs a core_pattern that is a pipe, as root and in
	 * the middle of a measurement; with 1 byte it does not (core(5)). */
	const struct {
		int resource;
		uint64_t value;
	} all[] = {
		{RLIMIT_CORE, 1},
		{RLIMIT_CPU, limits->cpu_seconds},
		{RLIMIT_FSIZE, limits->file_bytes_max},
		{RLIMIT_NOFILE, limits->files_max},
		{RLIMIT_NPROC, limits->processes_max},
		{RLIMIT_MEMLOCK, limits->locked_bytes_max},
		{RLIMIT_MSGQUEUE, 0},
		{RLIMIT_NICE, 0},
		{RLIMIT_RTPRIO, 0},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(all); i++)
		if (set_limit(all[i].resource, all[i].value) < 0)
			return -1;
	return 0;
}

int limits_stack(uint64_t bytes)
{
	struct limit64 limit;

	if (syscall(SYS_prlimit64, 0, RLIMIT_STACK, NULL, &limit) < 0)
		return -1;
	limit.soft = limit.hard < bytes ? limit.hard : bytes;
	return (int)syscall(SYS_prlimit64, 0, RLIMIT_STACK, &limit, NULL);
}

int limits_pin(int cpu)
{
	cpu_set_t set;

	if (cpu >= CPU_SETSIZE) {
		errno = EINVAL;
		return -1;
	}
	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

int limits_same_addresses(void)
{
	return personality(ADDR_NO_RANDOMIZE) < 0 ? -1 : 0;
}

uint64_t limits_tasks_of(uid_t uid)
{
	DIR *proc = opendir("/proc");
	uint64_t tasks = 0;

	if (proc == NULL)
		return 0;
	for (struct dirent *entry = readdir(proc); entry != NULL; entry = readdir(proc)) {
		char path[300];
		struct stat status;

		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		(void)snprintf(path, sizeof(path), "/proc/%s/task", entry->d_name);
		/* Links of the directory: one a task and two. */
		if (stat(path, &status) == 0 && status.st_uid == uid && status.st_nlink > 2)
			tasks += status.st_nlink - 2;
	}
	(void)closedir(proc);
	return tasks;
}
