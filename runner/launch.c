#include "runner/launch.h"

#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#define SECOND_NS UINT64_C(1000000000)

const struct launch_patience launch_patience_default = {
	.hello_ns = 20 * SECOND_NS,
	.setup_ns = 60 * SECOND_NS,
	.burst_ns = 60 * SECOND_NS,
	.farewell_ns = 5 * SECOND_NS,
};

#define STACK_BYTES ((uint64_t)256 << 20)
#define PAGE_BYTES 4096
#define STEP_BYTES 16 /* the alignment of stack frames and of malloc */

void launch_draw_offsets(struct launch_offsets *offsets, struct rng *rng)
{
	*offsets = (struct launch_offsets){
		.same_addresses = true,
		.stack_bytes = STACK_BYTES + (1 + rng_below(rng, 65535)) * (uint64_t)PAGE_BYTES,
		.environment_bytes = rng_below(rng, 4096 / STEP_BYTES) * STEP_BYTES,
		.heap_bytes = rng_below(rng, 8192 / STEP_BYTES) * STEP_BYTES,
	};
}

int launch_make_argv(
	const struct launch *launch, const char *argv[LAUNCH_ARGV_LENGTH], struct err *err)
{
	size_t count = 0;

	for (size_t i = 0; launch->argv[i]; i++) {
		if (i == LAUNCH_ARGS_MAX)
			return err_set(err, ERR_LIMIT, "more than %d arguments", LAUNCH_ARGS_MAX);
		argv[count++] = launch->argv[i];
	}
	argv[count] = NULL;
	return 0;
}

void launch_make_padding(const struct launch_offsets *offsets, char padding[LAUNCH_PADDING_BYTES])
{
	static const char name[] = "DUEL_PAD=";
	size_t name_length = sizeof(name) - 1;
	size_t room = LAUNCH_PADDING_BYTES - sizeof(name);
	size_t length = offsets->environment_bytes < room ? offsets->environment_bytes : room;

	memcpy(padding, name, name_length);
	memset(padding + name_length, 'x', length);
	padding[name_length + length] = '\0';
}

bool launch_can_fix_addresses(void)
{
	int before = personality(0xffffffff);

	if (before < 0 || personality((unsigned long)before | ADDR_NO_RANDOMIZE) < 0)
		return false;
	/* It acts on the next exec only, so that undoing it leaves no trace. */
	(void)personality((unsigned long)before);
	return true;
}
