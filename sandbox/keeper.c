#include "sandbox/keeper.h"

#include "sandbox/base/io.h"
#include "sandbox/enter.h"
#include "sandbox/explain_paths.h"
#include "sandbox/identity.h"
#include "sandbox/keeper_setup.h"
#include "sandbox/profiles.h"
#include "sandbox/reap.h"
#include "sandbox/seccomp_eval.h"
#include "sandbox/wire.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Commands whose exit nobody has asked for yet. */
#define COMMANDS_MAX 256

#define STACK_BYTES 65536u

/* A kill that takes longer than this has failed; below the supervisor's own patience. */
#define KILL_NS UINT64_C(8000000000)

struct command {
	uint32_t id; /* 0 = free */
	pid_t pid;
	bool ended;
	int wait_status;
	struct rusage usage;
};

struct keeper {
	const struct keeper_plan *plan;
	struct keeper_setup setup;
	struct command commands[COMMANDS_MAX];
	char *stack;                   /* of the child that enters */
	char *packet;                  /* WIRE_PACKET_MAX bytes */
	struct sandbox_program asking; /* the filter for explaining, made when first wanted */
	bool closing;
};

static bool has_namespace(const struct keeper *keeper)
{
	return keeper_setup_has_namespaces(keeper->plan->cell->machine.tier);
}

/* The oldest ended one gives way: a caller that forgets a process never asks for its exit. */
static struct command *free_slot(struct keeper *keeper)
{
	struct command *oldest = NULL;

	for (unsigned i = 0; i < COMMANDS_MAX; i++) {
		struct command *command = &keeper->commands[i];

		if (command->id == 0)
			return command;
		if (command->ended && (oldest == NULL || command->id < oldest->id))
			oldest = command;
	}
	return oldest;
}

static void note_exit(struct keeper *keeper, pid_t pid, int status, const struct rusage *usage)
{
	for (unsigned i = 0; i < COMMANDS_MAX; i++) {
		struct command *command = &keeper->commands[i];

		if (command->id == 0 || command->ended || command->pid != pid)
			continue;
		command->ended = true;
		command->wait_status = status;
		command->usage = *usage;
	}
}

/* Collect the dead: commands and the orphans left to us. True while there are children. */
static bool collect(struct keeper *keeper)
{
	for (;;) {
		struct rusage usage;
		int status;
		pid_t pid = wait4(-1, &status, WNOHANG, &usage);

		if (pid == 0)
			return true;
		if (pid < 0 && errno != EINTR)
			return false;
		if (pid > 0)
			note_exit(keeper, pid, status, &usage);
	}
}

/* Sleep until a child dies or a moment has passed. */
static void wait_for_a_death(const struct keeper *keeper)
{
	struct pollfd ready = {.fd = keeper->setup.death_fd, .events = POLLIN};

	(void)poll(&ready, 1, 2);
	keeper_setup_drain(&keeper->setup);
}

static int kill_everything(struct keeper *keeper, struct err *err)
{
	struct reap reap = {.root = getpid(), .namespace = has_namespace(keeper)};
	uint64_t deadline_ns = io_now_ns() + KILL_NS;
	unsigned left = 0;
	bool children;

	do {
		if (reap_round(&reap, &left, err) < 0)
			return -1;
		children = collect(keeper);
		if (left == 0 && !children)
			return 0;
		if (children)
			wait_for_a_death(keeper);
	} while (io_now_ns() < deadline_ns);
	return err_set(err, ERR_CONFINE, "%u processes of the cell cannot be killed", left);
}

/* Split the strings of a request. False where it does not hold what it says. */
static bool split(const struct wire_request *request, char *strings, char **out)
{
	uint32_t count = request->argc + request->envc + 1;
	char *next = strings;
	char *end = strings + request->strings_bytes;

	for (uint32_t i = 0, at = 0; i < count; i++) {
		char *stop = memchr(next, '\0', (size_t)(end - next));

		if (stop == NULL)
			return false;
		out[at++] = next;
		next = stop + 1;
		if (i == request->argc || i == count - 1)
			out[at++] = NULL;
	}
	return next == end;
}

static const char *find_path(char *const *env)
{
	for (; *env != NULL; env++)
		if (strncmp(*env, "PATH=", 5) == 0)
			return *env + 5;
	return "";
}

/* "echo >/dev/stderr" opens the pipe anew, as the command's uid: it has to be its owner. */
static void let_reopen(int fd, uid_t uid)
{
	struct stat status;

	if (fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode) && status.st_uid != uid &&
		fchown(fd, uid, (gid_t)-1) < 0)
		return; /* then it is not, as for a file of somebody else */
}

/* The descriptors sent along, and /dev/null, which we hold at 0, 1 and 2, for a standard one that
 * was not. */
