#include "sandbox/landlock.h"

#include "sandbox/landlock_abi.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>

#define READ (LANDLOCK_ABI_READ_FILE | LANDLOCK_ABI_READ_DIR)
#define READ_AND_RUN (READ | LANDLOCK_ABI_EXECUTE)
#define DEVICE                                                                      \
	(LANDLOCK_ABI_READ_FILE | LANDLOCK_ABI_WRITE_FILE | LANDLOCK_ABI_TRUNCATE | \
		LANDLOCK_ABI_IOCTL_DEV)
/* All but device nodes. */
#define EVERYTHING                                                                         \
	(READ_AND_RUN | LANDLOCK_ABI_WRITE_FILE | LANDLOCK_ABI_REMOVE_DIR |                \
		LANDLOCK_ABI_REMOVE_FILE | LANDLOCK_ABI_MAKE_DIR | LANDLOCK_ABI_MAKE_REG | \
		LANDLOCK_ABI_MAKE_SOCK | LANDLOCK_ABI_MAKE_FIFO | LANDLOCK_ABI_MAKE_SYM |  \
		LANDLOCK_ABI_REFER | LANDLOCK_ABI_TRUNCATE)
/* What the kernel accepts in a rule on something that is not a directory. */
#define OF_A_FILE (DEVICE | LANDLOCK_ABI_EXECUTE)

const char *const landlock_system_dirs[] = {
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", NULL};

static const char *const devices[] = {
	"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", NULL};

int landlock_abi(void)
{
	long abi = syscall(LANDLOCK_ABI_SYS_CREATE, NULL, (size_t)0, LANDLOCK_ABI_CREATE_VERSION);

	return abi < 0 ? 0 : (int)abi;
}

/* Everything the ABI can refuse is refused unless a rule grants it. */
static uint64_t handled_fs(int abi)
{
	uint64_t handled = (UINT64_C(1) << 13) - 1;

	if (abi >= 2)
		handled |= LANDLOCK_ABI_REFER;
	if (abi >= 3)
		handled |= LANDLOCK_ABI_TRUNCATE;
	if (abi >= 5)
		handled |= LANDLOCK_ABI_IOCTL_DEV;
	return handled;
}

static int make_ruleset(int abi, bool loopback)
{
	struct landlock_abi_ruleset ruleset = {.handled_fs = handled_fs(abi)};
	size_t bytes = offsetof(struct landlock_abi_ruleset, handled_net);

	if (abi >= 4) {
		bytes = offsetof(struct landlock_abi_ruleset, scoped);
		if (!loopback)
			ruleset.handled_net = LANDLOCK_ABI_BIND_TCP | LANDLOCK_ABI_CONNECT_TCP;
	}
	if (abi >= 6) {
		bytes = sizeof(ruleset);
		ruleset.scoped = LANDLOCK_ABI_SCOPE_ABSTRACT_UNIX | LANDLOCK_ABI_SCOPE_SIGNAL;
	}
	return (int)syscall(LANDLOCK_ABI_SYS_CREATE, &ruleset, bytes, 0u);
}

struct rule {
	int ruleset;
	uint64_t handled;
	struct err *err;
};

/* Grant `access` below path. A path that is not there needs no grant where it is optional. */
static int allow(const struct rule *rule, const char *path, uint64_t access, bool optional)
{
	AUTO_FD fd = open(path, O_PATH | O_CLOEXEC);
	struct landlock_abi_path beneath = {.allowed = access & rule->handled, .parent_fd = fd};
	struct stat status;

	if (fd < 0 && optional && (errno == ENOENT || errno == EACCES))
		return 0;
	if (fd < 0 || fstat(fd, &status) < 0)
		return err_errno(rule->err, ERR_CONFINE, "landlock: %s", path);
	if (!S_ISDIR(status.st_mode))
		beneath.allowed &= OF_A_FILE;
	if (syscall(LANDLOCK_ABI_SYS_ADD_RULE, rule->ruleset, LANDLOCK_ABI_RULE_PATH_BENEATH,
		    &beneath, 0u) < 0)
		return err_errno(rule->err, ERR_CONFINE, "landlock: rule for %s", path);
	return 0;
}

static int allow_each(
	const struct rule *rule, const char *const *paths, uint64_t access, bool optional)
{
	for (; *paths != NULL; paths++)
		if (allow(rule, *paths, access, optional) < 0)
			return -1;
	return 0;
}

static int allow_grant(const struct rule *rule, const struct landlock_grant *grant)
{
	static const char *const private_dirs[] = {"/tmp", "/var/tmp", "/dev/shm", NULL};
	/* /proc as a whole: rules on single files of it do not outlive their dentries, and the
	 * ptrace hook protects what is sensitive there. Programs count processors in /sys. */
	static const char *const facts[] = {"/proc", "/sys/devices/system", NULL};

	if (allow_each(rule, landlock_system_dirs, READ_AND_RUN, true) < 0 ||
		allow_each(rule, facts, READ, true) < 0 ||
		allow_each(rule, devices, DEVICE, true) < 0 ||
		allow_each(rule, grant->readable, READ_AND_RUN, false) < 0)
		return -1;
	if (grant->private_view && allow_each(rule, private_dirs, EVERYTHING, false) < 0)
		return -1;
	/* There is nothing to see in a root of our own but what is granted. */
	if (grant->private_view && allow(rule, "/", LANDLOCK_ABI_READ_DIR, false) < 0)
		return -1;
	if (allow(rule, grant->tree, grant->tree_writable ? EVERYTHING : READ_AND_RUN, false) < 0)
		return -1;
	if (grant->scratch[0] != '\0')
		return allow(rule, grant->scratch, EVERYTHING, false);
	return 0;
}

int landlock_make(int abi, const struct landlock_grant *grant, int *ruleset, struct err *err)
{
	AUTO_FD fd = make_ruleset(abi, grant->loopback);
	struct rule rule = {.ruleset = fd, .handled = handled_fs(abi), .err = err};

	if (fd < 0)
		return err_errno(err, ERR_CONFINE, "landlock: create the ruleset");
	if (allow_grant(&rule, grant) < 0)
		return -1;
	*ruleset = steal_fd(&fd);
	return 0;
}

int landlock_enter(int ruleset)
{
	return (int)syscall(LANDLOCK_ABI_SYS_RESTRICT_SELF, ruleset, 0u);
}
