/*
 * Confinement of commands nobody has reviewed: the whole public interface of sandbox/.
 *
 * sandbox_probe() tries in throw-away children what this machine grants and chooses a tier.
 * A *cell* is one version's confinement, set up once for one profile: its keeper process (pid 1 of
 * the cell's own pid namespace where there is one) starts each command inside it and can end all of
 * them. Commands get an environment built from nothing, no descriptor but the ones named, and no
 * way to reach the other version's cell, the supervisor or the rest of the machine.
 *
 * What each layer stops is in sandbox/README.md; the constants of each profile in profiles.c.
 */
#ifndef SANDBOX_SANDBOX_H
#define SANDBOX_SANDBOX_H

#include "sandbox/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/* Sets of layers, weakest first. A larger value is a stronger tier. */
enum sandbox_tier {
	SANDBOX_TIER_REFUSE, /* a required property has no provider: nothing is run */
	SANDBOX_TIER_FLAT,   /* Landlock and seccomp, the caller's own uid */
	SANDBOX_TIER_UID,    /* an own uid, Landlock and seccomp */
	SANDBOX_TIER_USERNS, /* namespaces through an unprivileged user namespace */
	SANDBOX_TIER_ROOT,   /* namespaces, an own uid for each version, cgroup v2 where granted */
	SANDBOX_TIERS,
	SANDBOX_TIER_AUTO = SANDBOX_TIERS, /* the strongest this machine grants */
	SANDBOX_TIER_UNKNOWN
};

/* Each required property needs a provider, else the tier is refused. The rest is reported when
 * missing. */
enum sandbox_property {
	SANDBOX_NO_NEW_PRIVILEGES,
	SANDBOX_SYSTEM_CALLS,
	SANDBOX_WRITES,
	SANDBOX_TRUNCATION,
	SANDBOX_PROCESS_SECRETS,
	SANDBOX_SIGNALS,
	SANDBOX_NETWORK,
	SANDBOX_UNIX_SOCKETS,
	SANDBOX_KILL_ALL,
	SANDBOX_REQUIRED_END, /* the properties before this one are required */
	SANDBOX_OWN_UID = SANDBOX_REQUIRED_END,
	SANDBOX_HIDDEN_PROCESSES,
	SANDBOX_PRIVATE_TMP,
	SANDBOX_PRIVATE_LOOPBACK,
	SANDBOX_FILE_METADATA, /* chmod, utimes of the caller's files */
	SANDBOX_MEMORY_LIMIT,
	SANDBOX_PROCESS_LIMIT,
	SANDBOX_DIES_WITH_US,
	SANDBOX_DEVICE_IOCTL,
	SANDBOX_PROPERTIES
};

/* One filter as the kernel takes it: instructions of eight bytes (struct sock_filter). */
#define SANDBOX_PROGRAM_MAX 1024
struct sandbox_program {
	uint32_t length; /* instructions in use */
	uint64_t code[SANDBOX_PROGRAM_MAX];
};

enum sandbox_filter {
	SANDBOX_FILTER_ARGUMENTS,      /* everything but some values of some arguments */
	SANDBOX_FILTER_CALLS,          /* the list of allowed calls; no internet sockets */
	SANDBOX_FILTER_CALLS_LOOPBACK, /* the same with internet sockets, for a private loopback */
	SANDBOX_FILTERS
};

/* Layers a test may leave out to prove the others alone; no command line reaches them. */
enum sandbox_layer {
	SANDBOX_WITHOUT_SECCOMP = 1,
	SANDBOX_WITHOUT_LANDLOCK = 2,
	SANDBOX_WITHOUT_MOUNTS = 4, /* namespaces stay, the view of files is the machine's */
	SANDBOX_WITHOUT_OWN_UID = 8
};

