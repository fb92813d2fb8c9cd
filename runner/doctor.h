/*
 * `duel doctor`: what this machine grants and how to mend what it does not.
 */
#ifndef RUNNER_DOCTOR_H
#define RUNNER_DOCTOR_H

#include "sandbox/base/attr.h"
#include "sandbox/base/err.h"

#include <stdio.h>

struct machine_facts;
struct sandbox_machine;

/*
 * Probe and print: tier, properties, counters, noise, each with what mends it.
 * Errors: ERR_CONFINE where nothing could be confined here (all is printed all the same).
 */
int doctor_print(FILE *out, struct err *err) ATTR_MUST_USE;

/* The two parts from given facts, for tests. */
void doctor_print_confinement(FILE *out, const struct sandbox_machine *machine);
void doctor_print_machine(FILE *out, const struct machine_facts *facts);

#endif
