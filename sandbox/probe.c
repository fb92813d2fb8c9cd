#include "sandbox/probe.h"

#include "sandbox/base/io.h"
#include "sandbox/base/text.h"
#include "sandbox/cgroup.h"
#include "sandbox/identity.h"
#include "sandbox/landlock.h"
#include "sandbox/seccomp.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const tier_names[SANDBOX_TIERS + 1] = {
	[SANDBOX_TIER_REFUSE] = "refuse",
	[SANDBOX_TIER_FLAT] = "flat",
	[SANDBOX_TIER_UID] = "uid",
	[SANDBOX_TIER_USERNS] = "userns",
	[SANDBOX_TIER_ROOT] = "root",
	[SANDBOX_TIER_AUTO] = "auto",
};

static const char *const property_names[SANDBOX_PROPERTIES] = {
	[SANDBOX_NO_NEW_PRIVILEGES] = "no new privileges",
	[SANDBOX_SYSTEM_CALLS] = "system calls",
	[SANDBOX_WRITES] = "writes",
	[SANDBOX_TRUNCATION] = "truncation",
	[SANDBOX_PROCESS_SECRETS] = "process secrets",
	[SANDBOX_SIGNALS] = "signals",
	[SANDBOX_NETWORK] = "network",
	[SANDBOX_UNIX_SOCKETS] = "unix sockets",
	[SANDBOX_KILL_ALL] = "kill all",
	[SANDBOX_OWN_UID] = "own uid",
	[SANDBOX_HIDDEN_PROCESSES] = "hidden processes",
	[SANDBOX_PRIVATE_TMP] = "private tmp",
	[SANDBOX_PRIVATE_LOOPBACK] = "private loopback",
	[SANDBOX_FILE_METADATA] = "file metadata",
	[SANDBOX_MEMORY_LIMIT] = "memory limit",
	[SANDBOX_PROCESS_LIMIT] = "process limit",
	[SANDBOX_DIES_WITH_US] = "dies with duel",
	[SANDBOX_DEVICE_IOCTL] = "device ioctl",
};

const char *sandbox_tier_name(enum sandbox_tier tier)
{
	return tier_names[tier];
}

const char *sandbox_property_name(enum sandbox_property property)
{
	return property_names[property];
}

enum sandbox_tier sandbox_tier_by_name(const char *name)
{
	for (unsigned i = 0; i < ARRAY_LENGTH(tier_names); i++)
		if (strcmp(tier_names[i], name) == 0)
			return (enum sandbox_tier)i;
	return SANDBOX_TIER_UNKNOWN;
}

/* The first of these that is there, "" where none is. */
struct provider {
	bool granted;
	const char *name;
};

static const char *first_of(const struct provider *providers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (providers[i].granted)
			return providers[i].name;
	return "";
}

#define FIRST_OF(...)                                    \
	first_of((const struct provider[]){__VA_ARGS__}, \
		ARRAY_LENGTH(((const struct provider[]){__VA_ARGS__})))

