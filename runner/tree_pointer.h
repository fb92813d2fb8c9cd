/*
 * Git LFS pointers: small files that stand for large ones kept elsewhere.
 */
#ifndef RUNNER_TREE_POINTER_H
#define RUNNER_TREE_POINTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tree_pointer {
	char path[80]; /* of the object below lfs/objects: "12/34/1234..." */
	uint64_t size;
};

/* Are these bytes a pointer? Only its version line, one SHA-256 and a size make one. */
bool tree_pointer_parse(struct tree_pointer *out, const void *bytes, size_t length);

#endif
