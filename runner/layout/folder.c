#include "runner/layout/folder.h"

#include "sandbox/base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

static int refuse(const char *name, struct err *err)
{
	return err_errno(err, errno == EEXIST ? ERR_BUILD : ERR_OS, "make %s in scratch", name);
}

int folder_make(int parent_fd, const char *name, int *fd, struct err *err)
{
	AUTO_FD folder = -1;
	struct stat owner, own;

	if (mkdirat(parent_fd, name, 0700) < 0)
		return refuse(name, err);
	folder = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (folder < 0 || fstat(parent_fd, &owner) < 0 || fstat(folder, &own) < 0)
		return err_errno(err, ERR_OS, "open %s in scratch", name);
	if ((own.st_uid != owner.st_uid || own.st_gid != owner.st_gid) &&
		fchown(folder, owner.st_uid, owner.st_gid) < 0)
		return err_errno(err, ERR_OS, "give %s to the owner of scratch", name);
	if (fchmod(folder, owner.st_mode & 0777) < 0)
		return err_errno(err, ERR_OS, "open %s to the owner of scratch", name);
	*fd = steal_fd(&folder);
	return 0;
}

int folder_put_file(
	int parent_fd, const char *name, const void *bytes, size_t length, struct err *err)
{
	AUTO_FD fd = openat(parent_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	if (fd < 0)
		return refuse(name, err);
	/* Whatever the umask says: another user reads it. */
	if (fchmod(fd, 0644) < 0)
		return err_errno(err, ERR_OS, "make %s readable", name);
	return io_write_all(fd, bytes, length, err);
}
