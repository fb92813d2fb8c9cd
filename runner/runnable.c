#include "runner/runnable.h"

static bool is_command(const struct runnable *runnable)
{
	return runnable->launch->kind == LAUNCH_COMMAND;
}

int runnable_start(struct runnable *runnable, const struct launch *launch,
	const struct launch_offsets *offsets, int cpu, struct err *err)
{
	*runnable = (struct runnable){.launch = launch};
	if (launch->kind == LAUNCH_COMMAND)
		return command_worker_start(&runnable->command, launch, offsets, cpu, err);
	return worker_start(&runnable->worker, launch, offsets, cpu, err);
}

int runnable_ask_list(
	struct runnable *runnable, const struct worker_list *expected, struct err *err)
{
	/* A command's list is its launch: the same each time. */
	return is_command(runnable) ? 0 : worker_ask_list(&runnable->worker, expected, err);
}

const struct worker_list *runnable_list(const struct runnable *runnable)
{
	return is_command(runnable) ? &runnable->command.list : &runnable->worker.list;
}

int runnable_setup(
	struct runnable *runnable, size_t id, struct worker_ready *ready, struct err *err)
{
	if (!is_command(runnable))
		return worker_setup(&runnable->worker, id, ready, err);
	*ready = (struct worker_ready){0, 0};
	return 0;
}

int runnable_teardown(struct runnable *runnable, size_t id, struct err *err)
{
	return is_command(runnable) ? 0 : worker_teardown(&runnable->worker, id, err);
}

int runnable_run(struct runnable *runnable, size_t id, uint64_t iterations, size_t samples,
	struct burst *burst, struct err *err)
{
	if (is_command(runnable))
		return command_worker_run(&runnable->command, iterations, samples, burst, err);
	return worker_run(&runnable->worker, id, iterations, samples, burst, err);
}

double runnable_overhead_ns(const struct runnable *runnable)
{
	return is_command(runnable) ? 0 : (double)worker_overhead_ns(&runnable->worker);
}

uint64_t runnable_protocol_ns(const struct runnable *runnable, size_t samples)
{
	return is_command(runnable) ? 0 : worker_protocol_ns(&runnable->worker, samples);
}

int runnable_cpu_ns(const struct runnable *runnable, uint64_t *ns, struct err *err)
{
	if (!is_command(runnable))
		return sandbox_cpu_ns(&runnable->worker.process, ns, err);
	*ns = 0;
	return 0;
}

unsigned runnable_processes(const struct runnable *runnable)
{
	return !is_command(runnable) && runnable->worker.is_alive;
}

pid_t runnable_pid(const struct runnable *runnable)
{
	return runnable_processes(runnable) > 0 ? runnable->worker.process.pid : -1;
}

bool runnable_is_alive(const struct runnable *runnable)
{
	return is_command(runnable) ? runnable->command.is_alive : runnable->worker.is_alive;
}

int runnable_quit(struct runnable *runnable, uint64_t *involuntary, struct err *err)
{
	struct sandbox_exit ended = {.wait_status = 0};

	if (is_command(runnable)) {
		*involuntary = runnable->command.involuntary;
		return 0;
	}
	if (worker_quit(&runnable->worker, &ended, err) < 0)
		return -1;
	*involuntary = (uint64_t)ended.usage.ru_nivcsw;
	return 0;
}

const char *runnable_tail(struct runnable *runnable)
{
	if (!runnable->launch)
		return "";
	return is_command(runnable) ? command_worker_tail(&runnable->command)
				    : worker_tail(&runnable->worker);
}

int runnable_wrap(const struct runnable *runnable, size_t id, struct err *err)
{
	const struct worker_list *list = runnable_list(runnable);

	if (id < list->count)
		(void)err_wrap(err, "benchmark \"%s\"", list->items[id].name);
	if (is_command(runnable))
		return err_wrap(err, "%s", runnable->launch->side);
	return err_wrap(err, "%s: %s", runnable->launch->side, runnable->launch->label);
}

void runnable_release(struct runnable *runnable)
{
	if (!runnable->launch)
		return;
	command_worker_release(&runnable->command);
	worker_release(&runnable->worker);
	*runnable = (struct runnable){.launch = NULL};
}
