/*
 * The filters read as what they are: what would the kernel answer? And the program that asks
 * instead of refusing, made out of both. Pure; used to explain refusals and to test the policy
 * without loading it.
 */
#ifndef SANDBOX_SECCOMP_EVAL_H
#define SANDBOX_SECCOMP_EVAL_H

#include "sandbox/sandbox.h"

#include <stdint.h>

/* A call as a filter sees it: the architecture and six arguments beside the number. */
struct seccomp_eval_call {
	int number;
	uint32_t architecture; /* AUDIT_ARCH_*; 0 = this machine's */
	uint64_t arguments[6];
};

/* The action, SECCOMP_RET_* with its data. A program this reader does not know kills. */
uint32_t seccomp_eval_run(
	const struct sandbox_program *program, const struct seccomp_eval_call *call);

/* What both filters together answer: the more restrictive, as the kernel takes it. */
uint32_t seccomp_eval_both(const struct sandbox_program *arguments,
	const struct sandbox_program *calls, const struct seccomp_eval_call *call);

/*
 * One program that lets pass what both let pass and asks its listener about everything else, and
 * about each call in `watched` (numbers, ended by -1) too. False where it would be too long.
 */
bool seccomp_eval_make_asking(struct sandbox_program *asking,
	const struct sandbox_program *arguments, const struct sandbox_program *calls,
	const int *watched);

#endif
