/* Long multiplication: two short loops, one in the other. */
#include "../suite.h"

#include <stdlib.h>
#include <string.h>

#define LIMBS 48

struct limbs {
	uint32_t left[LIMBS];
	uint32_t right[LIMBS];
	uint32_t product[2 * LIMBS];
};

static void *make_limbs(long value)
{
	struct limbs *limbs = suite_memory(sizeof(*limbs));
	uint64_t seed = 73 + (uint64_t)value;
	int i;

	for (i = 0; i < LIMBS; i++) {
		limbs->left[i] = suite_random(&seed, 1u << 30) * 3;
		limbs->right[i] = suite_random(&seed, 1u << 30) * 3;
	}
	return limbs;
}

static void limbs_multiply(struct limbs *limbs)
{
	uint64_t carry;
	int i;
	int j;

	memset(limbs->product, 0, sizeof(limbs->product));
	for (i = 0; i < LIMBS; i++) {
		carry = 0;
		for (j = 0; j < LIMBS; j++) {
			carry += (uint64_t)limbs->left[i] * limbs->right[j] + limbs->product[i + j];
			limbs->product[i + j] = (uint32_t)carry;
			carry >>= 32;
		}
		limbs->product[i + LIMBS] = (uint32_t)carry;
	}
}

SUITE("integer: long multiplication", make_limbs, free)
{
	limbs_multiply(state);
	duel_keep(state);
}
