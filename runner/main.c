/*
 * duel: the verbs and their dispatch. Nothing else exits the process.
 */
#include "runner/confine_command.h"
#include "runner/doctor.h"
#include "runner/judge_command.h"
#include "runner/list_command.h"
#include "runner/merge_command.h"
#include "runner/report_command.h"
#include "runner/run_command.h"

#include "sandbox/base/attr.h"
#include "sandbox/base/log.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A verb gets its own arguments, argv[0] being its name. Returns -1 with *err, or sets
 * *exit_status. */
struct verb {
	const char *name;
	int (*run)(int argc, char **argv, int *exit_status, struct err *err);
	const char *help;
};

static int doctor_command(int argc, char **argv, int *exit_status, struct err *err);
static int help_command(int argc, char **argv, int *exit_status, struct err *err);
static int version_command(int argc, char **argv, int *exit_status, struct err *err);

static const struct verb verbs[] = {
	{"run", run_command, "compare two commits: build, measure, judge (the default verb)"},
	{"list", list_command, "build both sides and print the benchmarks each would run"},
	{"report", report_command, "show an artifact again: text, markdown, json or csv"},
	{"judge", judge_command, "judge an artifact's raw pairs again, under other limits"},
	{"merge", merge_command, "make one run from artifacts of shards, judged as one family"},
	{"doctor", doctor_command, "what this machine grants, and how to mend what is missing"},
	{"sandbox", confine_command, "run one command confined: duel sandbox [OPTIONS] -- COMMAND"},
	{"help", help_command, "this text"},
	{"version", version_command, "the version"},
};

static int help_command(int argc, char **argv, int *exit_status, struct err *err)
{
	(void)argc;
	(void)argv;
	(void)err;
	(void)printf(
		"duel - did this change make it slower?\n\nusage: duel [VERB] [ARGUMENTS]\n\n");
	for (size_t i = 0; i < ARRAY_LENGTH(verbs); i++)
		(void)printf("  %-8s %s\n", verbs[i].name, verbs[i].help);
	(void)printf("\nexit status: 0 passed or skipped, 1 regressed, 2 usage or configuration,\n"
		     "3 could not build or measure, 4 confinement refused, 5 a limit was hit,\n"
		     "6 damaged artifact, 7 operating system, 70 a bug of duel; 130 interrupted\n");
	*exit_status = 0;
	return 0;
}

static int version_command(int argc, char **argv, int *exit_status, struct err *err)
{
	(void)argc;
	(void)argv;
	(void)err;
	(void)printf("duel %s\n", DUEL_VERSION);
	*exit_status = 0;
	return 0;
}

static int doctor_command(int argc, char **argv, int *exit_status, struct err *err)
{
	(void)argv;
	if (argc > 1)
		return err_set(err, ERR_USAGE, "duel doctor takes no arguments");
	*exit_status = 0;
	return doctor_print(stdout, err);
}

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < ARRAY_LENGTH(verbs); i++) {
		if (strcmp(verbs[i].name, name) == 0)
			return &verbs[i];
	}
	return NULL;
}

/* Without a verb, or with an option in its place, `run` is meant; --help and --version are verbs
 * too. */
static int dispatch(int argc, char **argv, int *exit_status, struct err *err)
{
	const char *name = argc > 1 ? argv[1] : "run";
	const struct verb *verb;

	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		name = "help";
	if (strcmp(name, "--version") == 0)
		name = "version";
	if (name[0] == '-')
		return run_command(argc, argv, exit_status, err);
	verb = find_verb(name);
	if (!verb)
		return err_set(err, ERR_USAGE, "unknown verb '%s': see duel help", name);
	return argc > 1 ? verb->run(argc - 1, argv + 1, exit_status, err)
			: verb->run(argc, argv, exit_status, err);
}

/* Of a missing one the number would go to the next file opened, and messages into that. */
static void open_standard_descriptors(void)
{
	int fd = open("/dev/null", O_RDWR);

	while (fd >= 0 && fd <= STDERR_FILENO)
		fd = open("/dev/null", O_RDWR);
	attr_close(&fd);
}

int main(int argc, char **argv)
{
	struct err err = {0};
	int exit_status = 0;

	open_standard_descriptors();
	/* What the confined users have to reach is made with a mode that says so. */
	(void)umask(022);

	(void)setlocale(LC_CTYPE, "C.UTF-8");
	/* A reader that went away is an error of write(2), not our end. */
	(void)signal(SIGPIPE, SIG_IGN);
	if (dispatch(argc, argv, &exit_status, &err) < 0) {
		struct log log;

		log_init(&log, LOG_NORMAL);
		log_error(&log, "%s", err.text);
		exit_status = err_exit_status((enum err_kind)err.kind);
	}
	if (fflush(stdout) != 0 && exit_status == 0) {
		perror("duel: standard output");
		exit_status = err_exit_status(ERR_OS);
	}
	return exit_status;
}