void probe_providers(struct sandbox_machine *machine)
{
	const enum sandbox_tier tier = machine->tier;
	const int abi = machine->landlock_abi;
	const bool spaces = tier == SANDBOX_TIER_ROOT || tier == SANDBOX_TIER_USERNS;
	const bool uid = tier == SANDBOX_TIER_ROOT || tier == SANDBOX_TIER_UID;
	const bool filters = tier != SANDBOX_TIER_REFUSE;
	const char **by = machine->provider;

	by[SANDBOX_NO_NEW_PRIVILEGES] = "prctl";
	by[SANDBOX_SYSTEM_CALLS] = FIRST_OF({filters, "seccomp"});
	by[SANDBOX_WRITES] = FIRST_OF({spaces, "mounts"}, {abi >= 1, "landlock"});
	by[SANDBOX_TRUNCATION] = FIRST_OF(
		{spaces, "mounts"}, {abi >= 3, "landlock"}, {uid, "own uid"});
	by[SANDBOX_PROCESS_SECRETS] = FIRST_OF(
		{spaces, "pid namespace"}, {uid, "own uid"}, {abi >= 1, "landlock"});
	by[SANDBOX_SIGNALS] = FIRST_OF(
		{spaces, "pid namespace"}, {uid, "own uid"}, {abi >= 6, "landlock"});
	by[SANDBOX_NETWORK] = FIRST_OF({spaces, "network namespace"}, {filters, "seccomp"});
	by[SANDBOX_UNIX_SOCKETS] = FIRST_OF(
		{spaces, "mounts and network namespace"}, {filters, "seccomp"});
	by[SANDBOX_KILL_ALL] = FIRST_OF(
		{spaces, "pid namespace"}, {filters, "stop-scan of descendants"});
	by[SANDBOX_OWN_UID] = FIRST_OF({uid, "own uid for each version"});
	by[SANDBOX_HIDDEN_PROCESSES] = FIRST_OF({spaces, "pid namespace"});
	by[SANDBOX_PRIVATE_TMP] = FIRST_OF({spaces, "mounts"});
	by[SANDBOX_PRIVATE_LOOPBACK] = FIRST_OF({spaces, "network namespace"});
	by[SANDBOX_FILE_METADATA] = FIRST_OF({spaces, "mounts"}, {uid, "own uid"});
	by[SANDBOX_MEMORY_LIMIT] = FIRST_OF({machine->cgroup, "cgroup"});
	by[SANDBOX_PROCESS_LIMIT] = FIRST_OF(
		{machine->cgroup, "cgroup"}, {spaces || uid, "rlimit"});
	by[SANDBOX_DIES_WITH_US] = FIRST_OF(
		{spaces, "pid namespace"}, {filters, "the cell's keeper"});
	by[SANDBOX_DEVICE_IOCTL] = FIRST_OF({abi >= 5, "landlock"}, {spaces, "mounts"});
}

enum sandbox_property probe_first_missing(const struct sandbox_machine *machine)
{
	for (unsigned i = 0; i < SANDBOX_REQUIRED_END; i++)
		if (machine->provider[i][0] == '\0')
			return (enum sandbox_property)i;
	return SANDBOX_PROPERTIES;
}

/*
 * The whole recipe, once: a cell for a throw-away directory and in it a command that is not there.
 * Where the answer is that it cannot be executed, every layer before it was applied.
 */
static int try_cell(const struct sandbox_machine *machine, const char *directory, struct err *err)
{
	const char *const argv[] = {"/duel-probe", NULL};
	const struct sandbox_command command = {
		.argv = argv, .stdin_fd = -1, .stdout_fd = -1, .stderr_fd = -1, .cpu = -1};
	const struct sandbox_room room = {.profile = SANDBOX_RUN, .tree = directory};
	struct sandbox_process process = {0};
	struct sandbox_cell *cell = malloc(sizeof(*cell));
	struct err closing;
	int result = -1;

	if (cell == NULL)
		return err_errno(err, ERR_OS, "probe");
	if (sandbox_open(cell, machine, &room, err) == 0) {
		if (sandbox_start(cell, &command, &process, err) == 0)
			(void)err_set(err, ERR_CONFINE, "a program that should not exist was run");
		else if (err->kind == ERR_BENCH && err->os_errno == ENOENT)
			result = 0;
		sandbox_forget(&process);
		if (sandbox_close(cell, &closing) < 0 && result == 0) {
			*err = closing;
			result = -1;
		}
	}
	free(cell);
	return result;
}

/* A directory a confined uid can reach: /tmp is everybody's. */
static int try_tier(struct sandbox_machine *machine, struct err *err)
{
	char directory[] = "/tmp/duel-probe-XXXXXX";
	int result;

	probe_providers(machine);
	if (probe_first_missing(machine) != SANDBOX_PROPERTIES)
		return err_set(err, ERR_CONFINE, "nothing provides '%s'",
			property_names[probe_first_missing(machine)]);
	if (seccomp_compile(machine->tier, machine->filters, err) < 0)
		return -1;
	if (mkdtemp(directory) == NULL)
		return err_errno(err, ERR_OS, "a directory in /tmp");
	result = chmod(directory, 0755) < 0 ? err_errno(err, ERR_OS, "%s", directory)
					    : try_cell(machine, directory, err);
	(void)rmdir(directory);
	return result;
}

