/* The filters, evaluated without a kernel: what is answered to each call in each tier. */
#include "sandbox/seccomp.h"
#include "sandbox/seccomp_eval.h"
#include "sandbox/syscalls.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#define ALLOW SECCOMP_RET_ALLOW
#define KILL SECCOMP_RET_KILL_PROCESS
#define REFUSE(number) (SECCOMP_RET_ERRNO | (number))
#define HIGH (UINT64_C(1) << 32)

struct filters {
	struct sandbox_program tier[SANDBOX_TIERS][SANDBOX_FILTERS];
};

static int compile_all(void **state)
{
	static struct filters filters;
	struct err err = {0};

	for (unsigned tier = SANDBOX_TIER_FLAT; tier < SANDBOX_TIERS; tier++)
		if (seccomp_compile((enum sandbox_tier)tier, filters.tier[tier], &err) < 0) {
			print_error("%s\n", err.text);
			return -1;
		}
	*state = &filters;
	return 0;
}

static uint32_t ask(const struct filters *filters, enum sandbox_tier tier, bool loopback,
	const struct seccomp_eval_call *call)
{
	const struct sandbox_program *programs = filters->tier[tier];

	return seccomp_eval_both(&programs[SANDBOX_FILTER_ARGUMENTS],
		&programs[loopback ? SANDBOX_FILTER_CALLS_LOOPBACK : SANDBOX_FILTER_CALLS], call);
}

static void assert_answer(const struct filters *filters, enum sandbox_tier tier, bool loopback,
	const struct seccomp_eval_call *call, uint32_t expected)
{
	uint32_t answer = ask(filters, tier, loopback, call);

	if (answer != expected)
		fail_msg("call %d (0x%lx, 0x%lx, 0x%lx) in tier %s: 0x%x instead of 0x%x",
			call->number, call->arguments[0], call->arguments[1], call->arguments[2],
			sandbox_tier_name(tier), answer, expected);
}

/* In all tiers, with and without a loopback. */
static void assert_everywhere(const struct filters *filters, const char *name, uint64_t first,
	uint64_t second, uint32_t expected)
{
	const struct seccomp_eval_call call = {
		.number = seccomp_number_of(name), .arguments = {first, second}};

	if (call.number < 0)
		return;
	for (unsigned tier = SANDBOX_TIER_FLAT; tier < SANDBOX_TIERS; tier++) {
		assert_answer(filters, (enum sandbox_tier)tier, false, &call, expected);
		assert_answer(filters, (enum sandbox_tier)tier, true, &call, expected);
	}
}

static bool has_namespaces(enum sandbox_tier tier)
{
	return tier == SANDBOX_TIER_ROOT || tier == SANDBOX_TIER_USERNS;
}

static void each_group_is_answered_as_it_says(void **state)
{
	for (size_t i = 0; i < syscalls_groups_count; i++) {
		const struct syscalls_group *group = &syscalls_groups[i];
		static const uint32_t answers[] = {
			[SYSCALLS_ALLOW] = ALLOW,
			[SYSCALLS_PRETEND] = REFUSE(0),
			[SYSCALLS_EPERM] = REFUSE(EPERM),
			[SYSCALLS_ENOSYS] = REFUSE(ENOSYS),
			[SYSCALLS_KILL] = KILL,
		};

		if (group->action == SYSCALLS_BY_ARGUMENT ||
			group->action == SYSCALLS_ALLOW_PRIVATE_IPC)
			continue;
		for (const char *const *call = group->calls; *call; call++)
			assert_everywhere(*state, *call, 0, 0, answers[group->action]);
	}
}

static void queues_that_outlive_a_process_need_a_private_namespace(void **state)
{
	for (unsigned tier = SANDBOX_TIER_FLAT; tier < SANDBOX_TIERS; tier++) {
		const struct seccomp_eval_call call = {.number = seccomp_number_of("shmget")};

		assert_answer(*state, (enum sandbox_tier)tier, false, &call,
			has_namespaces((enum sandbox_tier)tier) ? ALLOW : REFUSE(ENOSYS));
	}
}

static void no_call_is_in_two_groups(void **state)
{
	(void)state;
	for (size_t i = 0; i < syscalls_groups_count; i++)
		for (const char *const *call = syscalls_groups[i].calls; *call; call++)
			if (syscalls_find(*call) != &syscalls_groups[i])
				fail_msg("%s is in two groups", *call);
}

static void calls_of_the_future_do_not_exist(void **state)
{
	for (int number = 463; number < 700; number++) {
		const struct seccomp_eval_call call = {.number = number};

		for (unsigned tier = SANDBOX_TIER_FLAT; tier < SANDBOX_TIERS; tier++)
			assert_answer(*state, (enum sandbox_tier)tier, true, &call, REFUSE(ENOSYS));
	}
}

