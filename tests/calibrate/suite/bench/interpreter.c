/* A stack machine that runs a small loop. */
#include "../suite.h"

#include <stdlib.h>
#include <string.h>

enum interpreter_code { PUSH, ADD, MULTIPLY, DUPLICATE, SWAP, DECREMENT, JUMP, XOR, POP, END };

static void *make_program(long value)
{
	/* The loop starts at the SWAP behind the two pushes. */
	static const unsigned char program[] = {PUSH, 1, PUSH, 90, SWAP, DUPLICATE, ADD, PUSH, 7,
		XOR, PUSH, 3, MULTIPLY, PUSH, 11, ADD, SWAP, DECREMENT, JUMP, 4, POP, END};
	unsigned char *copy = suite_memory(sizeof(program) + (size_t)value);

	memcpy(copy, program, sizeof(program));
	return copy;
}

SUITE_STEADY static uint64_t interpreter_run(const unsigned char *program)
{
	uint64_t stack[8];
	uint64_t *top = stack;
	const unsigned char *at = program;
	uint64_t other;

	*top = 0;
	for (;;) {
		switch ((enum interpreter_code) * at++) {
		case PUSH:
			*++top = *at++;
			break;
		case ADD:
			top--;
			*top += top[1];
			break;
		case MULTIPLY:
			top--;
			*top *= top[1];
			break;
		case DUPLICATE:
			top++;
			*top = top[-1];
			break;
		case SWAP:
			other = *top;
			*top = top[-1];
			top[-1] = other;
			break;
		case DECREMENT:
			--*top;
			break;
		case JUMP:
			at = *top ? program + *at : at + 1;
			break;
		case XOR:
			top--;
			*top ^= top[1];
			break;
		case POP:
			top--;
			break;
		case END:
			return *top;
		}
	}
}

SUITE("machine: bytecode", make_program, free)
{
	duel_keep(interpreter_run(state));
}
