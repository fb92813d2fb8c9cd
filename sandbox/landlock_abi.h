/*
 * Landlock as the kernel speaks it. Distribution headers are older than the kernels this runs on
 * (Debian 12's know ABI 2), so the numbers are written here, from the kernel's
 * include/uapi/linux/landlock.h; a test checks them against the header where it has them.
 */
#ifndef SANDBOX_LANDLOCK_ABI_H
#define SANDBOX_LANDLOCK_ABI_H

#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The same on x86-64 and arm64, as every call added since Linux 5.1. */
#define LANDLOCK_ABI_SYS_CREATE 444
#define LANDLOCK_ABI_SYS_ADD_RULE 445
#define LANDLOCK_ABI_SYS_RESTRICT_SELF 446

#define LANDLOCK_ABI_CREATE_VERSION 1u
#define LANDLOCK_ABI_RULE_PATH_BENEATH 1

#define LANDLOCK_ABI_EXECUTE (UINT64_C(1) << 0)
#define LANDLOCK_ABI_WRITE_FILE (UINT64_C(1) << 1)
#define LANDLOCK_ABI_READ_FILE (UINT64_C(1) << 2)
#define LANDLOCK_ABI_READ_DIR (UINT64_C(1) << 3)
#define LANDLOCK_ABI_REMOVE_DIR (UINT64_C(1) << 4)
#define LANDLOCK_ABI_REMOVE_FILE (UINT64_C(1) << 5)
#define LANDLOCK_ABI_MAKE_CHAR (UINT64_C(1) << 6)
#define LANDLOCK_ABI_MAKE_DIR (UINT64_C(1) << 7)
#define LANDLOCK_ABI_MAKE_REG (UINT64_C(1) << 8)
#define LANDLOCK_ABI_MAKE_SOCK (UINT64_C(1) << 9)
#define LANDLOCK_ABI_MAKE_FIFO (UINT64_C(1) << 10)
#define LANDLOCK_ABI_MAKE_BLOCK (UINT64_C(1) << 11)
#define LANDLOCK_ABI_MAKE_SYM (UINT64_C(1) << 12)
#define LANDLOCK_ABI_REFER (UINT64_C(1) << 13)     /* ABI 2 */
#define LANDLOCK_ABI_TRUNCATE (UINT64_C(1) << 14)  /* ABI 3 */
#define LANDLOCK_ABI_IOCTL_DEV (UINT64_C(1) << 15) /* ABI 5 */

#define LANDLOCK_ABI_BIND_TCP (UINT64_C(1) << 0)    /* ABI 4 */
#define LANDLOCK_ABI_CONNECT_TCP (UINT64_C(1) << 1) /* ABI 4 */

#define LANDLOCK_ABI_SCOPE_ABSTRACT_UNIX (UINT64_C(1) << 0) /* ABI 6 */
#define LANDLOCK_ABI_SCOPE_SIGNAL (UINT64_C(1) << 1)        /* ABI 6 */

/* Its size tells the kernel which fields are meant: cut at the first field the ABI lacks. */
struct landlock_abi_ruleset {
	uint64_t handled_fs;
	uint64_t handled_net; /* ABI 4 */
	uint64_t scoped;      /* ABI 6 */
};

struct __attribute__((packed)) landlock_abi_path {
	uint64_t allowed;
	int32_t parent_fd;
};

#endif