static void another_architectures_calls_kill(void **state)
{
	const struct seccomp_eval_call foreign[] = {
		{.number = 20, .architecture = AUDIT_ARCH_I386},
		{.number = 0, .architecture = AUDIT_ARCH_ARM},
		{.number = 0, .architecture = AUDIT_ARCH_PPC64LE},
		{.number = 0x40000000 | 39},
	};

	/* x32 numbers are of this architecture on x86-64 only, elsewhere just unknown ones. */
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
		uint32_t answer = ask(*state, SANDBOX_TIER_ROOT, true, &foreign[i]);

		assert_true(answer == KILL || (answer == REFUSE(ENOSYS) && i == 3));
	}
}

static void values_of_arguments_are_compared_as_the_kernel_does(void **state)
{
	static const struct {
		const char *call;
		unsigned argument;
		uint32_t value;
	} refused[] = {
		{"ioctl", 1, TIOCSTI},
		{"ioctl", 1, TIOCLINUX},
		{"ioctl", 1, TIOCSCTTY},
		{"ioctl", 1, TIOCSETD},
		{"ioctl", 1, FIOSETOWN},
		{"fcntl", 1, F_SETLEASE},
		{"fcntl", 1, F_NOTIFY},
		{"fcntl", 1, F_SETOWN},
		{"fcntl", 1, 10}, /* F_SETSIG */
		{"fcntl", 1, 15}, /* F_SETOWN_EX */
		{"prctl", 0, PR_SET_MM},
		{"prctl", 0, 62}, /* PR_SCHED_CORE */
		{"prctl", 0, PR_SET_SECCOMP},
		{"prctl", 0, PR_SET_CHILD_SUBREAPER},
		{"kill", 0, (uint32_t)-1},
	};

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		for (unsigned high = 0; high < 4; high++) {
			uint64_t value = refused[i].value | (high * 0x5555 * HIGH);
			bool second = refused[i].argument == 1;

			assert_everywhere(*state, refused[i].call, second ? 0 : value,
				second ? value : 0, REFUSE(EPERM));
		}
	assert_everywhere(*state, "ioctl", 0, TCGETS, ALLOW);
	assert_everywhere(*state, "fcntl", 0, F_SETFL, ALLOW);
	assert_everywhere(*state, "prctl", PR_SET_NAME, 0, ALLOW);
	assert_everywhere(*state, "kill", 1, 0, ALLOW);
	assert_everywhere(*state, "kill", (uint32_t)-5, 0, ALLOW);
}

static void a_clone_makes_threads_but_no_namespaces(void **state)
{
	static const uint64_t namespaces[] = {CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET,
		CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP};

	assert_everywhere(*state, "clone", SIGCHLD, 0, ALLOW);
	assert_everywhere(*state, "clone", CLONE_VM | CLONE_VFORK | SIGCHLD, 0, ALLOW);
	assert_everywhere(*state, "clone", CLONE_VM | CLONE_THREAD | CLONE_SIGHAND, 0, ALLOW);
	for (size_t i = 0; i < sizeof(namespaces) / sizeof(namespaces[0]); i++) {
		assert_everywhere(*state, "clone", namespaces[i] | SIGCHLD, 0, REFUSE(EPERM));
		assert_everywhere(*state, "clone", ~UINT64_C(0) & namespaces[i], 0, REFUSE(EPERM));
	}
	assert_everywhere(*state, "clone", ~UINT64_C(0), 0, REFUSE(EPERM));
}

static void limits_and_personality_are_ones_own(void **state)
{
	assert_everywhere(*state, "prlimit64", 0, 0, ALLOW);
	assert_everywhere(*state, "prlimit64", 1, 0, REFUSE(EPERM));
	assert_everywhere(*state, "prlimit64", HIGH, 0, REFUSE(EPERM));
	assert_everywhere(*state, "personality", 0, 0, ALLOW);
	assert_everywhere(*state, "personality", 0xffffffff, 0, ALLOW);
	assert_everywhere(*state, "personality", ADDR_NO_RANDOMIZE, 0, ALLOW);
	assert_everywhere(*state, "personality", READ_IMPLIES_EXEC, 0, REFUSE(ENOSYS));
}

static uint32_t expect_socket(enum sandbox_tier tier, bool loopback, uint64_t family, uint64_t type)
{
	bool stream = (type & 0xf) == SOCK_STREAM || (type & 0xf) == SOCK_DGRAM;

	if (!has_namespaces(tier))
		return REFUSE(EAFNOSUPPORT);
	if (family == AF_UNIX)
		return stream || (type & 0xf) == SOCK_SEQPACKET ? ALLOW : REFUSE(ENOSYS);
	if (family == AF_INET || family == AF_INET6) {
		if (!loopback)
			return REFUSE(EAFNOSUPPORT);
		return stream ? ALLOW : REFUSE(ENOSYS);
	}
	return REFUSE(EAFNOSUPPORT);
}

