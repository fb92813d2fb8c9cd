#include "sandbox/keeper_setup.h"

#include "sandbox/descriptors.h"
#include "sandbox/identity.h"
#include "sandbox/landlock.h"
#include "sandbox/limits.h"
#include "sandbox/mounts.h"
#include "sandbox/namespaces.h"
#include "sandbox/procfs.h"
#include "sandbox/profiles.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

bool keeper_setup_has_namespaces(enum sandbox_tier tier)
{
	return namespaces_flags(tier) != 0;
}

/* A session of our own: the terminal's Ctrl-C is for the supervisor to hear. */
static int own_signals(struct keeper_setup *setup, struct err *err)
{
	sigset_t deaths;

	for (int number = 1; number < 32; number++)
		(void)signal(number, SIG_DFL);
	sigemptyset(&deaths);
	sigaddset(&deaths, SIGCHLD);
	if (setsid() < 0 || sigprocmask(SIG_SETMASK, &deaths, NULL) < 0)
		return err_errno(err, ERR_OS, "signals of the keeper");
	setup->death_fd = signalfd(-1, &deaths, SFD_CLOEXEC | SFD_NONBLOCK);
	if (setup->death_fd < 0)
		return err_errno(err, ERR_OS, "signalfd");
	return descriptors_raise(&setup->death_fd, err);
}

static int own_descriptors(
	struct keeper_setup *setup, const struct keeper_plan *plan, struct err *err)
{
	setup->cgroup_fd = plan->cgroup_fd;
	if (descriptors_raise(&setup->socket, err) < 0)
		return -1;
	if (setup->cgroup_fd >= 0 && descriptors_raise(&setup->cgroup_fd, err) < 0)
		return -1;
	return descriptors_keep_only(setup->socket, setup->cgroup_fd, err);
}

/* Inherited by the commands: when memory runs out they go first. Raising it needs no privilege. */
static void be_first_out_of_memory(void)
{
	AUTO_FD fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && write(fd, "1000", 4) < 0)
		return;
}

static int own_files(const struct keeper_plan *plan, struct err *err)
{
	const struct sandbox_cell *cell = plan->cell;
	const struct profile *profile = profiles_get(cell->profile);
	const struct mounts_view view = {
		.tree = plan->room->tree,
		.tree_writable = profile->tree_writable,
		.scratch = plan->room->scratch,
		.readable = plan->readable,
		.system = landlock_system_dirs,
		.tmp_bytes_max = profile->tmp_bytes_max,
		.scratch_bytes_max = profile->scratch_bytes_max,
	};

	if ((cell->machine.without & SANDBOX_WITHOUT_MOUNTS) == 0)
		return mounts_enter(&view, err);
	/* Counting and killing read /proc, which has to be this namespace's. */
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0)
		return err_errno(err, ERR_CONFINE, "mounts: /proc");
	return 0;
}

static int enter_namespaces(
	struct keeper_setup *setup, const struct keeper_plan *plan, struct err *err)
{
	enum sandbox_tier tier = plan->cell->machine.tier;

	/* Pid 1 dies with the supervisor, and with it the whole namespace. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
		return err_errno(err, ERR_CONFINE, "death signal");
	if (tier == SANDBOX_TIER_USERNS &&
		namespaces_map(identity_mapped_uid(), plan->caller, plan->caller_group, err) < 0)
		return -1;
	be_first_out_of_memory();
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return err_errno(err, ERR_CONFINE, "dumpable");
	setup->tasks_before = 0;
	if (namespaces_name(err) < 0 || own_files(plan, err) < 0)
		return -1;
	if (plan->cell->loopback)
		return namespaces_loopback_up(err);
	return 0;
}

static int become_subreaper(
	struct keeper_setup *setup, const struct keeper_plan *plan, struct err *err)
{
	const struct sandbox_machine *machine = &plan->cell->machine;

	be_first_out_of_memory();
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return err_errno(err, ERR_CONFINE, "subreaper");
	setup->tasks_before = limits_tasks_of(identity_uid(machine, plan->cell->side));
	return 0;
}

static int make_ruleset(struct keeper_setup *setup, const struct keeper_plan *plan, struct err *err)
{
	const struct sandbox_cell *cell = plan->cell;
	const struct landlock_grant grant = {
		.tree = cell->tree,
		.tree_writable = profiles_get(cell->profile)->tree_writable,
		.scratch = cell->scratch,
		.readable = plan->readable,
		.private_view = keeper_setup_has_namespaces(cell->machine.tier) &&
				(cell->machine.without & SANDBOX_WITHOUT_MOUNTS) == 0,
		.loopback = cell->loopback,
	};

	setup->ruleset_fd = -1;
	if (cell->machine.landlock_abi == 0 ||
		(cell->machine.without & SANDBOX_WITHOUT_LANDLOCK) != 0)
		return 0;
	if (landlock_make(cell->machine.landlock_abi, &grant, &setup->ruleset_fd, err) < 0)
		return -1;
	return descriptors_raise(&setup->ruleset_fd, err);
}

/*
 * Our command line and environment, which a confined process could read in /proc, and a token among
 * them: gone, from this copy of the memory.
 */
static int wipe_secrets(struct err *err)
{
	struct procfs_stat self;

	if (!procfs_stat(getpid(), &self))
		return err_set(err, ERR_CONFINE, "wipe the environment: no /proc");
	/* The kernel's numbers are addresses of ours. */
	memset((char *)(uintptr_t)self.arguments[0], 0, self.arguments[1] - self.arguments[0]);
	memset((char *)(uintptr_t)self.environment[0], 0,
		self.environment[1] - self.environment[0]);
	return 0;
}

int keeper_setup_make(struct keeper_setup *setup, const struct keeper_plan *plan, struct err *err)
{
	int made;

	(void)prctl(PR_SET_NAME, "duel-keeper", 0, 0, 0);
	/* The caller's may close the directories made here to the commands' uid. */
	(void)umask(022);
	if (own_descriptors(setup, plan, err) < 0 || own_signals(setup, err) < 0)
		return -1;
	if (keeper_setup_has_namespaces(plan->cell->machine.tier))
		made = enter_namespaces(setup, plan, err);
	else
		made = become_subreaper(setup, plan, err);
	if (made < 0 || wipe_secrets(err) < 0 || identity_drop_bounding(err) < 0)
		return -1;
	return make_ruleset(setup, plan, err);
}

void keeper_setup_drain(const struct keeper_setup *setup)
{
	struct signalfd_siginfo infos[8];

	while (read(setup->death_fd, infos, sizeof(infos)) > 0)
		continue;
}
