/*
 * The worker behind duel.h: included by it, once a program, where DUEL_MAIN is defined.
 *
 * Speaks PROTOCOL.md over the descriptors in DUEL_IN and DUEL_OUT; without them it runs everything
 * once for the developer who started it.
 */
#ifndef DUEL_WORKER_H
#define DUEL_WORKER_H

#include "duel-cases.h"
#include "duel-serve.h"

/* Double the iterations until a sample takes a millisecond; then the smallest of eleven. */
static double duel_try_ns_(struct duel_case_ *it)
{
	unsigned long iterations = 1;
	unsigned long long smallest = ~0ull;
	size_t i;

	duel_run_(it, iterations, 1);
	while (!duel_.failed && duel_.samples[0].wall_ns < 1000000 && iterations < 1000000000ul) {
		iterations *= 2;
		duel_run_(it, iterations, 1);
	}
	duel_run_(it, iterations, 11);
	for (i = 0; i < 11; i++) {
		if (duel_.samples[i].cpu_ns < smallest)
			smallest = duel_.samples[i].cpu_ns;
	}
	return (double)smallest / (double)iterations;
}

static int duel_show_(struct duel_case_ *it)
{
	double ns = 0;

	duel_set_up_(it);
	if (!duel_.failed)
		ns = duel_try_ns_(it);
	if (duel_.failed) {
		printf("%14s     %s: %s\n", "error", it->name, duel_.text);
		return 1;
	}
	printf("%14.1f ns  %s", ns, it->name);
	if (it->bytes > 0 && ns > 0)
		printf("  (%.0f MB/s)", (double)it->bytes * 1000 / ns);
	if (it->items > 0 && ns > 0)
		printf("  (%.1f ns an item)", ns / (double)it->items);
	printf("\n");
	fflush(stdout);
	duel_tear_down_(it);
	return 0;
}

static void duel_usage_(const char *program)
{
	printf("usage: %s [--list] [NAME...]\n\n"
	       "Runs each benchmark whose name contains one of the NAMEs (all without any) and "
	       "prints "
	       "the CPU time\nof one iteration. --list prints the names only. Under duel (DUEL_IN "
	       "and "
	       "DUEL_OUT in the environment)\nit speaks the worker protocol instead.\n\n",
		program);
}

static int duel_by_hand_(int argc, char **argv)
{
	int is_list = argc > 1 && strcmp(argv[1], "--list") == 0;
	int first = is_list ? 2 : 1;
	int failures = 0;
	int is_wanted;
	size_t i;
	int n;

	if (duel_make_cases_() != 0) {
		fprintf(stderr, "%s: %s\n", argv[0], duel_.text);
		return 2;
	}
	if (!is_list)
		duel_usage_(argv[0]);
	for (i = 0; i < duel_.cases_count; i++) {
		is_wanted = argc == first;
		for (n = first; n < argc; n++)
			is_wanted |= strstr(duel_.cases[i].name, argv[n]) != NULL;
		if (is_wanted && is_list)
			printf("%s\n", duel_.cases[i].name);
		else if (is_wanted)
			failures += duel_show_(&duel_.cases[i]);
	}
	return failures > 0;
}

/* A descriptor number from the environment, -1 where there is none or it is not open. */
static int duel_fd_(const char *variable)
{
	const char *text = getenv(variable);
	char *end;
	long fd;

	if (!text || *text < '0' || *text > '9')
		return -1;
	fd = strtol(text, &end, 10);
	return *end == '\0' && fd < 1000000 && fcntl((int)fd, F_GETFD) != -1 ? (int)fd : -1;
}

int main(int argc, char **argv)
{
	if (!getenv("DUEL_IN") && !getenv("DUEL_OUT"))
		return duel_by_hand_(argc, argv);
	duel_.in_fd = duel_fd_("DUEL_IN");
	duel_.out_fd = duel_fd_("DUEL_OUT");
	if (duel_.in_fd >= 0 && duel_.out_fd >= 0)
		return duel_serve_();
	fprintf(stderr, "%s: DUEL_IN and DUEL_OUT must both be numbers of open descriptors\n",
		argv[0]);
	return 2;
}

#endif
