#include "sandbox/enter.h"

#include "sandbox/identity.h"
#include "sandbox/landlock.h"
#include "sandbox/limits.h"
#include "sandbox/seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *const enter_no_loader = "loader";

static int own_session(struct enter_plan *plan)
{
	sigset_t none;

	(void)plan;
	sigemptyset(&none);
	if (sigprocmask(SIG_SETMASK, &none, NULL) < 0)
		return -1;
	return setsid() < 0 ? -1 : 0;
}

static int join_cgroup(struct enter_plan *plan)
{
	if (plan->cgroup_fd < 0)
		return 0;
	return write(plan->cgroup_fd, "0", 1) == 1 ? 0 : -1;
}

static int arrange_descriptors(struct enter_plan *plan)
{
	return descriptors_arrange(plan->places, plan->places_count);
}

static int pin(struct enter_plan *plan)
{
	return plan->cpu < 0 ? 0 : limits_pin(plan->cpu);
}

static int limit(struct enter_plan *plan)
{
	if (plan->stack_bytes != 0 && limits_stack(plan->stack_bytes) < 0)
		return -1;
	return limits_apply(&plan->limits);
}

static int fix_addresses(struct enter_plan *plan)
{
	return plan->same_addresses ? limits_same_addresses() : 0;
}

static int become_nobody(struct enter_plan *plan)
{
	if (plan->become && identity_become(plan->uid) < 0)
		return -1;
	return identity_drop_capabilities();
}

/* After the change of uid, which clears it (prctl(2)). */
static int die_with_keeper(struct enter_plan *plan)
{
	(void)plan;
	return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

static int enter_directory(struct enter_plan *plan)
{
	(void)umask(022);
	if (chdir(plan->directory) == 0)
		return 0;
	plan->failed_kind = ERR_BENCH;
	return -1;
}

static int give_up_privileges(struct enter_plan *plan)
{
	(void)plan;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static int confine_files(struct enter_plan *plan)
{
	return plan->ruleset_fd < 0 ? 0 : landlock_enter(plan->ruleset_fd);
}

/* The argument filter first: the list of calls no longer holds seccomp(2). */
static int confine_calls(struct enter_plan *plan)
{
	if (plan->arguments == NULL)
		return 0;
	if (plan->explain != NULL)
		return seccomp_enter_asking(plan->explain, plan->listener_fd);
	if (seccomp_enter(plan->arguments) < 0)
		return -1;
	return seccomp_enter(plan->calls);
}

/* "dir/name" in plan->program; false where that is too long. */
static bool join_program(struct enter_plan *plan, const char *dir, size_t dir_length)
{
	size_t name_length = strlen(plan->argv[0]);

	if (dir_length + 1 + name_length + 1 > sizeof(plan->program))
		return false;
	memcpy(plan->program, dir, dir_length);
	plan->program[dir_length] = '/';
	memcpy(plan->program + dir_length + 1, plan->argv[0], name_length + 1);
	return true;
}

static int execute_from_path(struct enter_plan *plan)
{
	int last = ENOENT;

	for (const char *dir = plan->path; *dir != '\0';) {
		size_t length = strcspn(dir, ":");

		if (length > 0 && join_program(plan, dir, length)) {
			(void)syscall(SYS_execve, plan->program, plan->argv, plan->envp);
			/* Found but not to be executed is worth more than not found elsewhere. */
			if (errno != ENOENT && errno != ENOTDIR)
				last = errno;
		}
		dir += length;
		dir += *dir == ':' ? 1 : 0;
	}
	errno = last;
	return -1;
}

static int execute(struct enter_plan *plan)
{
	int number;

	plan->failed_kind = ERR_BENCH;
	if (strchr(plan->argv[0], '/') == NULL)
		return execute_from_path(plan);
	(void)syscall(SYS_execve, plan->argv[0], plan->argv, plan->envp);
	number = errno;
	/* The file is there, what its first line or its ELF header asks for is not. */
	if (number == ENOENT && syscall(SYS_faccessat, AT_FDCWD, plan->argv[0], F_OK) == 0)
		plan->failed_step = enter_no_loader;
	errno = number;
	return -1;
}

/*
 * The order is the security argument. What needs privilege comes before the uid is changed; what
 * the change clears comes after it; the layers that refuse the other layers' calls come last.
 */
static const struct {
	const char *name;
	int (*run)(struct enter_plan *plan);
} steps[] = {
	{"session", own_session},
	{"cgroup", join_cgroup},
	{"processor", pin},
	{"limits", limit},
	{"address layout", fix_addresses},
	{"descriptors", arrange_descriptors},
	{"uid and capabilities", become_nobody},
	{"death signal", die_with_keeper},
	{"directory", enter_directory},
	{"no_new_privs", give_up_privileges},
	{"landlock", confine_files},
	{"seccomp", confine_calls},
	{"execute", execute},
};

int enter_command(void *argument)
{
	struct enter_plan *plan = argument;

	plan->failed_kind = ERR_CONFINE;
	plan->failed_step = NULL;
	for (size_t i = 0; i < ARRAY_LENGTH(steps); i++) {
		if (steps[i].run(plan) == 0)
			continue;
		plan->failed_errno = errno;
		if (plan->failed_step == NULL)
			plan->failed_step = steps[i].name;
		break;
	}
	_exit(126);
}
