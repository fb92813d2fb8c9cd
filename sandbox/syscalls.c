#include "sandbox/syscalls.h"

#include "sandbox/base/attr.h"

#include <string.h>

#define CALLS(...)                \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}

const struct syscalls_group syscalls_groups[] = {
	{"memory", "a process arranges its own memory", SYSCALLS_ALLOW,
		CALLS("brk", "mmap", "munmap", "mremap", "mprotect", "madvise", "mincore", "msync",
			"mlock", "mlock2", "munlock", "mlockall", "munlockall", "membarrier",
			"memfd_create", "pkey_alloc", "pkey_free", "pkey_mprotect",
			"map_shadow_stack", "mseal", "get_mempolicy", "remap_file_pages")},
	{"file contents", "mounts, Landlock and mode bits say which files", SYSCALLS_ALLOW,
		CALLS("read", "write", "readv", "writev", "pread64", "pwrite64", "preadv",
			"pwritev", "preadv2", "pwritev2", "open", "openat", "openat2", "creat",
			"close", "close_range", "lseek", "dup", "dup2", "dup3", "pipe", "pipe2",
			"fallocate", "truncate", "ftruncate", "fsync", "fdatasync",
			"sync_file_range", "syncfs", "flock", "copy_file_range", "sendfile",
			"splice", "tee", "readahead", "fadvise64", "cachestat")},
	{"file names", "mounts, Landlock and mode bits say which files", SYSCALLS_ALLOW,
		CALLS("access", "faccessat", "faccessat2", "stat", "fstat", "lstat", "newfstatat",
			"statx", "statfs", "fstatfs", "getdents", "getdents64", "getcwd", "chdir",
			"fchdir", "mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename",
			"renameat", "renameat2", "link", "linkat", "symlink", "symlinkat",
			"readlink", "readlinkat", "mknod", "mknodat", "umask", "name_to_handle_at",
			"inotify_init", "inotify_init1", "inotify_add_watch", "inotify_rm_watch")},
	{"file metadata", "mounts and mode bits say which files", SYSCALLS_ALLOW,
		CALLS("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown",
			"fchownat", "utime", "utimes", "utimensat", "futimesat", "getxattr",
			"lgetxattr", "fgetxattr", "setxattr", "lsetxattr", "fsetxattr", "listxattr",
			"llistxattr", "flistxattr", "removexattr", "lremovexattr", "fremovexattr")},
	{"events", "waiting for one's own descriptors", SYSCALLS_ALLOW,
		CALLS("poll", "ppoll", "select", "pselect6", "epoll_create", "epoll_create1",
			"epoll_ctl", "epoll_wait", "epoll_pwait", "epoll_pwait2", "eventfd",
			"eventfd2", "timerfd_create", "timerfd_settime", "timerfd_gettime",
			"signalfd", "signalfd4")},
	{"processes", "starting programs and waiting for them", SYSCALLS_ALLOW,
		CALLS("fork", "vfork", "execve", "execveat", "exit", "exit_group", "wait4",
			"waitid", "getpid", "getppid", "gettid", "getpgid", "getpgrp", "getsid",
			"setsid", "setpgid", "set_tid_address", "set_robust_list",
			"get_robust_list", "rseq", "arch_prctl", "getrusage", "times", "getrlimit",
			"setrlimit", "sysinfo", "uname", "getcpu", "pidfd_open", "getpriority",
			"ioprio_get", "sched_yield", "sched_getaffinity", "sched_getparam",
			"sched_getscheduler", "sched_getattr", "sched_get_priority_max",
			"sched_get_priority_min", "sched_rr_get_interval", "getrandom",
			"restart_syscall")},
	/* GNU make starts every command with POSIX_SPAWN_RESETIDS: refusing these breaks builds. */
	{"identity", "without capabilities these change nothing", SYSCALLS_ALLOW,
		CALLS("getuid", "geteuid", "getgid", "getegid", "getresuid", "getresgid",
			"getgroups", "setuid", "setgid", "setreuid", "setregid", "setresuid",
			"setresgid", "setfsuid", "setfsgid", "capget")},
	{"signals", "the pid namespace, the uid or Landlock's scope says whom", SYSCALLS_ALLOW,
		CALLS("tkill", "tgkill", "pidfd_send_signal", "rt_sigaction", "rt_sigprocmask",
			"rt_sigreturn", "rt_sigpending", "rt_sigsuspend", "rt_sigtimedwait",
			"rt_sigqueueinfo", "rt_tgsigqueueinfo", "sigaltstack", "pause", "alarm",
			"getitimer", "setitimer", "timer_create", "timer_settime", "timer_gettime",
			"timer_getoverrun", "timer_delete")},
	{"time", "reading clocks and sleeping", SYSCALLS_ALLOW,
		CALLS("time", "gettimeofday", "clock_gettime", "clock_getres", "clock_nanosleep",
			"nanosleep")},
	{"threads", "one's own locks", SYSCALLS_ALLOW,
		CALLS("futex", "futex_waitv", "futex_wake", "futex_wait", "futex_requeue")},
	{"connected sockets", "useless without socket(2), which is checked", SYSCALLS_ALLOW,
		CALLS("bind", "listen", "accept", "accept4", "connect", "getsockname",
			"getpeername", "getsockopt", "setsockopt", "sendto", "recvfrom", "sendmsg",
			"recvmsg", "sendmmsg", "recvmmsg", "shutdown")},
	{"System V and POSIX queues", "outlive their process: only in a private IPC namespace",
		SYSCALLS_ALLOW_PRIVATE_IPC,
		CALLS("shmget", "shmat", "shmdt", "shmctl", "semget", "semop", "semtimedop",
			"semctl", "msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink",
			"mq_timedsend", "mq_timedreceive", "mq_notify", "mq_getsetattr")},
	{"by argument", "harmless with some arguments only", SYSCALLS_BY_ARGUMENT,
		CALLS("ioctl", "fcntl", "prctl", "kill", "clone", "prlimit64", "personality",
			"socket", "socketpair")},
	{"system-wide flush", "would stop the machine's writers and the other side's",
		SYSCALLS_PRETEND, CALLS("sync")},
	{"other processes", "reads or changes another process of the same uid", SYSCALLS_EPERM,
		CALLS("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise",
			"process_mrelease", "pidfd_getfd", "kcmp", "perf_event_open",
			"migrate_pages", "move_pages")},
	{"scheduling", "would slow the other side, or move this one", SYSCALLS_EPERM,
		CALLS("setpriority", "ioprio_set", "sched_setaffinity", "sched_setscheduler",
			"sched_setparam", "sched_setattr", "mbind", "set_mempolicy",
			"set_mempolicy_home_node")},
	{"kernel surface", "attack surface no benchmark needs", SYSCALLS_EPERM,
		CALLS("bpf", "userfaultfd", "add_key", "request_key", "keyctl", "modify_ldt",
			"iopl", "ioperm", "lookup_dcookie", "vmsplice", "uselib", "nfsservctl",
			"fanotify_init", "fanotify_mark", "open_by_handle_at", "quotactl",
			"quotactl_fd")},
	{"namespaces and mounts", "would make a machine of its own", SYSCALLS_EPERM,
		CALLS("mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "open_tree",
			"move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr",
			"setgroups", "capset")},
	{"administration", "changes the whole machine", SYSCALLS_EPERM,
		CALLS("acct", "swapon", "swapoff", "syslog", "vhangup", "sethostname",
			"setdomainname", "clock_settime", "settimeofday", "clock_adjtime",
			"adjtimex")},
	/* The C library falls back to clone(2), whose flags can be checked; these are behind a
	 * pointer. */
	{"unchecked arguments", "its arguments are in memory no filter can read", SYSCALLS_ENOSYS,
		CALLS("clone3")},
	{"io_uring", "makes calls that no filter sees", SYSCALLS_ENOSYS,
		CALLS("io_uring_setup", "io_uring_enter", "io_uring_register")},
	{"confinement", "the layers themselves", SYSCALLS_ENOSYS,
		CALLS("seccomp", "landlock_create_ruleset", "landlock_add_rule",
			"landlock_restrict_self", "memfd_secret", "lsm_get_self_attr",
			"lsm_set_self_attr", "lsm_list_modules", "statmount", "listmount")},
	{"kernel replacement", "nothing honest tries it", SYSCALLS_KILL,
		CALLS("kexec_load", "kexec_file_load", "init_module", "finit_module",
			"delete_module", "reboot")},
};

const size_t syscalls_groups_count = ARRAY_LENGTH(syscalls_groups);

const struct syscalls_group *syscalls_find(const char *name)
{
	for (size_t i = 0; i < syscalls_groups_count; i++)
		for (const char *const *call = syscalls_groups[i].calls; *call != NULL; call++)
			if (strcmp(*call, name) == 0)
				return &syscalls_groups[i];
	return NULL;
}