struct sandbox_machine {
	enum sandbox_tier tier;
	int landlock_abi; /* 0 = none */
	bool cgroup;      /* a cgroup v2 with memory and pids controllers can be made */
	/* The layer that provides the property, "" where nothing does. Static strings. */
	const char *provider[SANDBOX_PROPERTIES];
	/* Why a stronger tier was not chosen and how to mend it; "" in the root tier. */
	char advice[400];
	struct sandbox_program filters[SANDBOX_FILTERS]; /* compiled once, shared by all cells */
	uid_t first_uid;  /* of the pair this process gives to its sides; drawn at the probe */
	unsigned without; /* enum sandbox_layer bits, 0 outside of tests */
};

const char *sandbox_tier_name(enum sandbox_tier tier);
const char *sandbox_property_name(enum sandbox_property property);
/* SANDBOX_TIER_UNKNOWN where there is no tier of this name; "auto" is SANDBOX_TIER_AUTO. */
enum sandbox_tier sandbox_tier_by_name(const char *name);

/*
 * Try what this machine grants, whole recipes at a time, in children. `want` asks for one tier.
 * Errors: ERR_CONFINE where that tier (or, with AUTO, any tier) cannot be had: names the missing
 * property.
 */
int sandbox_probe(
	struct sandbox_machine *machine, enum sandbox_tier want, struct err *err) ATTR_MUST_USE;

enum sandbox_profile {
	SANDBOX_BUILD, /* tree read-write */
	SANDBOX_LINK,  /* tree read-only, scratch read-write: relinking between visits */
	SANDBOX_RUN,   /* tree read-only, small private scratch: workers */
	SANDBOX_PROFILES
};

enum sandbox_side { SANDBOX_BASELINE, SANDBOX_CANDIDATE };

#define SANDBOX_READABLE_MAX 16

/* What a cell is made for. Strings are borrowed while sandbox_open() runs. */
struct sandbox_room {
	enum sandbox_profile profile;
	enum sandbox_side side; /* chooses the uid in the root and uid tiers */
	const char *tree;       /* the version's tree on this machine, absolute */
	const char *scratch;    /* a directory of its own, read-write; NULL = a private tmpfs where
				   there are namespaces, else none */
	const char *readable[SANDBOX_READABLE_MAX]; /* further directories, read-only at their own
						       path; NULL ends the list */
	bool loopback;         /* a private loopback is needed: ERR_CONFINE where none can be had */
	uint64_t memory_bytes; /* limit of the cell where cgroup v2 grants it; 0 = none */
};

/* The uid of that side's commands, as this machine's files name it. */
uid_t sandbox_uid(const struct sandbox_machine *machine, enum sandbox_side side);

/*
 * Make a tree writable for the commands of that side: in the root and uid tiers it is given to the
 * side's own uid, links not followed; elsewhere nothing needs to change. Only for a tree no command
 * is working in. Errors: ERR_OS with the path.
 */
int sandbox_give(const struct sandbox_machine *machine, enum sandbox_side side, const char *path,
	struct err *err) ATTR_MUST_USE;

struct sandbox_cell {
	struct sandbox_machine machine;
	enum sandbox_profile profile;
	enum sandbox_side side;
	int keeper_socket; /* owned */
	int keeper_pidfd;  /* owned */
	pid_t keeper_pid;
	uint64_t patience_ns; /* how long the keeper may take to answer */
	uint32_t last_id;     /* of the commands started so far */
	char tree[4096];      /* as seen inside: equal in length for both sides */
	char scratch[4096];   /* as seen inside; "" = none */
	char cgroup[256];     /* the cell's cgroup directory; "" = none */
	bool loopback;
	char readable[8192]; /* the room's further directories, each terminated; "" ends them */
};

/*
 * Make a cell. Blocks until the keeper is ready or has said which layer failed.
 * Errors: ERR_CONFINE with the layer and errno; ERR_OS.
 * Owns: the cell is the caller's, ended with sandbox_close() after success only.
 */
int sandbox_open(struct sandbox_cell *cell, const struct sandbox_machine *machine,
	const struct sandbox_room *room, struct err *err) ATTR_MUST_USE;

#define SANDBOX_ARGS_BYTES_MAX \
	131072 /* argv and environment of one command, all strings together */
