/*
 * Numbers out of /proc: what the kernel says about processes (proc(5)).
 */
#ifndef SANDBOX_PROCFS_H
#define SANDBOX_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The number behind `key` ("Pid:") on the line that begins with it. False where there is none. */
bool procfs_number(const char *path, const char *key, int64_t *number);

/* The first `count` numbers of the file, separated by blanks. */
bool procfs_numbers(const char *path, int64_t *numbers, size_t count);

struct procfs_stat {
	pid_t pid;
	char state;
	pid_t parent;
	uint64_t started;      /* clock ticks since boot: with the pid, an identity */
	uint64_t arguments[2]; /* addresses; 0 where we may not know them */
	uint64_t environment[2];
};

/* False where the process is gone. */
bool procfs_stat(pid_t pid, struct procfs_stat *stat);

#endif
