#include "runner/session.h"

#include <sys/prctl.h>

/* The one mutable global of this program: a signal handler has no other way to speak. */
static volatile sig_atomic_t stop_requested;

static void request_stop(int signal_number)
{
	(void)signal_number;
	stop_requested = 1;
}

static void catch_signals(void)
{
	/* No SA_RESTART wanted or needed: every wait looks at the flag. */
	struct sigaction action = {.sa_handler = request_stop};

	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGTERM, &action, NULL);
	(void)sigaction(SIGHUP, &action, NULL);
}

void session_begin(struct log *log, const struct options *options)
{
	log_init(log, options->level);
	if (options->color_always || options->color_never)
		log->color = options->color_always;
	/* Nobody of our uid may read this process: confined commands of the flat tier share it. */
	(void)prctl(PR_SET_DUMPABLE, 0);
	catch_signals();
}

const volatile sig_atomic_t *session_stop(void)
{
	return &stop_requested;
}

int session_end(struct log *log, int result, int *exit_status, const struct err *err)
{
	log_live_end(log);
	if (!stop_requested)
		return result;
	if (result < 0)
		log_error(log, "%s", err->text);
	*exit_status = SESSION_INTERRUPTED;
	return 0;
}
