#include "runner/confine_command.h"

#include "runner/options.h"

#include "sandbox/base/buf.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOTES_BYTES_MAX 65536

/* Changing the owner of somebody's directory is not ours to do: say who would have to own it. */
static int check_writable(
	const struct sandbox_machine *machine, const char *directory, struct err *err)
{
	uid_t uid = sandbox_uid(machine, SANDBOX_CANDIDATE);
	struct stat status;

	if (uid == geteuid())
		return access(directory, W_OK) == 0
			       ? 0
			       : err_errno(err, ERR_USAGE, "--writable: %s", directory);
	if (stat(directory, &status) < 0)
		return err_errno(err, ERR_OS, "%s", directory);
	if (status.st_uid == uid || (status.st_mode & S_IWOTH) != 0)
		return 0;
	return err_set(err, ERR_USAGE,
		"--writable: in the tier '%s' the command runs as an own uid, which may not write "
		"%s: "
		"run as an ordinary user, or in a copy that everybody may write",
		sandbox_tier_name(machine->tier), directory);
}

static int open_cell(struct sandbox_cell *cell, const struct sandbox_machine *machine,
	const struct confine_command *command, struct err *err)
{
	char directory[PATH_MAX];
	struct sandbox_room room = {
		.profile = command->writable ? SANDBOX_BUILD : SANDBOX_RUN,
		.side = SANDBOX_CANDIDATE,
		.tree = directory,
		.loopback = command->loopback,
	};

	if (getcwd(directory, sizeof(directory)) == NULL)
		return err_errno(err, ERR_OS, "the current directory");
	for (unsigned i = 0; command->readable != NULL && command->readable[i] != NULL; i++) {
		if (i == SANDBOX_READABLE_MAX)
			return err_set(err, ERR_USAGE, "more than %d readable directories",
				SANDBOX_READABLE_MAX);
		room.readable[i] = command->readable[i];
	}
	if (command->writable && check_writable(machine, directory, err) < 0)
		return -1;
	return sandbox_open(cell, machine, &room, err);
}

static int run_in(struct sandbox_cell *cell, const struct confine_command *command, FILE *notes,
	struct sandbox_exit *end, struct err *err)
{
	const struct sandbox_command started = {
		.argv = command->argv,
		.stdin_fd = STDIN_FILENO,
		.stdout_fd = STDOUT_FILENO,
		.stderr_fd = STDERR_FILENO,
		.cpu = -1,
	};
	struct sandbox_process process = {0};
	AUTO_BUF lines = {0};
	int result;

	if (!command->explain) {
		if (sandbox_start(cell, &started, &process, err) < 0)
			return -1;
		result = sandbox_wait(cell, &process, UINT64_MAX, end, err);
		sandbox_forget(&process);
		return result;
	}
	buf_init(&lines, NOTES_BYTES_MAX);
	result = sandbox_explain(cell, &started, UINT64_MAX, &lines, end, err);
	(void)fprintf(notes, "tier '%s': %s\n%s", sandbox_tier_name(cell->machine.tier),
		lines.length == 0 ? "nothing was refused" : "refused was", buf_text(&lines));
	return result;
}

int confine_command_run(
	const struct confine_command *command, FILE *notes, int *status, struct err *err)
{
	struct sandbox_machine *machine = calloc(1, sizeof(*machine));
	struct sandbox_cell *cell = calloc(1, sizeof(*cell));
	struct sandbox_exit end = {0};
	struct err closing;
	int result = -1;

	if (machine == NULL || cell == NULL)
		(void)err_set(err, ERR_OS, "out of memory");
	else if (sandbox_probe(machine, command->tier, err) == 0 &&
		 open_cell(cell, machine, command, err) == 0) {
		result = run_in(cell, command, notes, &end, err);
		if (sandbox_close(cell, &closing) < 0 && result == 0) {
			*err = closing;
			result = -1;
		}
	}
	free(cell);
	free(machine);
	if (result == 0)
		*status = WIFSIGNALED(end.wait_status) ? 128 + WTERMSIG(end.wait_status)
						       : WEXITSTATUS(end.wait_status);
	return result;
}

static const char usage[] =
	"usage: duel sandbox [OPTIONS] -- COMMAND...\n"
	"\n"
	"Runs one command in the current directory, confined as a benchmark would be.\n"
	"\n"
	"  --explain           say which calls were refused, and by which line of the policy\n"
	"  --writable          as a build would be: it may write the current directory\n"
	"  --loopback          with a network of its own that has nothing but loopback\n"
	"  --confinement TIER  auto, root, userns, uid or flat (auto)\n"
	"\n"
	"It ends with the command's status, or 128 and the signal.\n";

int confine_command(int argc, char **argv, int *exit_status, struct err *err)
{
	struct confine_command command = {0};
	const char *tier = "auto";
	int next = 1;

	for (; next < argc && strcmp(argv[next], "--") != 0; next++) {
		if (strcmp(argv[next], "--help") == 0 || strcmp(argv[next], "-h") == 0) {
			*exit_status = 0;
			(void)fputs(usage, stdout);
			return 0;
		}
		if (strcmp(argv[next], "--explain") == 0)
			command.explain = true;
		else if (strcmp(argv[next], "--writable") == 0)
			command.writable = true;
		else if (strcmp(argv[next], "--loopback") == 0)
			command.loopback = true;
		else if (strcmp(argv[next], "--confinement") == 0 && next + 1 < argc)
			tier = argv[++next];
		else
			return err_set(err, ERR_USAGE, "unknown option %s: see duel sandbox --help",
				argv[next]);
	}
	if (next + 1 >= argc)
		return err_set(err, ERR_USAGE, "duel sandbox: give the command behind --");
	if (options_read_tier(&command.tier, "--confinement", tier, err) < 0)
		return -1;
	command.argv = (const char *const *)(argv + next + 1);
	return confine_command_run(&command, stderr, exit_status, err);
}