static void plan_descriptors(const struct wire_request *request,
	const struct wire_received *received, struct enter_plan *enter)
{
	bool given[3] = {false, false, false};

	for (unsigned i = 0; i < request->places_count; i++) {
		enter->places[i].fd = received->fds[i];
		enter->places[i].as = request->places_as[i];
		if (enter->become)
			let_reopen(received->fds[i], enter->uid);
		if (request->places_as[i] < 3)
			given[request->places_as[i]] = true;
	}
	enter->places_count = request->places_count;
	for (int standard = 0; standard < 3; standard++)
		if (!given[standard])
			enter->places[enter->places_count++] = (struct descriptors_place){
				.fd = standard, .as = standard};
}

static void plan_command(const struct keeper *keeper, const struct wire_request *request,
	const struct wire_received *received, char **strings, struct enter_plan *enter)
{
	const struct sandbox_machine *machine = &keeper->plan->cell->machine;
	const struct profile *profile = profiles_get(keeper->plan->cell->profile);

	memset(enter, 0, sizeof(*enter));
	enter->directory = strings[0];
	enter->argv = strings + 1;
	enter->envp = strings + 2 + request->argc;
	enter->path = find_path(enter->envp);
	enter->limits = profile->limits;
	enter->limits.processes_max += keeper->setup.tasks_before;
	if (request->cpu_seconds != 0)
		enter->limits.cpu_seconds = request->cpu_seconds;
	enter->stack_bytes = request->stack_bytes;
	enter->cpu = request->cpu;
	enter->same_addresses = request->same_addresses != 0;
	enter->become = identity_is_own(machine);
	enter->uid = identity_uid(machine, keeper->plan->cell->side);
	plan_descriptors(request, received, enter);
	enter->cgroup_fd = keeper->setup.cgroup_fd;
	enter->ruleset_fd = keeper->setup.ruleset_fd;
	if ((machine->without & SANDBOX_WITHOUT_SECCOMP) == 0) {
		enter->arguments = &machine->filters[SANDBOX_FILTER_ARGUMENTS];
		enter->calls = &machine->filters[keeper->plan->cell->loopback
							 ? SANDBOX_FILTER_CALLS_LOOPBACK
							 : SANDBOX_FILTER_CALLS];
	}
}

/* The asking filter, once. */
static int plan_explaining(
	struct keeper *keeper, int channel, struct enter_plan *enter, struct err *err)
{
	int watched[EXPLAIN_PATHS_WATCHED_MAX];

	if (enter->arguments == NULL)
		return err_set(err, ERR_BUG, "there are no filters to explain");
	explain_paths_watched(watched);
	if (keeper->asking.length == 0 &&
		!seccomp_eval_make_asking(&keeper->asking, enter->arguments, enter->calls, watched))
		return err_set(err, ERR_BUG, "the filter for explaining is too long");
	enter->explain = &keeper->asking;
	enter->listener_fd = channel;
	return 0;
}

static void describe_failure(const struct enter_plan *plan, struct err *err)
{
	errno = plan->failed_errno;
	if (plan->failed_step == enter_no_loader)
		(void)err_set(err, ERR_BENCH,
			"cannot execute '%s': the interpreter or loader it asks for is missing",
			plan->argv[0]);
	else if (plan->failed_kind != ERR_BENCH)
		(void)err_errno(err, plan->failed_kind, "%s", plan->failed_step);
	else if (strcmp(plan->failed_step, "execute") == 0)
		(void)err_errno(err, ERR_BENCH, "cannot execute '%s'", plan->argv[0]);
	else
		(void)err_errno(err, ERR_BENCH, "cannot enter the directory '%s'", plan->directory);
}

static int check_start(
	const struct wire_request *request, const struct wire_received *received, struct err *err)
{
	bool sound = received->bytes == sizeof(*request) + request->strings_bytes &&
		     request->argc >= 1 && request->argc <= SANDBOX_ARGS_BYTES_MAX &&
		     request->envc <= SANDBOX_ARGS_BYTES_MAX &&
		     request->places_count <= DESCRIPTORS_PLACED_MAX &&
		     request->places_count + request->explain == received->fds_count;

	return sound ? 0 : err_set(err, ERR_BUG, "a damaged request reached the keeper");
}

/* Clone the child; the pidfd of what it became goes to *pidfd. */
static int start(struct keeper *keeper, const struct wire_request *request,
	struct wire_received *received, int *pidfd, struct err *err)
{
	struct command *command = free_slot(keeper);
	struct enter_plan plan;
	char **strings;
	pid_t pid;

