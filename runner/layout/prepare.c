#include "runner/layout/layout.h"

#include "runner/layout/trial.h"

#include <stdio.h>
#include <string.h>

/* One kind of trial, over all that it may concern. */
struct step {
	int (*start)(struct trial *trial, struct err *err);
	int (*finish)(struct trial *trial, struct err *err);
};

/* Trials under way: a ring, the oldest is waited for first. */
struct queue {
	const struct step *step;
	struct trial trials[LAYOUT_AT_ONCE];
	size_t first, count;
	int result;
	struct err *err; /* the first error; all that was started is still waited for */
};

static void queue_note(struct queue *queue, int result, const struct err *err)
{
	if (result == 0 || queue->result < 0)
		return;
	queue->result = -1;
	*queue->err = *err;
}

static void queue_finish_one(struct queue *queue)
{
	struct err err = {0};
	int result = queue->step->finish(&queue->trials[queue->first], &err);

	queue->first = (queue->first + 1) % LAYOUT_AT_ONCE;
	queue->count--;
	queue_note(queue, result, &err);
}

static void queue_start(struct queue *queue, struct trial trial)
{
	struct err err = {0};

	if (queue->result < 0)
		return;
	if (queue->count == LAYOUT_AT_ONCE)
		queue_finish_one(queue);
	queue_note(queue, queue->step->start(&trial, &err), &err);
	if (trial.started)
		queue->trials[(queue->first + queue->count++) % LAYOUT_AT_ONCE] = trial;
}

static int queue_end(struct queue *queue)
{
	while (queue->count > 0)
		queue_finish_one(queue);
	return queue->result;
}

/* Every target of every side, once. */
static int run_links(
	struct layout_side *const *sides, size_t count, const struct step *step, struct err *err)
{
	struct queue queue = {.step = step, .err = err};

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < sides[i]->count && sides[i]->reason[0] == '\0'; j++)
			queue_start(&queue, (struct trial){.target = &sides[i]->targets[j]});
	return queue_end(&queue);
}

/* Every archive of every target of every side, once for this instance. */
static int run_archives(struct layout_side *const *sides, size_t count, const struct step *step,
	size_t instance, struct err *err)
{
	struct queue queue = {.step = step, .err = err};

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < sides[i]->count && sides[i]->reason[0] == '\0'; j++) {
			struct layout_target *target = &sides[i]->targets[j];

			for (size_t k = 0; k < target->archives.count; k++)
				queue_start(&queue, (struct trial){.target = target,
							    .archive = k,
							    .instance = instance});
		}
	return queue_end(&queue);
}

/* A side's reason is its first target's that has one. */
static void take_reasons(struct layout_side *const *sides, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < sides[i]->count && sides[i]->reason[0] == '\0'; j++)
			if (sides[i]->targets[j].reason[0] != '\0')
				(void)snprintf(sides[i]->reason, sizeof(sides[i]->reason),
					"%.100s: %.290s", sides[i]->targets[j].path,
					sides[i]->targets[j].reason);
}

int layout_prepare(struct layout_side *const *sides, size_t count, struct err *err)
{
	static const struct step repeats[] = {
		{trial_repeat_start, trial_repeat_finish}, {trial_again_start, trial_again_finish}};
	static const struct step list = {trial_list_start, trial_list_finish};
	static const struct step extract = {trial_extract_start, trial_extract_finish};
	static const struct step padded[] = {
		{trial_pads_start, trial_pads_finish}, {trial_plain_start, trial_plain_finish}};

	take_reasons(sides, count);
	for (size_t i = 0; i < ARRAY_LENGTH(repeats); i++)
		if (run_links(sides, count, &repeats[i], err) < 0)
			return -1;
	if (run_archives(sides, count, &list, 0, err) < 0)
		return -1;
	for (size_t instance = 0; instance <= REPLAY_SAME_NAMES_MAX; instance++)
		if (run_archives(sides, count, &extract, instance, err) < 0)
			return -1;
	for (size_t i = 0; i < ARRAY_LENGTH(padded); i++)
		if (run_links(sides, count, &padded[i], err) < 0)
			return -1;
	take_reasons(sides, count);
	return 0;
}
