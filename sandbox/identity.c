#include "sandbox/identity.h"

#include "sandbox/base/text.h"
#include "sandbox/procfs.h"

#include <errno.h>
#include <fts.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Nobody's uids: above the system's and the users', below systemd's dynamic range (61184..65519),
 * which leaves this part unused, and below 65536, so that a container that maps only the low ids
 * has them too. All have five digits.
 */
#define FIRST_UID 60706u
#define PAIRS 238u

uid_t identity_draw(void)
{
	uint32_t drawn = 0;

	/* Without randomness the first pair serves as well. */
	if (getrandom(&drawn, sizeof(drawn), GRND_NONBLOCK) != (ssize_t)sizeof(drawn))
		drawn = 0;
	return FIRST_UID + 2 * (drawn % PAIRS);
}

bool identity_is_own(const struct sandbox_machine *machine)
{
	if ((machine->without & SANDBOX_WITHOUT_OWN_UID) != 0)
		return false;
	return machine->tier == SANDBOX_TIER_ROOT || machine->tier == SANDBOX_TIER_UID;
}

uid_t identity_uid(const struct sandbox_machine *machine, enum sandbox_side side)
{
	return identity_is_own(machine) ? machine->first_uid + (uid_t)side : geteuid();
}

uid_t sandbox_uid(const struct sandbox_machine *machine, enum sandbox_side side)
{
	return identity_uid(machine, side);
}

uid_t identity_mapped_uid(void)
{
	return FIRST_UID;
}

bool identity_is_first_namespace(void)
{
	int64_t map[3]; /* first inside, first outside, how many */

	if (!procfs_numbers("/proc/self/uid_map", map, ARRAY_LENGTH(map)))
		return true;
	return map[0] == 0 && map[1] == 0 && map[2] == UINT32_MAX;
}

int identity_drop_bounding(struct err *err)
{
	/* EINVAL: the kernel has no capability of that number. EPERM: we may not drop, because we
	 * have nothing (no CAP_SETPCAP) that an exec under no_new_privs could bring back. */
	for (int capability = 0; capability < 64; capability++)
		if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0 && errno != EINVAL &&
			errno != EPERM)
			return err_errno(err, ERR_CONFINE, "capabilities");
	return 0;
}

int identity_drop_capabilities(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2];

	(void)syscall(SYS_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	memset(none, 0, sizeof(none));
	return (int)syscall(SYS_capset, &header, none);
}

int identity_become(uid_t id)
{
	/* Raw calls: the C library's would look for threads to tell. */
	if (syscall(SYS_setgroups, 0, NULL) < 0 || syscall(SYS_setresgid, id, id, id) < 0 ||
		syscall(SYS_setresuid, id, id, id) < 0)
		return -1;
	if (syscall(SYS_setresuid, 0, 0, 0) == 0) {
		errno = EPERM;
		return -1;
	}
	return 0;
}

int identity_check_reachable(uid_t uid, const char *path, struct err *err)
{
	char above[4096];
	struct stat status;

	if (!text_copy(above, sizeof(above), path))
		return err_set(err, ERR_CONFINE, "path too long: %s", path);
	for (char *slash = strrchr(above, '/'); slash != NULL; slash = strrchr(above, '/')) {
		slash[slash == above ? 1 : 0] = '\0';
		if (stat(above, &status) < 0)
			return err_errno(err, ERR_CONFINE, "%s", above);
		if ((status.st_mode & S_IXOTH) == 0 && status.st_uid != uid)
			return err_set(err, ERR_CONFINE,
				"%s is closed to the confined uid %u: work below a directory "
				"everybody may enter, such as /var/tmp",
				above, uid);
		if (slash == above)
			return 0;
	}
	return 0;
}

int sandbox_give(const struct sandbox_machine *machine, enum sandbox_side side, const char *path,
	struct err *err)
{
	uid_t uid = identity_uid(machine, side);
	char *roots[] = {NULL, NULL};
	AUTO_STR copy = NULL;
	FTS *walk;
	int result = 0;

	if (!identity_is_own(machine))
		return 0;
	copy = strdup(path);
	if (copy == NULL)
		return err_errno(err, ERR_OS, "give %s", path);
	roots[0] = copy;
	walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	if (walk == NULL)
		return err_errno(err, ERR_OS, "give %s", path);
	for (FTSENT *entry = fts_read(walk); entry != NULL && result == 0; entry = fts_read(walk)) {
		if (entry->fts_info == FTS_DP)
			continue;
		errno = entry->fts_errno;
		if (entry->fts_info == FTS_ERR || entry->fts_info == FTS_DNR ||
			entry->fts_info == FTS_NS || lchown(entry->fts_path, uid, uid) < 0)
			result = err_errno(err, ERR_OS, "give %s to uid %u", entry->fts_path, uid);
	}
	(void)fts_close(walk);
	return result;
}
