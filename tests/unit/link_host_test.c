#include "runner/link_host.h"

#include "tests/unit/sandbox_fixture.h"

static struct err err;
static volatile sig_atomic_t stop;

/* The cell of this case and a host that runs programs in it. */
static void open_host(struct link_host *host, void **state)
{
	struct fixture *fixture = fixture_open(state, SANDBOX_LINK);

	err = (struct err){0};
	stop = 0;
	if (link_host_init(host, &fixture->cell, fixture->tree, fixture->scratch, &stop, &err) < 0)
		fail_msg("%s", err.text);
}

static unsigned start(struct link_host *host, const char *script)
{
	const char *const argv[] = {"sh", "-c", script, NULL};
	const char *const env[] = {"WORD=said", NULL};
	const struct layout_command command = {
		.argv = argv, .env = env, .cwd = host->calls.scratch_inside};
	unsigned process = 0;

	if (host->calls.start(host->calls.payload, &command, &process, &err) < 0)
		fail_msg("%s", err.text);
	return process;
}

/* The exit status; its output is in `output`, which may have some already. */
static int end(struct link_host *host, unsigned process, struct buf *output)
{
	int wait_status = -1;

	if (host->calls.wait(host->calls.payload, process, output, &wait_status, &err) < 0)
		fail_msg("%s", err.text);
	assert_true(WIFEXITED(wait_status));
	return WEXITSTATUS(wait_status);
}

static void a_program_runs_inside_and_its_output_and_status_come_out(void **state)
{
	struct link_host host;
	AUTO_BUF output = {.bytes_max = 1000};
	unsigned process;
	char wanted[5000];

	open_host(&host, state);
	process = start(&host, "pwd; echo $WORD >&2; exit 5");
	assert_int_equal(end(&host, process, &output), 5);
	(void)snprintf(wanted, sizeof(wanted), "%s\nsaid\n", host.calls.scratch_inside);
	assert_string_equal(buf_text(&output), wanted);
	link_host_release(&host);
}

static void several_run_at_once_and_are_waited_for_in_any_order(void **state)
{
	struct link_host host;
	AUTO_BUF output = {.bytes_max = 1000};
	unsigned first, second, third;

	open_host(&host, state);
	first = start(&host, "while ! test -f second; do :; done; echo first");
	second = start(&host, "touch second; echo second");
	assert_int_not_equal(first, second);
	assert_int_equal(end(&host, second, &output), 0);
	assert_int_equal(end(&host, first, &output), 0);
	assert_string_equal(buf_text(&output), "second\nfirst\n");
	third = start(&host, "true");
	assert_int_equal(end(&host, third, &output), 0);
	link_host_release(&host);
}

static void of_much_output_only_as_much_as_fits_is_taken(void **state)
{
	struct link_host host;
	AUTO_BUF output = {.bytes_max = 20000};

	open_host(&host, state);
	assert_int_equal(end(&host, start(&host, "yes | head -c 1000000"), &output), 0);
	assert_int_equal(output.length, 20000);
	assert_int_equal(end(&host, start(&host, "echo more"), &output), 0);
	assert_int_equal(output.length, 20000);
	link_host_release(&host);
}

static void a_program_that_is_not_there_is_a_reason(void **state)
{
	struct link_host host;
	const char *const argv[] = {"no-such-linker", NULL};
	const struct layout_command command = {.argv = argv};
	unsigned process = 0;

	open_host(&host, state);
	assert_int_equal(host.calls.start(host.calls.payload, &command, &process, &err), -1);
	assert_int_equal(err.kind, ERR_BENCH);
	assert_non_null(strstr(err.text, "no-such-linker"));
	assert_int_equal(end(&host, start(&host, "true"), &(struct buf){.bytes_max = 10}), 0);
	link_host_release(&host);
}

static void what_is_still_under_way_is_let_go_with_the_host(void **state)
{
	struct link_host host;
	struct fixture *fixture = *state;

	open_host(&host, state);
	(void)start(&host, "sleep 1000");
	link_host_release(&host);
	assert_null(host.processes);
	assert_int_equal(sandbox_kill_all(&fixture->cell, &err), 0);
	link_host_release(&host);
}

static void a_link_that_takes_a_while_leaves_no_error(void **state)
{
	struct link_host host;
	AUTO_BUF output = {.bytes_max = 1000};

	open_host(&host, state);
	assert_int_equal(end(&host, start(&host, "sleep 0.3; exit 3"), &output), 3);
	assert_int_equal(err.kind, ERR_NONE);
	link_host_release(&host);
}

static void who_is_told_to_stop_waits_for_no_link(void **state)
{
	struct link_host host;
	struct fixture *fixture = *state;
	AUTO_BUF output = {.bytes_max = 1000};
	unsigned process, count = 1;
	int wait_status;

	open_host(&host, state);
	process = start(&host, "sleep 1000");
	stop = 1;
	assert_int_equal(
		host.calls.wait(host.calls.payload, process, &output, &wait_status, &err), -1);
	assert_int_equal(err.kind, ERR_USAGE);
	assert_string_equal(err.text, "interrupted while linking");
	assert_int_equal(sandbox_population(&fixture->cell, &count, &err), 0);
	assert_int_equal(count, 0);
	link_host_release(&host);
}

#define CASES(tier)                                                                      \
	FIXTURE_CASE(tier, a_program_runs_inside_and_its_output_and_status_come_out),    \
		FIXTURE_CASE(tier, several_run_at_once_and_are_waited_for_in_any_order), \
		FIXTURE_CASE(tier, of_much_output_only_as_much_as_fits_is_taken),        \
		FIXTURE_CASE(tier, a_link_that_takes_a_while_leaves_no_error),           \
		FIXTURE_CASE(tier, who_is_told_to_stop_waits_for_no_link),               \
		FIXTURE_CASE(tier, a_program_that_is_not_there_is_a_reason),             \
		FIXTURE_CASE(tier, what_is_still_under_way_is_let_go_with_the_host)

static int as_user(void)
{
	const struct CMUnitTest tests[] = {CASES(SANDBOX_TIER_USERNS), CASES(SANDBOX_TIER_FLAT)};

	return cmocka_run_group_tests_name("as an ordinary user", tests, NULL, NULL);
}

static int as_root(void)
{
	const struct CMUnitTest tests[] = {CASES(SANDBOX_TIER_ROOT), CASES(SANDBOX_TIER_UID)};

	return cmocka_run_group_tests_name("as root", tests, NULL, NULL);
}

int main(void)
{
	int failed = fixture_as_user(as_user);

	return geteuid() == 0 ? failed + as_root() : failed;
}