	if (check_start(request, received, err) < 0)
		return -1;
	if (command == NULL)
		return err_set(err, ERR_LIMIT, "more than %d commands at once", COMMANDS_MAX);
	strings = calloc((size_t)request->argc + request->envc + 3, sizeof(*strings));
	if (strings == NULL)
		return err_errno(err, ERR_OS, "start");
	if (!split(request, keeper->packet + sizeof(*request), strings)) {
		free(strings);
		return err_set(err, ERR_BUG, "a damaged request reached the keeper");
	}
	plan_command(keeper, request, received, strings, &plan);
	if (request->explain != 0 &&
		plan_explaining(keeper, received->fds[request->places_count], &plan, err) < 0) {
		free(strings);
		return -1;
	}
	pid = clone(enter_command, keeper->stack + STACK_BYTES,
		CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &plan, pidfd);
	if (pid < 0) {
		(void)err_errno(err, ERR_OS, "clone");
	} else if (plan.failed_step != NULL) {
		describe_failure(&plan, err);
		(void)waitpid(pid, NULL, 0);
		(void)close(*pidfd);
		*pidfd = pid = -1;
	} else {
		memset(command, 0, sizeof(*command));
		command->id = request->id;
		command->pid = pid;
	}
	free(strings);
	return pid < 0 ? -1 : 0;
}

/* The exit of one command; the supervisor saw its pidfd become readable. */
static int reap(struct keeper *keeper, uint32_t id, struct wire_reply *reply)
{
	(void)collect(keeper);
	for (unsigned i = 0; i < COMMANDS_MAX; i++) {
		struct command *command = &keeper->commands[i];

		if (command->id != id || id == 0)
			continue;
		if (!command->ended)
			return err_set(&reply->err, ERR_BUG, "command %u has not ended", id);
		reply->wait_status = command->wait_status;
		reply->usage = command->usage;
		command->id = 0;
		return 0;
	}
	return err_set(&reply->err, ERR_BUG, "no command %u in this cell", id);
}

static int serve(
	struct keeper *keeper, struct wire_received *received, struct wire_reply *reply, int *pidfd)
{
	struct wire_request request;

	memset(reply, 0, sizeof(*reply));
	if (received->bytes < sizeof(request))
		return err_set(&reply->err, ERR_BUG, "a short request reached the keeper");
	memcpy(&request, keeper->packet, sizeof(request));
	switch (request.verb) {
	case WIRE_START:
		return start(keeper, &request, received, pidfd, &reply->err);
	case WIRE_REAP:
		return reap(keeper, request.id, reply);
	case WIRE_COUNT:
		return reap_count(getpid(), &reply->count, &reply->err);
	case WIRE_CLOSE:
		keeper->closing = true;
		return kill_everything(keeper, &reply->err);
	case WIRE_KILL:
		return kill_everything(keeper, &reply->err);
	default:
		return err_set(&reply->err, ERR_BUG, "unknown request to the keeper");
	}
}

/* One request and its reply. False once the supervisor is gone or has closed the cell. */
static bool serve_next(struct keeper *keeper)
{
	struct wire_received received = {0};
	struct wire_reply reply;
	struct wire_packet packet = {.head = &reply, .head_bytes = sizeof(reply)};
	int pidfd = -1;
	bool sent;

	if (wire_receive(keeper->setup.socket, keeper->packet, WIRE_PACKET_MAX, UINT64_MAX,
		    &received, &reply.err) < 0 ||
		received.bytes == 0)
		return false;
	reply.failed = serve(keeper, &received, &reply, &pidfd) < 0 ? 1 : 0;
	if (pidfd >= 0)
		packet.fds[packet.fds_count++] = pidfd;
	sent = wire_send(keeper->setup.socket, &packet, &reply.err) == 0;
	attr_close(&pidfd);
	wire_release(&received);
	return sent && !keeper->closing;
}

static void live(struct keeper *keeper)
{
	bool going = true;

	while (going) {
		struct pollfd ready[] = {
			{.fd = keeper->setup.socket, .events = POLLIN},
			{.fd = keeper->setup.death_fd, .events = POLLIN},
		};

		if (poll(ready, ARRAY_LENGTH(ready), -1) < 0 && errno != EINTR)
			return;
		if (ready[1].revents != 0) {
			keeper_setup_drain(&keeper->setup);
			(void)collect(keeper);
		}
		if (ready[0].revents != 0)
			going = serve_next(keeper);
	}
}

static int prepare(struct keeper *keeper, struct err *err)
{
	char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

	keeper->packet = malloc(WIRE_PACKET_MAX);
	if (stack == MAP_FAILED || keeper->packet == NULL)
		return err_errno(err, ERR_OS, "memory of the keeper");
	keeper->stack = stack;
	return keeper_setup_make(&keeper->setup, keeper->plan, err);
}

void keeper_run(const struct keeper_plan *plan)
{
	struct keeper *keeper = calloc(1, sizeof(*keeper));
	struct wire_reply reply;
	struct wire_packet packet = {.head = &reply, .head_bytes = sizeof(reply)};

	if (keeper == NULL)
		_exit(1);
	memset(&reply, 0, sizeof(reply));
	keeper->plan = plan;
	keeper->setup.socket = plan->socket;
	if (prepare(keeper, &reply.err) < 0)
		reply.failed = 1;
	if (wire_send(keeper->setup.socket, &packet, &reply.err) < 0 || reply.failed != 0)
		_exit(1);
	live(keeper);
	if (!keeper->closing)
		(void)kill_everything(keeper, &reply.err);
	_exit(0);
}