/* Tiers that would leave the commands the uid of root are not for root. */
static bool may_have(enum sandbox_tier tier, struct err *err)
{
	bool root = geteuid() == 0;

	if (!root && (tier == SANDBOX_TIER_ROOT || tier == SANDBOX_TIER_UID))
		(void)err_set(err, ERR_CONFINE, "needs root");
	else if (root && (tier == SANDBOX_TIER_USERNS || tier == SANDBOX_TIER_FLAT) &&
		 identity_is_first_namespace())
		(void)err_set(err, ERR_CONFINE,
			"is for ordinary users: commands would keep the uid of root");
	else
		return true;
	return false;
}

static int try_wanted(struct sandbox_machine *machine, enum sandbox_tier tier, struct err *err)
{
	machine->tier = tier;
	if (!may_have(tier, err) || try_tier(machine, err) < 0)
		return err_wrap(err, "tier '%s'", sandbox_tier_name(tier));
	return 0;
}

/* What would give this user a stronger tier than this one. */
static const char *cure(enum sandbox_tier tier)
{
	if (geteuid() != 0 && tier <= SANDBOX_TIER_FLAT)
		return "run as root (sudo), or allow user namespaces: sysctl "
		       "kernel.apparmor_restrict_unprivileged_userns=0 or "
		       "kernel.unprivileged_userns_clone=1";
	if (geteuid() != 0)
		return "run as root (sudo) for an own uid and cgroup limits";
	return "give the container CAP_SYS_ADMIN (docker run --cap-add SYS_ADMIN "
	       "--security-opt apparmor=unconfined)";
}

/* What keeps us from the next stronger tier this user could have, and what would mend it. */
static void advise(struct sandbox_machine *machine, const struct err *stronger)
{
	const char *reason = stronger->kind == ERR_NONE ? "" : stronger->text;

	if (machine->tier == SANDBOX_TIER_ROOT)
		return;
	(void)snprintf(machine->advice, sizeof(machine->advice), "%.200s%s%s", reason,
		reason[0] == '\0' ? "" : "; ", cure(machine->tier));
}

/* No tier can be had: why not the strongest, why not even the weakest. */
static int refuse(struct sandbox_machine *machine, const struct err *strongest,
	const struct err *weakest, struct err *err)
{
	machine->tier = SANDBOX_TIER_REFUSE;
	probe_providers(machine);
	return err_set(err, ERR_CONFINE,
		"this machine cannot confine, so nothing is run: %.250s; %.250s; %s",
		strongest->text, weakest->text, cure(SANDBOX_TIER_REFUSE));
}

int sandbox_probe(struct sandbox_machine *machine, enum sandbox_tier want, struct err *err)
{
	struct err stronger = {0};
	struct err weakest = {0};

	memset(machine, 0, sizeof(*machine));
	probe_providers(machine);
	machine->landlock_abi = landlock_abi();
	machine->first_uid = identity_draw();
	if (!seccomp_is_supported())
		return err_set(err, ERR_CONFINE,
			"nothing provides 'system calls': seccomp filters cannot be had; use a "
			"kernel with CONFIG_SECCOMP_FILTER and no container that closes "
			"seccomp(2)");
	machine->cgroup = cgroup_is_granted();
	if (want == SANDBOX_TIER_REFUSE)
		return err_set(err, ERR_CONFINE, "the tier 'refuse' runs nothing");
	if (want != SANDBOX_TIER_AUTO)
		return try_wanted(machine, want, err);
	for (int tier = SANDBOX_TIER_ROOT; tier > SANDBOX_TIER_REFUSE; tier--) {
		if (!may_have((enum sandbox_tier)tier, err))
			continue;
		if (try_wanted(machine, (enum sandbox_tier)tier, err) == 0) {
			advise(machine, &stronger);
			return 0;
		}
		weakest = *err;
		if (stronger.kind == ERR_NONE)
			stronger = weakest;
	}
	return refuse(machine, &stronger, &weakest, err);
}