#define SANDBOX_FDS_MAX 8

/* One command. Strings are borrowed for the call. */
struct sandbox_command {
	const char *const *argv; /* argv[0] is searched in PATH; NULL-terminated */
	const char *const *env;  /* added to the built environment, "NAME=value"; may be NULL */
	const char *cwd;         /* as seen inside; NULL = the tree */
	int stdin_fd;            /* -1 = /dev/null; these three are borrowed */
	int stdout_fd;
	int stderr_fd;
	struct {
		int fd; /* ours, borrowed */
		int as; /* its number in the command, 3 or more */
	} fds[SANDBOX_FDS_MAX];
	unsigned fds_count;
	int cpu;              /* pinned to this processor; -1 = as we are */
	uint64_t stack_bytes; /* RLIMIT_STACK, shifts the mappings; 0 = as we are */
	bool same_addresses;  /* personality(ADDR_NO_RANDOMIZE) */
	uint64_t cpu_seconds; /* RLIMIT_CPU; 0 = the profile's */
};

struct sandbox_process {
	uint32_t id; /* within its cell, from 1 */
	int pidfd;   /* owned: sandbox_forget() */
	pid_t pid;   /* in our own pid namespace */
};

/*
 * Start a command in the cell. Returns once it was executed or could not be.
 * Errors: ERR_CONFINE a layer failed (nothing was run); ERR_BENCH the program could not be executed
 * (names it); ERR_OS the cell's keeper is gone.
 */
int sandbox_start(struct sandbox_cell *cell, const struct sandbox_command *command,
	struct sandbox_process *process, struct err *err) ATTR_MUST_USE;

struct sandbox_exit {
	int wait_status;     /* as waitpid(2) */
	struct rusage usage; /* of the process and the children it waited for */
};

/*
 * Wait for a command's end until deadline_ns (io_now_ns()); never kills.
 * Errors: ERR_LIMIT at the deadline (the process goes on: sandbox_kill_all()); ERR_OS.
 */
int sandbox_wait(struct sandbox_cell *cell, struct sandbox_process *process, uint64_t deadline_ns,
	struct sandbox_exit *out, struct err *err) ATTR_MUST_USE;

/* Close what the process record owns. Accepts a zeroed one. */
void sandbox_forget(struct sandbox_process *process);

/* CPU time of the process (all its threads) read from outside, ns. Errors: ERR_BENCH it is gone. */
int sandbox_cpu_ns(
	const struct sandbox_process *process, uint64_t *ns, struct err *err) ATTR_MUST_USE;

/*
 * How many processes live in the cell, the keeper not counted, zombies not counted.
 * Errors: ERR_OS.
 */
int sandbox_population(struct sandbox_cell *cell, unsigned *count, struct err *err) ATTR_MUST_USE;

/* End every process of the cell but the keeper, and verify it. Errors: ERR_CONFINE one survived. */
int sandbox_kill_all(struct sandbox_cell *cell, struct err *err) ATTR_MUST_USE;

/* End the cell: everything in it, the keeper, the cgroup. Errors: ERR_CONFINE a process survived.
 */
int sandbox_close(struct sandbox_cell *cell, struct err *err) ATTR_MUST_USE;

/* "exit status 3", "killed by SIGSEGV": how a wait status reads in a message. */
void sandbox_describe_exit(int wait_status, char *text, size_t text_bytes);

/*
 * Which refusals does the command meet? Runs it to its end, refused what it always is, and adds
 * one line for each distinct refusal: the call and the line of the policy, or the path and what
 * closes it. At the deadline everything in the cell is killed. For `duel sandbox --explain`.
 * Errors: as sandbox_start() and sandbox_wait(); ERR_CONFINE the kernel cannot ask (below 5.5).
 */
struct buf;
int sandbox_explain(struct sandbox_cell *cell, const struct sandbox_command *command,
	uint64_t deadline_ns, struct buf *lines, struct sandbox_exit *out,
	struct err *err) ATTR_MUST_USE;

#endif
