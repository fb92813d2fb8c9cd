/* Data structures: hash tables, a tree, a chain of pointers. */
#include "../suite.h"

#include <stdlib.h>

#define SLOTS 1024 /* of the open table; a power of two */
#define KEYS 600
#define NODES 500
#define CHAIN 2048 /* times a cache line: 128 KiB */

struct open_table {
	uint32_t slots[SLOTS];
	uint32_t keys[KEYS];
};

static uint32_t open_start(uint32_t key)
{
	return key * 2654435761u >> 22;
}

static void *make_open(long value)
{
	struct open_table *table = suite_memory(sizeof(*table));
	uint64_t seed = 97 + (uint64_t)value;
	uint32_t slot;
	int i;

	for (i = 0; i < KEYS; i++) {
		table->keys[i] = 1 + suite_random(&seed, 1u << 30);
		slot = open_start(table->keys[i]);
		while (table->slots[slot])
			slot = (slot + 1) % SLOTS;
		table->slots[slot] = table->keys[i];
	}
	return table;
}

/* Every other key is one that is not there. */
SUITE_STEADY static unsigned open_count(const struct open_table *table)
{
	unsigned found = 0;
	uint32_t key;
	uint32_t slot;
	int i;

	for (i = 0; i < KEYS; i++) {
		key = table->keys[i] + (uint32_t)(i & 1);
		slot = open_start(key);
		while (table->slots[slot] && table->slots[slot] != key)
			slot = (slot + 1) % SLOTS;
		found += table->slots[slot] == key;
	}
	return found;
}

struct link {
	struct link *next;
	uint32_t key;
};

struct chains {
	struct link *heads[64];
};

static void *make_chains(long value)
{
	return suite_memory(sizeof(struct chains) + (size_t)value);
}

/* Put keys in, take them all out again: an allocation and a release each. */
SUITE_STEADY static void chains_fill(struct chains *chains)
{
	struct link *link;
	uint32_t key;
	int i;

	for (key = 1; key < 120; key++) {
		link = malloc(sizeof(*link));
		if (!link)
			exit(2);
		link->key = key;
		link->next = chains->heads[key * 40503u >> 3 & 63];
		chains->heads[key * 40503u >> 3 & 63] = link;
	}
	for (i = 0; i < 64; i++) {
		while ((link = chains->heads[i])) {
			chains->heads[i] = link->next;
			free(link);
		}
	}
}

struct node {
	uint32_t key;
	uint16_t left; /* 0 = none */
	uint16_t right;
};

struct tree {
	struct node nodes[NODES + 1]; /* the root is 1 */
	uint32_t keys[NODES];
};

static void *make_tree(long value)
{
	struct tree *tree = suite_memory(sizeof(*tree));
	uint64_t seed = 101 + (uint64_t)value;
	uint16_t *place;
	uint16_t i;
	uint16_t root = 0;

	for (i = 1; i <= NODES; i++) {
		tree->nodes[i].key = tree->keys[i - 1] = suite_random(&seed, 1u << 30);
		place = &root;
		while (*place)
			place = tree->nodes[i].key < tree->nodes[*place].key
					? &tree->nodes[*place].left
					: &tree->nodes[*place].right;
		*place = i;
	}
	return tree;
}

SUITE_STEADY static unsigned tree_count(const struct tree *tree)
{
	unsigned found = 0;
	unsigned at;
	int i;

	for (i = 0; i < NODES; i += 2) {
		at = 1;
		while (at && tree->nodes[at].key != tree->keys[i])
			at = tree->keys[i] < tree->nodes[at].key ? tree->nodes[at].left
								 : tree->nodes[at].right;
		found += at != 0;
	}
	return found;
}

struct chain {
	struct chain *next;
	char rest[64 - sizeof(void *)];
};

/* One ring through all lines in random order (Sattolo). */
static void *make_chain(long value)
{
	struct chain *chain = suite_memory(CHAIN * sizeof(*chain));
	uint32_t *order = suite_memory(CHAIN * sizeof(*order));
	uint64_t seed = 107 + (uint64_t)value;
	uint32_t other;
	uint32_t swapped;
	uint32_t i;

	for (i = 0; i < CHAIN; i++)
		order[i] = i;
	for (i = CHAIN - 1; i > 0; i--) {
		other = suite_random(&seed, i);
		swapped = order[i];
		order[i] = order[other];
		order[other] = swapped;
	}
	for (i = 0; i < CHAIN; i++)
		chain[order[i]].next = &chain[order[(i + 1) % CHAIN]];
	free(order);
	return chain;
}

SUITE("table: open", make_open, free)
{
	duel_keep(open_count(state));
}

SUITE("table: chained", make_chains, free)
{
	chains_fill(state);
	duel_keep(state);
}

SUITE("tree: look up", make_tree, free)
{
	duel_keep(tree_count(state));
}

SUITE("memory: chase pointers", make_chain, free)
{
	const struct chain *at = state;
	int i;

	for (i = 0; i < 2 * CHAIN; i++)
		at = at->next;
	duel_keep(at);
}
