#include "sandbox/reap.h"

#include "sandbox/base/io.h"
#include "sandbox/procfs.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

/* Far above what the limit on processes lets a cell have. */
#define PROCESSES_MAX 1000000u

/* After so many rounds of stopping the rest is killed as it is; killing goes on until nothing is
 * left. */
#define STOP_ROUNDS_MAX 200u

/* So many scans in a row must find nothing running. */
#define QUIET_SCANS 3u

#define ORPHANS_NS UINT64_C(5000000000)

struct entry {
	struct procfs_stat stat;
	bool inside;
};

struct scan {
	struct entry *entries; /* owned; sorted by pid */
	size_t count;
	size_t capacity;
};

static void scan_release(struct scan *scan)
{
	free(scan->entries);
	memset(scan, 0, sizeof(*scan));
}

#define AUTO_SCAN ATTR_CLEANUP(scan_release) struct scan

static int scan_add(struct scan *scan, const struct entry *entry, struct err *err)
{
	if (scan->count == scan->capacity) {
		size_t capacity = scan->capacity == 0 ? 512 : scan->capacity * 2;
		struct entry *entries = NULL;

		if (capacity <= PROCESSES_MAX)
			entries = realloc(scan->entries, capacity * sizeof(*entries));
		if (entries == NULL)
			return err_set(err, ERR_OS, "too many processes to count");
		scan->entries = entries;
		scan->capacity = capacity;
	}
	scan->entries[scan->count++] = *entry;
	return 0;
}

static int by_pid(const void *left, const void *right)
{
	const struct entry *a = left;
	const struct entry *b = right;

	return (a->stat.pid > b->stat.pid) - (a->stat.pid < b->stat.pid);
}

static int scan_read(struct scan *scan, struct err *err)
{
	DIR *proc = opendir("/proc");
	int result = 0;

	if (proc == NULL)
		return err_errno(err, ERR_OS, "/proc");
	for (struct dirent *item = readdir(proc); item != NULL && result == 0;
		item = readdir(proc)) {
		struct entry entry = {0};

		if (item->d_name[0] < '1' || item->d_name[0] > '9')
			continue;
		if (procfs_stat((pid_t)strtol(item->d_name, NULL, 10), &entry.stat))
			result = scan_add(scan, &entry, err);
	}
	(void)closedir(proc);
	if (scan->count > 0)
		qsort(scan->entries, scan->count, sizeof(*scan->entries), by_pid);
	return result;
}

/* How many seccomp filters the process has: every confined command has more than we do. */
static unsigned count_filters(pid_t pid)
{
	char path[64];
	int64_t filters;

	(void)snprintf(path, sizeof(path), "/proc/%d/status", pid);
	return procfs_number(path, "Seccomp_filters:", &filters) ? (unsigned)filters : 0;
}

/* Is this child of root one we look for? */
static bool is_wanted_child(const struct entry *entry, const struct reap *reap)
{
	return !reap->orphans || count_filters(entry->stat.pid) > count_filters(reap->root);
}

/* Mark the descendants of root. Children mostly have higher pids, so one pass nearly does it. */
static void scan_mark(struct scan *scan, const struct reap *reap)
{
	bool changed = scan->count > 0;

	for (size_t i = 0; i < scan->count; i++)
		if (scan->entries[i].stat.parent == reap->root)
			scan->entries[i].inside = is_wanted_child(&scan->entries[i], reap);
	while (changed) {
		changed = false;
		for (size_t i = 0; i < scan->count; i++) {
			struct entry *entry = &scan->entries[i];
			const struct entry key = {.stat.pid = entry->stat.parent};
			const struct entry *parent;

			if (entry->inside || entry->stat.pid == reap->root)
				continue;
			parent = bsearch(&key, scan->entries, scan->count, sizeof(key), by_pid);
			if (parent != NULL && parent->inside) {
				entry->inside = true;
				changed = true;
			}
		}
	}
}

static bool is_live(const struct entry *entry)
{
	return entry->inside && entry->stat.state != 'Z' && entry->stat.state != 'X';
}

