#include "sandbox/seccomp.h"

#include "sandbox/base/io.h"
#include "sandbox/syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Values the C library of Debian 12 or older has no name for. */
#define FCNTL_SET_SIGNAL 10u
#define FCNTL_SET_OWNER_EX 15u
#define PRCTL_SCHED_CORE 62u
#define SOCKET_TYPE_BITS 0xfu

static struct scmp_arg_cmp compare(unsigned argument, enum scmp_compare how, uint64_t value)
{
	struct scmp_arg_cmp one = {.arg = argument, .op = how, .datum_a = value, .datum_b = 0};

	return one;
}

/* The bits of `mask` in the argument, and no others, are compared. */
static struct scmp_arg_cmp compare_bits(unsigned argument, uint64_t mask, uint64_t value)
{
	struct scmp_arg_cmp one = {
		.arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value};

	return one;
}

/* The kernel looks at 32 bits of these arguments; a comparison of all 64 can be walked around by
 * setting a high one. */
static struct scmp_arg_cmp compare_32(unsigned argument, uint32_t value)
{
	return compare_bits(argument, UINT32_MAX, value);
}

struct policy {
	scmp_filter_ctx context;
	struct err *err;
};

/* One rule with `count` comparisons. Calls this architecture lacks need none. */
static int rule(const struct policy *policy, uint32_t action, const char *call, unsigned count,
	const struct scmp_arg_cmp *compare)
{
	int number = seccomp_number_of(call);
	int result;

	if (number < 0)
		return 0;
	result = seccomp_rule_add_array(policy->context, action, number, count, compare);
	if (result < 0)
		return err_set(policy->err, ERR_CONFINE, "seccomp: rule for %s: %s", call,
			strerror(-result));
	return 0;
}

static int rule_all(const struct policy *policy, uint32_t action, const char *call)
{
	return rule(policy, action, call, 0, NULL);
}

static int rule_if(
	const struct policy *policy, uint32_t action, const char *call, struct scmp_arg_cmp compare)
{
	return rule(policy, action, call, 1, &compare);
}

static int rule_if_both(const struct policy *policy, uint32_t action, const char *call,
	struct scmp_arg_cmp first, struct scmp_arg_cmp second)
{
	const struct scmp_arg_cmp both[] = {first, second};

	return rule(policy, action, call, 2, both);
}

static uint32_t action_of(enum syscalls_action action, bool private_ipc)
{
	switch (action) {
	case SYSCALLS_ALLOW:
	case SYSCALLS_BY_ARGUMENT:
		return SCMP_ACT_ALLOW;
	case SYSCALLS_ALLOW_PRIVATE_IPC:
		return private_ipc ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(ENOSYS);
	case SYSCALLS_PRETEND:
		return SCMP_ACT_ERRNO(0);
	case SYSCALLS_EPERM:
		return SCMP_ACT_ERRNO(EPERM);
	case SYSCALLS_KILL:
		return SCMP_ACT_KILL_PROCESS;
	case SYSCALLS_ENOSYS:
		break;
	}
	return SCMP_ACT_ERRNO(ENOSYS);
}

/* Every group that needs no look at arguments; ENOSYS is the default, which libseccomp does not
 * take as a rule. */
static int add_groups(const struct policy *policy, bool private_ipc)
{
	for (size_t i = 0; i < syscalls_groups_count; i++) {
		const struct syscalls_group *group = &syscalls_groups[i];
		uint32_t action = action_of(group->action, private_ipc);

		if (group->action == SYSCALLS_BY_ARGUMENT || action == SCMP_ACT_ERRNO(ENOSYS))
			continue;
		for (const char *const *call = group->calls; *call != NULL; call++)
			if (rule_all(policy, action, *call) < 0)
				return -1;
	}
	return 0;
}

static int add_clone(const struct policy *policy)
{
	static const uint64_t namespaces[] = {CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET,
		CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP};
	uint64_t all = 0;

	/* A masked comparison has no complement: one refusal a bit, one permission for none. */
	for (size_t i = 0; i < ARRAY_LENGTH(namespaces); i++) {
		all |= namespaces[i];
		if (rule_if(policy, SCMP_ACT_ERRNO(EPERM), "clone",
			    compare_bits(0, namespaces[i], namespaces[i])) < 0)
			return -1;
	}
	return rule_if(policy, SCMP_ACT_ALLOW, "clone", compare_bits(0, all, 0));
}

