/*
 * What a keeper does once, before its first command: its descriptors, its namespaces, the view of
 * files and the Landlock ruleset its commands will enter.
 */
#ifndef SANDBOX_KEEPER_SETUP_H
#define SANDBOX_KEEPER_SETUP_H

#include "sandbox/keeper.h"

#include <stdbool.h>
#include <stdint.h>

struct keeper_setup {
	int socket;            /* to the supervisor */
	int death_fd;          /* readable once a child has died (signalfd) */
	int ruleset_fd;        /* -1 = no Landlock */
	int cgroup_fd;         /* -1 = no cgroup */
	uint64_t tasks_before; /* of the commands' uid, where it is not theirs alone */
};

bool keeper_setup_has_namespaces(enum sandbox_tier tier);

/*
 * Make it, or say which layer failed. The caller ends after a failure, so that nothing is undone.
 * Errors: ERR_CONFINE, ERR_OS.
 */
int keeper_setup_make(
	struct keeper_setup *setup, const struct keeper_plan *plan, struct err *err) ATTR_MUST_USE;

/* Empty death_fd before the dead are collected. */
void keeper_setup_drain(const struct keeper_setup *setup);

#endif