int reap_count(pid_t root, unsigned *count, struct err *err)
{
	const struct reap all = {.root = root};
	AUTO_SCAN scan = {0};

	if (scan_read(&scan, err) < 0)
		return -1;
	scan_mark(&scan, &all);
	*count = 0;
	for (size_t i = 0; i < scan.count; i++)
		*count += is_live(&scan.entries[i]) ? 1 : 0;
	return 0;
}

/* Send through a pidfd, after making sure that the pid still means the process of the scan. */
static void send_signal(const struct entry *entry, int number)
{
	AUTO_FD pidfd = (int)syscall(SYS_pidfd_open, entry->stat.pid, 0u);
	struct procfs_stat now;

	if (pidfd >= 0 && procfs_stat(entry->stat.pid, &now) && now.started == entry->stat.started)
		(void)syscall(SYS_pidfd_send_signal, pidfd, number, NULL, 0u);
}

/*
 * Can it still fork? Not when stopped. Nor when it sleeps uninterruptibly with our SIGSTOP pending:
 * mostly a parent in vfork(2) whose child is stopped, which will not leave that sleep before the
 * child is killed. fork(2) itself fails while a signal is pending.
 */
static bool is_quiet(const struct entry *entry)
{
	return entry->stat.state == 'T' || entry->stat.state == 'D';
}

static unsigned signal_each(const struct scan *scan, struct reap *reap)
{
	unsigned live = 0;
	unsigned running = 0;

	for (size_t i = 0; i < scan->count; i++) {
		const struct entry *entry = &scan->entries[i];

		if (!is_live(entry))
			continue;
		live++;
		running += is_quiet(entry) ? 0 : 1;
		if (reap->stopped || entry->stat.state != 'T')
			send_signal(entry, reap->stopped ? SIGKILL : SIGSTOP);
	}
	/* One that ran at the last scan may have sent SIGCONT to one that was stopped by then, so a
	 * single quiet scan proves nothing; in the time between two, nobody was there to do it. */
	reap->quiet = running == 0 ? reap->quiet + 1 : 0;
	if (reap->quiet >= QUIET_SCANS || reap->rounds > STOP_ROUNDS_MAX)
		reap->stopped = true;
	return live;
}

int reap_round(struct reap *reap, unsigned *left, struct err *err)
{
	AUTO_SCAN scan = {0};

	reap->rounds++;
	/* Everyone in the namespace but its pid 1, in one step no fork can slip through. */
	if (reap->namespace && kill(-1, SIGKILL) < 0 && errno != ESRCH)
		return err_errno(err, ERR_OS, "kill the namespace");
	if (reap->namespace)
		return reap_count(reap->root, left, err);
	if (scan_read(&scan, err) < 0)
		return -1;
	scan_mark(&scan, reap);
	*left = signal_each(&scan, reap);
	return 0;
}

/* Collect confined children only: others of ours are waited for by whoever started them. */
static void collect_orphans(const struct scan *scan, pid_t root)
{
	for (size_t i = 0; i < scan->count; i++)
		if (scan->entries[i].inside && scan->entries[i].stat.parent == root)
			(void)waitpid(scan->entries[i].stat.pid, NULL, WNOHANG);
}

int reap_confined_orphans(struct err *err)
{
	const struct timespec pause = {.tv_nsec = 1000000};
	struct reap reap = {.root = getpid(), .orphans = true};
	uint64_t deadline_ns = io_now_ns() + ORPHANS_NS;
	unsigned left;

	do {
		AUTO_SCAN scan = {0};

		reap.rounds++;
		if (scan_read(&scan, err) < 0)
			return -1;
		scan_mark(&scan, &reap);
		left = signal_each(&scan, &reap);
		collect_orphans(&scan, reap.root);
		if (left == 0)
			return 0;
		(void)nanosleep(&pause, NULL);
	} while (io_now_ns() < deadline_ns);
	return err_set(err, ERR_CONFINE, "%u confined processes outlive their keeper", left);
}