static int add_own_process(const struct policy *policy)
{
	static const uint32_t personalities[] = {0, ADDR_NO_RANDOMIZE, 0xffffffffu};

	/* prlimit64 of another process of this uid would throttle it. */
	if (rule_if(policy, SCMP_ACT_ALLOW, "prlimit64", compare(0, SCMP_CMP_EQ, 0)) < 0 ||
		rule_if(policy, SCMP_ACT_ERRNO(EPERM), "prlimit64", compare(0, SCMP_CMP_NE, 0)) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_LENGTH(personalities); i++)
		if (rule_if(policy, SCMP_ACT_ALLOW, "personality",
			    compare_32(0, personalities[i])) < 0)
			return -1;
	return 0;
}

/* Families from 0 up: those granted, by stream and datagram type, all others EAFNOSUPPORT. */
static int add_sockets(const struct policy *policy, bool unix_sockets, bool loopback)
{
	static const unsigned types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};
	int last = -1;

	for (int family = AF_UNIX; family <= AF_INET6; family++) {
		bool internet = family == AF_INET || family == AF_INET6;

		if (!(family == AF_UNIX && unix_sockets) && !(internet && loopback))
			continue;
		for (int refused = last + 1; refused < family; refused++)
			if (rule_if(policy, SCMP_ACT_ERRNO(EAFNOSUPPORT), "socket",
				    compare(0, SCMP_CMP_EQ, (scmp_datum_t)refused)) < 0)
				return -1;
		for (size_t i = 0; i < ARRAY_LENGTH(types) - (internet ? 1 : 0); i++)
			if (rule_if_both(policy, SCMP_ACT_ALLOW, "socket",
				    compare(0, SCMP_CMP_EQ, (scmp_datum_t)family),
				    compare_bits(1, SOCKET_TYPE_BITS, types[i])) < 0)
				return -1;
		last = family;
	}
	if (last < 0)
		return rule_all(policy, SCMP_ACT_ERRNO(EAFNOSUPPORT), "socket");
	return rule_if(policy, SCMP_ACT_ERRNO(EAFNOSUPPORT), "socket",
		compare(0, SCMP_CMP_GT, (scmp_datum_t)last));
}

/* Stream and packet pairs cannot be sent elsewhere; a datagram pair reaches any socket by path. */
static int add_socket_pairs(const struct policy *policy, bool unix_sockets)
{
	const struct scmp_arg_cmp local = compare(0, SCMP_CMP_EQ, AF_UNIX);
	uint32_t datagram = unix_sockets ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EPROTONOSUPPORT);

	if (rule_if_both(policy, SCMP_ACT_ALLOW, "socketpair", local,
		    compare_bits(1, SOCKET_TYPE_BITS, SOCK_STREAM)) < 0 ||
		rule_if_both(policy, SCMP_ACT_ALLOW, "socketpair", local,
			compare_bits(1, SOCKET_TYPE_BITS, SOCK_SEQPACKET)) < 0)
		return -1;
	return rule_if_both(policy, datagram, "socketpair", local,
		compare_bits(1, SOCKET_TYPE_BITS, SOCK_DGRAM));
}

static int fill_calls(const struct policy *policy, enum sandbox_tier tier, bool loopback)
{
	static const char *const checked_elsewhere[] = {"ioctl", "fcntl", "prctl", "kill"};
	bool namespaces = tier == SANDBOX_TIER_ROOT || tier == SANDBOX_TIER_USERNS;

	for (size_t i = 0; i < ARRAY_LENGTH(checked_elsewhere); i++)
		if (rule_all(policy, SCMP_ACT_ALLOW, checked_elsewhere[i]) < 0)
			return -1;
	if (add_groups(policy, namespaces) < 0 || add_clone(policy) < 0 ||
		add_own_process(policy) < 0)
		return -1;
	/* Sockets by path reach docker and D-Bus unless the machine's files and its abstract
	 * sockets are both out of sight. */
	if (add_sockets(policy, namespaces, loopback && namespaces) < 0)
		return -1;
	return add_socket_pairs(policy, namespaces);
}

/* Values that act on a terminal, on other processes of the uid, or on the confinement. */
static int fill_arguments(const struct policy *policy)
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
		{"ioctl", 1, SIOCSPGRP},
		{"fcntl", 1, F_SETLEASE},
		{"fcntl", 1, F_NOTIFY},
		{"fcntl", 1, F_SETOWN},
		{"fcntl", 1, FCNTL_SET_SIGNAL},
		{"fcntl", 1, FCNTL_SET_OWNER_EX},
		{"prctl", 0, PR_SET_MM},
		{"prctl", 0, PRCTL_SCHED_CORE},
		{"prctl", 0, PR_SET_SECCOMP},
		{"prctl", 0, PR_SET_CHILD_SUBREAPER},
		{"kill", 0, (uint32_t)-1},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(refused); i++)
		if (rule_if(policy, SCMP_ACT_ERRNO(EPERM), refused[i].call,
			    compare_32(refused[i].argument, refused[i].value)) < 0)
			return -1;
	return 0;
}

