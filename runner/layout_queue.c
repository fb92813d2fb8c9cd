#include "runner/layout_queue.h"

/* Is it this link that cannot be used, or the machine? */
static bool is_unusable(const struct err *err)
{
	return err->kind == ERR_BUILD || err->kind == ERR_BENCH || err->kind == ERR_LIMIT;
}

/* A failed link: passed over, or an error to end with. */
static int pass_over(
	struct layout_queue *queue, unsigned index, const struct err *failure, struct err *err)
{
	queue->usable[index] = false;
	queue->failure = *failure;
	if (is_unusable(failure))
		return 0;
	*err = *failure;
	return -1;
}

static int start_batch(struct layout_queue *queue, unsigned count,
	bool started[2][LAYOUT_QUEUE_BATCH], struct err *err)
{
	struct err failure;

	for (unsigned i = 0; i < count; i++) {
		queue->usable[i] = true;
		for (unsigned s = 0; s < 2; s++) {
			if (layout_link_start(queue->sides[s], queue->next_number + i,
				    &queue->sets[s][i], &failure) == 0)
				started[s][i] = true;
			else if (pass_over(queue, i, &failure, err) < 0)
				return -1;
		}
	}
	return 0;
}

/* Every link that was started is waited for, whatever became of the others. */
static int link_batch(struct layout_queue *queue, unsigned count, struct err *err)
{
	bool started[2][LAYOUT_QUEUE_BATCH] = {{false}};
	int result = start_batch(queue, count, started, err);

	for (unsigned s = 0; s < 2; s++) {
		for (unsigned i = 0; i < count; i++) {
			struct err failure, ignored;

			if (!started[s][i] || layout_link_finish(queue->sides[s],
						      &queue->sets[s][i], &failure) == 0)
				continue;
			if (pass_over(queue, i, &failure, result == 0 ? err : &ignored) < 0)
				result = -1;
		}
	}
	queue->next_number += count;
	queue->made += count;
	queue->linked = count;
	queue->used = 0;
	return result;
}

static unsigned batch_of(unsigned wanted)
{
	if (wanted < LAYOUT_QUEUE_LEAST)
		return LAYOUT_QUEUE_LEAST;
	return wanted < LAYOUT_QUEUE_BATCH ? wanted : LAYOUT_QUEUE_BATCH;
}

int layout_queue_take(
	struct layout_queue *queue, unsigned wanted, struct layout_set sets[2], struct err *err)
{
	for (;;) {
		unsigned index;

		if (queue->used == queue->linked && link_batch(queue, batch_of(wanted), err) < 0)
			return -1;
		index = queue->used++;
		for (unsigned s = 0; s < 2; s++) {
			sets[s] = queue->sets[s][index];
			queue->sets[s][index] = (struct layout_set){0};
		}
		if (queue->usable[index]) {
			queue->failed_in_row = 0;
			return 0;
		}
		layout_set_release(&sets[0]);
		layout_set_release(&sets[1]);
		queue->failed++;
		if (++queue->failed_in_row < LAYOUT_QUEUE_FAILURES_MAX)
			continue;
		return err_set(err, ERR_BUILD, "%u layouts in a row could not be linked: %s",
			LAYOUT_QUEUE_FAILURES_MAX, queue->failure.text);
	}
}

void layout_queue_release(struct layout_queue *queue)
{
	for (unsigned s = 0; s < 2; s++) {
		for (unsigned i = 0; i < LAYOUT_QUEUE_BATCH; i++)
			layout_set_release(&queue->sets[s][i]);
	}
	queue->used = queue->linked = 0;
}
