#include "sandbox/seccomp_eval.h"

#include <endian.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stddef.h>
#include <string.h>

/* The kernel's data for a filter: 32-bit loads from it, low words first on these machines. */
static void fill(struct seccomp_data *data, const struct seccomp_eval_call *call)
{
	memset(data, 0, sizeof(*data));
	data->nr = call->number;
	data->arch = call->architecture == 0 ? seccomp_arch_native() : call->architecture;
	for (size_t i = 0; i < ARRAY_LENGTH(call->arguments); i++)
		data->args[i] = call->arguments[i];
}

static struct sock_filter instruction_at(const struct sandbox_program *program, uint32_t index)
{
	struct sock_filter instruction;

	memcpy(&instruction, &program->code[index], sizeof(instruction));
	return instruction;
}

/* Where the jump goes, counted from the next instruction. */
static uint32_t jump(const struct sock_filter *instruction, uint32_t accumulator)
{
	bool taken;

	switch (BPF_OP(instruction->code)) {
	case BPF_JA:
		return instruction->k;
	case BPF_JEQ:
		taken = accumulator == instruction->k;
		break;
	case BPF_JGT:
		taken = accumulator > instruction->k;
		break;
	case BPF_JGE:
		taken = accumulator >= instruction->k;
		break;
	default:
		taken = (accumulator & instruction->k) != 0;
		break;
	}
	return taken ? instruction->jt : instruction->jf;
}

uint32_t seccomp_eval_run(
	const struct sandbox_program *program, const struct seccomp_eval_call *call)
{
	struct seccomp_data data;
	uint32_t accumulator = 0;

	fill(&data, call);
	/* Jumps only go forward, so this ends. */
	for (uint32_t at = 0; at < program->length; at++) {
		struct sock_filter instruction = instruction_at(program, at);

		switch (instruction.code) {
		case BPF_LD | BPF_W | BPF_ABS:
			if (instruction.k > sizeof(data) - sizeof(accumulator))
				return SECCOMP_RET_KILL_PROCESS;
			memcpy(&accumulator, (const char *)&data + instruction.k,
				sizeof(accumulator));
			break;
		case BPF_ALU | BPF_AND | BPF_K:
			accumulator &= instruction.k;
			break;
		case BPF_JMP | BPF_JA:
		case BPF_JMP | BPF_JEQ | BPF_K:
		case BPF_JMP | BPF_JGT | BPF_K:
		case BPF_JMP | BPF_JGE | BPF_K:
		case BPF_JMP | BPF_JSET | BPF_K:
			at += jump(&instruction, accumulator);
			break;
		case BPF_RET | BPF_K:
			return instruction.k;
		default:
			return SECCOMP_RET_KILL_PROCESS;
		}
	}
	return SECCOMP_RET_KILL_PROCESS;
}

/* seccomp(2): the kernel compares the actions as signed numbers and takes the lowest. */
uint32_t seccomp_eval_both(const struct sandbox_program *arguments,
	const struct sandbox_program *calls, const struct seccomp_eval_call *call)
{
	uint32_t first = seccomp_eval_run(arguments, call);
	uint32_t second = seccomp_eval_run(calls, call);

	return (int32_t)(first & SECCOMP_RET_ACTION_FULL) <=
			       (int32_t)(second & SECCOMP_RET_ACTION_FULL)
		       ? first
		       : second;
}

static bool append(struct sandbox_program *program, struct sock_filter instruction)
{
	if (program->length == SANDBOX_PROGRAM_MAX)
		return false;
	memcpy(&program->code[program->length++], &instruction, sizeof(instruction));
	return true;
}

/* Copy a program with each answer changed: what is not allowed is asked; what is allowed goes on
 * `allowed_to` instructions after the copy's end, or is allowed where that is UINT32_MAX. */
static bool copy_asking(
	struct sandbox_program *asking, const struct sandbox_program *program, uint32_t allowed_to)
{
	for (uint32_t i = 0; i < program->length; i++) {
		struct sock_filter instruction = instruction_at(program, i);

		if (instruction.code == (BPF_RET | BPF_K)) {
			bool allowed = instruction.k == SECCOMP_RET_ALLOW;

			if (!allowed)
				instruction.k = SECCOMP_RET_USER_NOTIF;
			else if (allowed_to != UINT32_MAX)
				instruction = (struct sock_filter)BPF_STMT(
					BPF_JMP | BPF_JA, program->length - i - 1 + allowed_to);
		}
		if (!append(asking, instruction))
			return false;
	}
	return true;
}

bool seccomp_eval_make_asking(struct sandbox_program *asking,
	const struct sandbox_program *arguments, const struct sandbox_program *calls,
	const int *watched)
{
	const struct sock_filter load = BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	const struct sock_filter ask = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);

	asking->length = 0;
	if (!append(asking, load))
		return false;
	/* Another architecture's number may be taken for a watched one: then that is asked, and
	 * whoever answers looks at the architecture. */
	for (; *watched >= 0; watched++) {
		const struct sock_filter is_it = BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)*watched, 0, 1);

		if (!append(asking, is_it) || !append(asking, ask))
			return false;
	}
	return copy_asking(asking, arguments, 0) && copy_asking(asking, calls, UINT32_MAX);
}
