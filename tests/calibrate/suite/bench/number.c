/* Arithmetic: matrices, planets, primes. */
#include "../suite.h"

#include <stdlib.h>
#include <string.h>

#define MATRIX 20
#define PRIMES 4000
#define BODIES 5

struct matrix {
	double left[MATRIX][MATRIX];
	double right[MATRIX][MATRIX];
	double product[MATRIX][MATRIX];
};

struct bodies {
	double place[BODIES][3];
	double speed[BODIES][3];
	double mass[BODIES];
};

static void *make_matrix(long value)
{
	struct matrix *matrix = suite_memory(sizeof(*matrix));
	uint64_t seed = 61 + (uint64_t)value;
	int i;

	for (i = 0; i < MATRIX * MATRIX; i++) {
		matrix->left[i / MATRIX][i % MATRIX] = suite_random(&seed, 100) / 7.0;
		matrix->right[i / MATRIX][i % MATRIX] = suite_random(&seed, 100) / 9.0;
	}
	return matrix;
}

SUITE_STEADY static void matrix_multiply(struct matrix *matrix)
{
	int row;
	int column;
	int i;
	double sum;

	for (row = 0; row < MATRIX; row++) {
		for (column = 0; column < MATRIX; column++) {
			sum = 0;
			for (i = 0; i < MATRIX; i++)
				sum += matrix->left[row][i] * matrix->right[i][column];
			matrix->product[row][column] = sum;
		}
	}
}

static void *make_bodies(long value)
{
	struct bodies *bodies = suite_memory(sizeof(*bodies));
	uint64_t seed = 67 + (uint64_t)value;
	int i;

	for (i = 0; i < BODIES; i++) {
		bodies->place[i][0] = suite_random(&seed, 100);
		bodies->place[i][1] = suite_random(&seed, 100);
		bodies->place[i][2] = suite_random(&seed, 100);
		bodies->mass[i] = 1 + i;
	}
	return bodies;
}

/* Forces between all pairs, without the square root: what moves does not matter, its cost does. */
static void bodies_step(struct bodies *bodies)
{
	double apart[3];
	double pull;
	int i;
	int j;
	int axis;

	for (i = 0; i < BODIES; i++) {
		for (j = i + 1; j < BODIES; j++) {
			pull = 1;
			for (axis = 0; axis < 3; axis++) {
				apart[axis] = bodies->place[i][axis] - bodies->place[j][axis];
				pull += apart[axis] * apart[axis];
			}
			pull = 1e-9 / pull;
			for (axis = 0; axis < 3; axis++) {
				bodies->speed[i][axis] -= apart[axis] * bodies->mass[j] * pull;
				bodies->speed[j][axis] += apart[axis] * bodies->mass[i] * pull;
			}
		}
	}
}

static void *make_sieve(long value)
{
	return suite_memory(PRIMES + (size_t)value);
}

SUITE_STEADY static unsigned sieve_count(unsigned char *is_composite)
{
	unsigned count = 0;
	unsigned i;
	unsigned multiple;

	memset(is_composite, 0, PRIMES);
	for (i = 2; i < PRIMES; i++) {
		if (is_composite[i])
			continue;
		count++;
		for (multiple = i * i; multiple < PRIMES; multiple += i)
			is_composite[multiple] = 1;
	}
	return count;
}

SUITE("float: matrix", make_matrix, free)
{
	matrix_multiply(state);
	duel_keep(state);
}

SUITE("float: bodies", make_bodies, free)
{
	int i;

	for (i = 0; i < 40; i++)
		bodies_step(state);
	duel_keep(state);
}

SUITE("bits: sieve", make_sieve, free)
{
	duel_keep(sieve_count(state));
}