static void sockets_are_local_or_on_a_private_loopback(void **state)
{
	for (unsigned tier = SANDBOX_TIER_FLAT; tier < SANDBOX_TIERS; tier++)
		for (uint64_t family = 0; family < 64; family++)
			for (uint64_t type = 0; type < 12; type++)
				for (unsigned loopback = 0; loopback < 2; loopback++) {
					struct seccomp_eval_call call = {
						.number = seccomp_number_of("socket"),
						.arguments = {family, type | SOCK_CLOEXEC}};
					uint32_t expected = expect_socket((enum sandbox_tier)tier,
						loopback != 0, family, type);

					assert_answer(*state, (enum sandbox_tier)tier,
						loopback != 0, &call, expected);
					/* Whatever the kernel makes of high bits, none may pass. */
					call.arguments[0] |= HIGH;
					assert_int_not_equal(ask(*state, (enum sandbox_tier)tier,
								     loopback != 0, &call),
						ALLOW);
				}
}

static void a_datagram_pair_reaches_any_socket_and_needs_namespaces(void **state)
{
	for (unsigned tier = SANDBOX_TIER_FLAT; tier < SANDBOX_TIERS; tier++) {
		struct seccomp_eval_call call = {.number = seccomp_number_of("socketpair"),
			.arguments = {AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC}};

		assert_answer(*state, (enum sandbox_tier)tier, false, &call, ALLOW);
		call.arguments[1] = SOCK_DGRAM;
		assert_answer(*state, (enum sandbox_tier)tier, false, &call,
			has_namespaces((enum sandbox_tier)tier) ? ALLOW : REFUSE(EPROTONOSUPPORT));
		call.arguments[1] = SOCK_DGRAM | HIGH;
		assert_answer(*state, (enum sandbox_tier)tier, false, &call,
			has_namespaces((enum sandbox_tier)tier) ? ALLOW : REFUSE(EPROTONOSUPPORT));
		call.arguments[0] = AF_INET;
		assert_answer(*state, (enum sandbox_tier)tier, false, &call, REFUSE(ENOSYS));
	}
}

/* A fixed stream of numbers: no clock, no luck. */
static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *seed >> 24;
}

static void the_asking_filter_asks_exactly_about_refusals_and_watched_calls(void **state)
{
	static struct sandbox_program asking;
	const struct filters *filters = *state;
	const int watched[] = {seccomp_number_of("openat"), seccomp_number_of("execve"), -1};
	uint64_t seed = 1;

	for (unsigned tier = SANDBOX_TIER_FLAT; tier < SANDBOX_TIERS; tier++) {
		const struct sandbox_program *programs = filters->tier[tier];

		assert_true(seccomp_eval_make_asking(&asking, &programs[SANDBOX_FILTER_ARGUMENTS],
			&programs[SANDBOX_FILTER_CALLS], watched));
		for (unsigned i = 0; i < 20000; i++) {
			const struct seccomp_eval_call call = {
				.number = (int)(next_random(&seed) % 500),
				.arguments = {next_random(&seed) % 70, next_random(&seed) % 20},
			};
			bool passes = ask(filters, (enum sandbox_tier)tier, false, &call) ==
					      ALLOW &&
				      call.number != watched[0] && call.number != watched[1];

			assert_int_equal(seccomp_eval_run(&asking, &call),
				passes ? ALLOW : SECCOMP_RET_USER_NOTIF);
		}
	}
}

static void a_program_nobody_can_read_kills(void **state)
{
	static const struct sandbox_program strange = {.length = 1, .code = {0x07}}; /* a TAX */
	static const struct sandbox_program empty = {.length = 0};
	const struct seccomp_eval_call call = {.number = 0};

	(void)state;
	assert_int_equal(seccomp_eval_run(&strange, &call), KILL);
	assert_int_equal(seccomp_eval_run(&empty, &call), KILL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_group_is_answered_as_it_says),
		cmocka_unit_test(queues_that_outlive_a_process_need_a_private_namespace),
		cmocka_unit_test(no_call_is_in_two_groups),
		cmocka_unit_test(calls_of_the_future_do_not_exist),
		cmocka_unit_test(another_architectures_calls_kill),
		cmocka_unit_test(values_of_arguments_are_compared_as_the_kernel_does),
		cmocka_unit_test(a_clone_makes_threads_but_no_namespaces),
		cmocka_unit_test(limits_and_personality_are_ones_own),
		cmocka_unit_test(sockets_are_local_or_on_a_private_loopback),
		cmocka_unit_test(a_datagram_pair_reaches_any_socket_and_needs_namespaces),
		cmocka_unit_test(the_asking_filter_asks_exactly_about_refusals_and_watched_calls),
		cmocka_unit_test(a_program_nobody_can_read_kills),
	};

	return cmocka_run_group_tests(tests, compile_all, NULL);
}
