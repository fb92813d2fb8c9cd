#include "runner/layout/layout.h"

#include "runner/layout/folder.h"
#include "runner/layout/record.h"
#include "sandbox/base/io.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RECORDER_NAME "duel-ld"
#define RECORDER_FOLDER "ld" /* in scratch */
#define ENVIRONMENT_BYTES_MAX 65536
#define RECORDER_BYTES_MAX ((size_t)64 << 20)

/* A linker that is not on the machine gets no name either: builds look which there are. */
static bool is_installed(const char *linker)
{
	static const char *const folders[] = {"/usr/local/bin", "/usr/bin", "/bin"};

	for (size_t i = 0; i < ARRAY_LENGTH(folders); i++) {
		AUTO_BUF path = {.bytes_max = PATH_MAX};
		struct err ignored;

		if (buf_printf(&path, &ignored, "%s/%s", folders[i], linker) == 0 &&
			access(buf_text(&path), X_OK) == 0)
			return true;
	}
	return false;
}

static int put_recorder(int folder_fd, const char *recorder, struct err *err)
{
	static const char *const linkers[] = {
		"ld", "ld.bfd", "ld.gold", "ld.lld", "ld.mold", "lld", "mold", "gold"};
	AUTO_BUF program = {.bytes_max = RECORDER_BYTES_MAX};
	AUTO_FD fd = -1;

	if (io_read_file(&program, recorder, err) < 0)
		return -1;
	fd = openat(folder_fd, RECORDER_NAME, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	if (fd < 0 || fchmod(fd, 0755) < 0)
		return err_errno(err, ERR_OS, "put the link recorder into scratch");
	if (io_write_all(fd, buf_text(&program), program.length, err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_LENGTH(linkers); i++)
		if (is_installed(linkers[i]) && symlinkat(RECORDER_NAME, folder_fd, linkers[i]) < 0)
			return err_errno(err, ERR_OS, "name the link recorder %s", linkers[i]);
	return 0;
}

int layout_install(const char *scratch_outside, const char *recorder, struct err *err)
{
	AUTO_FD scratch = open(scratch_outside, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	AUTO_FD linkers = -1;
	AUTO_FD links = -1;
	AUTO_FD store = -1;

	if (scratch < 0)
		return err_errno(err, ERR_OS, "open %s", scratch_outside);
	if (folder_make(scratch, RECORDER_FOLDER, &linkers, err) < 0 ||
		put_recorder(linkers, recorder, err) < 0 ||
		folder_make(scratch, RECORD_FOLDER, &links, err) < 0 ||
		folder_make(links, RECORD_STORE, &store, err) < 0)
		return err_wrap(err, "link recorder");
	return 0;
}

/* "FOLDER/SUFFIX" where that is a program. */
static char *find_at(const char *folder, size_t length, const char *suffix)
{
	AUTO_BUF path = {.bytes_max = PATH_MAX};
	struct err ignored;

	if (buf_append(&path, folder, length, &ignored) < 0 ||
		buf_append_str(&path, suffix, &ignored) < 0 || access(buf_text(&path), X_OK) < 0)
		return NULL;
	return buf_take(&path, &ignored);
}

int layout_find_recorder(char **path, struct err *err)
{
	char own[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
	const char *slash;

	if (length < 0)
		return err_errno(err, ERR_OS, "read /proc/self/exe");
	own[length] = '\0';
	slash = strrchr(own, '/');
	*path = find_at(own, (size_t)(slash - own), "/" RECORDER_NAME);
	if (!*path)
		*path = find_at(own, (size_t)(slash - own), "/../libexec/duel/" RECORDER_NAME);
	if (!*path)
		return err_set(err, ERR_OS,
			"%s is neither beside %s nor in ../libexec/duel: install duel again",
			RECORDER_NAME, own);
	return 0;
}

int layout_environment(char *variables[LAYOUT_ENVIRONMENT], const char *scratch_inside,
	const char *path, struct err *err)
{
	AUTO_BUF compiler = {.bytes_max = ENVIRONMENT_BYTES_MAX},
		 search = {.bytes_max = ENVIRONMENT_BYTES_MAX},
		 links = {.bytes_max = ENVIRONMENT_BYTES_MAX};

	if (buf_printf(&compiler, err, "COMPILER_PATH=%s/%s", scratch_inside, RECORDER_FOLDER) <
			0 ||
		buf_printf(&search, err, "PATH=%s/%s:%s", scratch_inside, RECORDER_FOLDER, path) <
			0 ||
		buf_printf(&links, err, "%s=%s/%s", RECORD_VARIABLE, scratch_inside,
			RECORD_FOLDER) < 0)
		return -1;
	variables[0] = buf_take(&compiler, err);
	variables[1] = buf_take(&search, err);
	variables[2] = buf_take(&links, err);
	return 0;
}