static int export(const struct policy *policy, struct sandbox_program *program)
{
	AUTO_FD fd = memfd_create("filter", MFD_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return err_errno(policy->err, ERR_CONFINE, "seccomp: memfd");
	if (seccomp_export_bpf(policy->context, fd) < 0 || lseek(fd, 0, SEEK_SET) != 0)
		return err_set(policy->err, ERR_CONFINE, "seccomp: export the filter");
	got = read(fd, program->code, sizeof(program->code));
	if (got <= 0)
		return err_errno(policy->err, ERR_CONFINE, "seccomp: read the filter");
	if ((size_t)got == sizeof(program->code))
		return err_set(policy->err, ERR_CONFINE, "seccomp: the filter is too long");
	program->length = (uint32_t)((size_t)got / sizeof(struct sock_filter));
	return 0;
}

static int compile(enum sandbox_filter filter, enum sandbox_tier tier,
	struct sandbox_program *program, struct err *err)
{
	bool calls = filter != SANDBOX_FILTER_ARGUMENTS;
	struct policy policy = {
		.context = seccomp_init(calls ? SCMP_ACT_ERRNO(ENOSYS) : SCMP_ACT_ALLOW),
		.err = err,
	};
	int result;

	if (policy.context == NULL)
		return err_set(err, ERR_CONFINE, "seccomp: libseccomp refuses to start");
	/* Calls of another architecture (int 0x80, x32) are not in the list at all. */
	(void)seccomp_attr_set(policy.context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	if (calls)
		result = fill_calls(&policy, tier, filter == SANDBOX_FILTER_CALLS_LOOPBACK);
	else
		result = fill_arguments(&policy);
	if (result == 0)
		result = export(&policy, program);
	seccomp_release(policy.context);
	return result;
}

int seccomp_compile(
	enum sandbox_tier tier, struct sandbox_program filters[SANDBOX_FILTERS], struct err *err)
{
	for (unsigned i = 0; i < SANDBOX_FILTERS; i++)
		if (compile((enum sandbox_filter)i, tier, &filters[i], err) < 0)
			return -1;
	return 0;
}

static int load(const struct sandbox_program *program, unsigned flags)
{
	/* The kernel reads the words, as what they are. */
	struct sock_fprog filter = {
		.len = (unsigned short)program->length,
		.filter = (struct sock_filter *)(uintptr_t)program->code,
	};

	/* Without SPEC_ALLOW kernels before 5.16 turn on mitigations that slow the command. */
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		SECCOMP_FILTER_FLAG_SPEC_ALLOW | flags, &filter);
}

int seccomp_enter(const struct sandbox_program *program)
{
	return load(program, 0);
}

int seccomp_enter_asking(const struct sandbox_program *program, int socket)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr header;
	} control = {.header = {
			     .cmsg_len = CMSG_LEN(sizeof(int)),
			     .cmsg_level = SOL_SOCKET,
			     .cmsg_type = SCM_RIGHTS,
		     }};
	char byte = 'l';
	struct iovec part = {&byte, 1};
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	int listener = load(program, SECCOMP_FILTER_FLAG_NEW_LISTENER);

	if (listener < 0)
		return -1;
	memcpy(CMSG_DATA(&control.header), &listener, sizeof(listener));
	return sendmsg(socket, &message, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

bool seccomp_is_supported(void)
{
	uint32_t action = SECCOMP_RET_KILL_PROCESS;

	return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0u, &action) == 0;
}

/*
 * Calls younger than the distribution's libseccomp (2.5.4 knows up to Linux 5.17). Numbers above
 * 423 are the same on x86-64 and arm64.
 */
static const struct {
	const char *name;
	int number;
} late[] = {
	{"set_mempolicy_home_node", 450},
	{"cachestat", 451},
	{"fchmodat2", 452},
	{"map_shadow_stack", 453},
	{"futex_wake", 454},
	{"futex_wait", 455},
	{"futex_requeue", 456},
	{"statmount", 457},
	{"listmount", 458},
	{"lsm_get_self_attr", 459},
	{"lsm_set_self_attr", 460},
	{"lsm_list_modules", 461},
	{"mseal", 462},
};

int seccomp_number_of(const char *name)
{
	int number = seccomp_syscall_resolve_name(name);

	if (number >= 0)
		return number;
	for (size_t i = 0; i < ARRAY_LENGTH(late); i++)
		if (strcmp(late[i].name, name) == 0)
			return late[i].number;
	return -1;
}

char *seccomp_name_of(int number)
{
	for (size_t i = 0; i < ARRAY_LENGTH(late); i++)
		if (late[i].number == number)
			return strdup(late[i].name);
	return seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
}
