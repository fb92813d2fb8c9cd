#include "runner/config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define WORKER "\"benchmarks\": [{\"worker\": \"duel/bench\"}]"

static void parse(struct config *config, const char *text)
{
	struct err err = {0};

	if (config_parse(config, text, strlen(text), "duel.json", &err) < 0)
		fail_msg("%s", err.text);
}

static void refuse(const char *text, const char *message)
{
	struct config config = {0};
	struct err err = {0};

	assert_int_equal(config_parse(&config, text, strlen(text), "duel.json", &err), -1);
	assert_string_equal(err.text, message);
	assert_int_equal(err.kind, ERR_CONFIG);
	assert_int_equal(err_exit_status(ERR_CONFIG), 2);
}

static void a_full_file_with_comments_is_read(void **state)
{
	static const char text[] =
		"\xef\xbb\xbf{ // what to build\n"
		"  \"build\": \"make -C duel bench # not // a comment\", /* two\n lines */\n"
		"  \"setup\": \"./configure\\n\",\n"
		"  \"overlay\": [\"./duel//\", \"a/./b\"],\n"
		"  \"benchmarks\": [\n"
		"    { \"worker\": \"duel/bench\", \"name\": \"main\" },\n"
		"    { \"name\": \"cli: big file\", \"command\": [\"./tool\", \"\", "
		"\"big.json\"],\n"
		"      \"stdin\": \"x\", \"counts\": [\"instructions\", \"syscalls\"] }\n"
		"  ],\n"
		"  \"watch\": [\"src/**\", \"duel.json\"],\n"
		"  \"limits\": { \"cpu\": 1.03, \"instructions\": 1, \"allocations\": 2,\n"
		"    \"allocated_bytes\": 1.5, \"syscalls\": 3 },\n"
		"  \"across\": 1.01, \"confidence\": 0.95, \"budget_s\": 8, \"strict\": true,\n"
		"  \"override\": [ { \"match\": \"uri:*\", \"limits\": { \"cpu\": 1.05 } } ],\n"
		"  \"needs\": [\"loopback\"]\n"
		"}\n";
	AUTO_CONFIG config = {0};

	(void)state;
	parse(&config, text);
	assert_string_equal(config.build, "make -C duel bench # not // a comment");
	assert_string_equal(config.setup, "./configure\n");
	assert_int_equal(config.overlay.count, 2);
	assert_string_equal(config.overlay.items[0], "duel");
	assert_string_equal(config.overlay.items[1], "a/b");
	assert_null(config.overlay.items[2]);
	assert_int_equal(config.benchmarks_count, 2);
	assert_int_equal(config.benchmarks[0].kind, CONFIG_WORKER);
	assert_string_equal(config.benchmarks[0].worker, "duel/bench");
	assert_string_equal(config.benchmarks[0].name, "main");
	assert_int_equal(config.benchmarks[1].kind, CONFIG_COMMAND);
	assert_int_equal(config.benchmarks[1].command.count, 3);
	assert_string_equal(config.benchmarks[1].command.items[1], "");
	assert_string_equal(config.benchmarks[1].stdin_text, "x");
	assert_int_equal(config.benchmarks[1].counts, CONFIG_INSTRUCTIONS | CONFIG_SYSCALLS);
	assert_int_equal(config.watch.count, 2);
	assert_true(config.limits.cpu == 1.03 && config.limits.instructions == 1 &&
		    config.limits.allocations == 2 && config.limits.allocated_bytes == 1.5 &&
		    config.limits.syscalls == 3);
	assert_true(config.across == 1.01 && config.confidence == 0.95 && config.budget_s == 8);
	assert_true(config.strict);
	assert_int_equal(config.overrides_count, 1);
	assert_int_equal(config.needs, CONFIG_NEEDS_LOOPBACK);
}

static void what_is_left_out_has_the_defaults(void **state)
{
	AUTO_CONFIG config = {0};

	(void)state;
	parse(&config, "{" WORKER "}");
	assert_true(config.limits.cpu == 1.02 && config.limits.instructions == 1.005 &&
		    config.limits.allocations == 0 && config.limits.allocated_bytes == 1.02 &&
		    config.limits.syscalls == 0 && !config.limits.counts_only);
	assert_true(config.across == 1.005 && config.confidence == 0.99 && config.budget_s == 20);
	assert_null(config.build);
	assert_null(config.benchmarks[0].name);
	assert_int_equal(config.watch.count, 0);
	assert_false(config.strict);
}

static void broken_json_is_named_with_its_line(void **state)
{
	(void)state;
	refuse("", "duel.json:1: the file is empty: at least {\"benchmarks\": [...]} is wanted");
	refuse(" \n // nothing\n",
		"duel.json:3: the file is empty: at least {\"benchmarks\": [...]} is wanted");
	refuse("[]", "duel.json:1: the document must be an object: {\"benchmarks\": [...]}");
	refuse("{\n\"build\": \"make\",\n}\n", "duel.json:2: one comma too many in front of '}'");
	refuse("{\"watch\": [\"a\",\n \"b\",\n]}",
		"duel.json:2: one comma too many in front of ']'");
	refuse("{\n\"build\": \"make\"\n\"setup\": \"x\"}",
		"duel.json:2: a comma or colon is missing in front of: \"setup\": \"x\"}");
	refuse("{\"across\" 1}", "duel.json:1: a comma or colon is missing in front of: 1}");
	refuse("{\n build: \"make\"}", "duel.json:2: this is not JSON: build: \"make\"}");
	refuse("{\"build\": 'make'}", "duel.json:1: this is not JSON: 'make'}");
	refuse("{\"strict\": True}", "duel.json:1: this is not JSON: True}");
	refuse("{\n\"build\": \"make\"\n",
		"duel.json:2: the text ends before every bracket is closed");
	refuse("{}\n}", "duel.json:2: this is not JSON: }");
}

static void what_the_json_parser_would_let_pass_is_refused(void **state)
{
	static const char zero[] = "{\"build\": \0 1}";
	char deep[64] = "{\"build\": [[[[[[[[[[[[[[[[[";
	struct config config = {0};
	struct err err = {0};

	(void)state;
	refuse("{\n\"build\": \"make,\n\"across\": 1}",
		"duel.json:2: a string is not closed on its line: the quote is missing, or a line "
		"break "
		"or tab in it must be written \\n or \\t");
	refuse("{\n\n/* build", "duel.json:3: this comment never ends: close it with */");
	refuse("{\"build\": \"a\\u0000b\"}", "duel.json:1: a string may not hold \\u0000");
	refuse("{\n\"build\"\x05: 1}", "duel.json:2: a control character: this is not a text file");
	refuse(deep, "duel.json:1: brackets are nested too deep");
	assert_int_equal(config_parse(&config, zero, sizeof(zero) - 1, "duel.json", &err), -1);
	assert_string_equal(err.text, "duel.json:1: a control character: this is not a text file");
}

static void a_file_too_large_is_refused_unread(void **state)
{
	char *text = calloc(1, CONFIG_BYTES_MAX + 1);
	struct config config = {0};
	struct err err = {0};

	(void)state;
	assert_non_null(text);
	assert_int_equal(config_parse(&config, text, CONFIG_BYTES_MAX + 1, "duel.json", &err), -1);
	assert_string_equal(err.text, "duel.json: larger than 1048576 bytes");
	free(text);
}

static void unknown_and_repeated_keys_are_named(void **state)
{
	(void)state;
	refuse("{\n" WORKER ",\n\"bild\": \"make\"}",
		"duel.json:3: bild: unknown key: did you mean \"build\"?");
	refuse("{\"colour\": 1}",
		"duel.json:1: colour: unknown key: give one of build, setup, overlay, benchmarks, "
		"watch, limits, across, confidence, budget_s, override, needs, strict");
	refuse("{\"limits\": {\n\"cpus\": 1.1}}",
		"duel.json:2: limits.cpus: unknown key: did you mean \"cpu\"?");
	refuse("{\"limits\": {\n\"cpu\": 1.1,\n\"cpu\": 1.2}}",
		"duel.json:3: limits.cpu: given twice: keep one of the two");
	refuse("{\"a\\u001bb\": 1}",
		"duel.json:1: a?b: unknown key: give one of build, setup, overlay, benchmarks, "
		"watch, "
		"limits, across, confidence, budget_s, override, needs, strict");
}

static void numbers_have_a_type_and_a_range(void **state)
{
	(void)state;
	refuse("{\n\n\n\n\n \"limits\": {\n \"cpu\": 0.5 } }",
		"duel.json:7: limits.cpu: 0.5 is out of range: give a ratio from 1.001 to 10");
	refuse("{\"limits\": {\"cpu\": \"1.02\"}}",
		"duel.json:1: limits.cpu: found a string: give a ratio from 1.001 to 10");
	refuse("{\"limits\": {\"instructions\": 0}}",
		"duel.json:1: limits.instructions: 0 is out of range: give a ratio from 1 to 10");
	refuse("{\"limits\": {\"syscalls\": -1}}", "duel.json:1: limits.syscalls: -1 is out of "
						   "range: give how many more an iteration may "
						   "do, from 0 to 1000000");
	refuse("{\"limits\": []}", "duel.json:1: limits: found a list: give an object of limits, "
				   "for instance {\"cpu\": "
				   "1.02}");
	refuse("{\"across\": 1}",
		"duel.json:1: across: 1 is out of range: give a ratio from 1.001 to 10");
	refuse("{\"confidence\": 1}",
		"duel.json:1: confidence: 1 is out of range: give a confidence from 0.9 to 0.9999");
	refuse("{\"budget_s\": 1e999}",
		"duel.json:1: budget_s: inf is out of range: give seconds from 1 to 3600");
	refuse("{\"strict\": 1}", "duel.json:1: strict: found a number: give true or false");
}

static void texts_are_checked(void **state)
{
	(void)state;
	refuse("{\"build\": [\"make\"]}",
		"duel.json:1: build: found a list: give a command for /bin/sh as a string");
	refuse("{\"build\": \"\"}",
		"duel.json:1: build: empty: give a command for /bin/sh as a string");
	refuse("{\"watch\": \"src\"}",
		"duel.json:1: watch: found a string: give a list of strings");
	refuse("{\"watch\": [\"a\",\n null]}", "duel.json:2: watch[1]: found null: give a string");
	refuse("{\"watch\": [\"\xff\"]}", "duel.json:1: watch[0]: holds control, invisible or "
					  "broken characters: give plain UTF-8 "
					  "text");
	refuse("{\"needs\": [\"loopbak\"]}",
		"duel.json:1: needs[0]: unknown: did you mean \"loopback\"?");
	refuse("{\"needs\": [1]}", "duel.json:1: needs[0]: unknown: give \"loopback\"");
}

static void paths_stay_inside_the_tree(void **state)
{
	(void)state;
	refuse("{\"overlay\": [\"/etc\"]}", "duel.json:1: overlay[0]: \"/etc\" is no path inside "
					    "the tree: give one relative to the "
					    "repository's top, without \"..\"");
	refuse("{\"overlay\": [\"a\", \"duel/../..\"]}",
		"duel.json:1: overlay[1]: \"duel/../..\" is no path inside the tree: give one "
		"relative "
		"to the repository's top, without \"..\"");
	refuse("{\"overlay\": [\"./\"]}", "duel.json:1: overlay[0]: \"./\" is no path inside the "
					  "tree: give one relative to the "
					  "repository's top, without \"..\"");
	refuse("{\"benchmarks\": [{\"worker\": \".GIT/x\"}]}",
		"duel.json:1: benchmarks[0].worker: \".GIT/x\" is no path inside the tree: give "
		"one "
		"relative to the repository's top, without \"..\"");
}

static void benchmarks_are_checked(void **state)
{
	(void)state;
	refuse("{\n\"build\": \"make\"\n}",
		"duel.json:1: \"benchmarks\" is missing: give a list, for instance [{\"worker\": "
		"\"duel/bench\"}]");
	refuse("{\"benchmarks\": []}", "duel.json:1: benchmarks: found an empty list: give a list "
				       "with at least one benchmark, "
				       "for instance [{\"worker\": \"duel/bench\"}]");
	refuse("{\"benchmarks\": [\n{\"worker\": \"a\"},\n{\"name\": \"x\"}]}",
		"duel.json:3: benchmarks[1]: nothing to run: give a \"worker\" or a \"command\"");
	refuse("{\"benchmarks\": [\"duel/bench\"]}", "duel.json:1: benchmarks[0]: found a string: "
						     "give an object, for instance {\"worker\": "
						     "\"duel/bench\"}");
	refuse("{\"benchmarks\": [{\"google-benchmark\": \"build/bench\"}]}",
		"duel.json:1: benchmarks[0].google-benchmark: not supported yet by this version: "
		"give a "
		"\"worker\" or a \"command\"");
	refuse("{\"benchmarks\": [{\"worker\": \"a\", \"command\": [\"b\"]}]}",
		"duel.json:1: benchmarks[0].command: not for a worker: leave out either \"worker\" "
		"or "
		"this");
	refuse("{\"benchmarks\": [{\"command\": [\"b\"]}]}",
		"duel.json:1: benchmarks[0]: \"name\" is missing: a command's benchmark needs one");
	refuse("{\"benchmarks\": [{\"name\": \"n\", \"command\": []}]}",
		"duel.json:1: benchmarks[0].command: no program: give a list like [\"./tool\", "
		"\"big.json\"]");
	refuse("{\"benchmarks\": [{\"name\": \"n\", \"command\": [\"b\"], \"counts\": "
	       "[\"time\"]}]}",
		"duel.json:1: benchmarks[0].counts[0]: unknown: give some of \"instructions\", "
		"\"allocations\", \"allocated_bytes\", \"syscalls\"");
	refuse("{\"benchmarks\": [{\"name\": \"n\", \"command\": [\"b\"]},\n"
	       "{\"name\": \"n\", \"command\": [\"c\"]}]}",
		"duel.json:2: benchmarks[1]: benchmarks[0] has the name \"n\" already");
}

static void overrides_are_checked(void **state)
{
	(void)state;
	refuse("{\"override\": [{\"limits\": {\"cpu\": 1.1}}]}",
		"duel.json:1: override[0]: \"match\" is missing: give the names it is for, for "
		"instance "
		"\"parse: *\"");
	refuse("{\"override\": [{\"match\": \"a\"}]}",
		"duel.json:1: override[0]: it changes nothing: give \"limits\" or \"counts_only\"");
	refuse("{\"override\": [{\"match\": \"a\",\n\"limits\":\n{\n\"cpu\":\n1}}]}",
		"duel.json:4: override[0].limits.cpu: 1 is out of range: give a ratio from 1.001 "
		"to 10");
}

static void names_have_a_maximum(void **state)
{
	char text[CONFIG_NAME_BYTES_MAX + 100] = "{\"override\": [{\"match\": \"";
	size_t length = strlen(text);

	(void)state;
	memset(text + length, 'n', CONFIG_NAME_BYTES_MAX + 1);
	strcpy(text + length + CONFIG_NAME_BYTES_MAX + 1, "\"}]}");
	refuse(text, "duel.json:1: override[0].match: 201 bytes long: give at most 200");
}

static void too_many_benchmarks_are_refused(void **state)
{
	struct config config = {0};
	struct err err = {0};
	AUTO_BUF text;

	(void)state;
	buf_init(&text, CONFIG_BYTES_MAX);
	assert_int_equal(buf_append_str(&text, "{\"benchmarks\": [", &err), 0);
	for (int i = 0; i <= CONFIG_BENCHMARKS_MAX; i++)
		assert_int_equal(
			buf_printf(&text, &err, "%s{\"worker\": \"w%d\"}", i ? "," : "", i), 0);
	assert_int_equal(buf_append_str(&text, "]}", &err), 0);
	assert_int_equal(config_parse(&config, text.data, text.length, "duel.json", &err), -1);
	assert_string_equal(
		err.text, "duel.json:1: benchmarks: 4097 benchmarks: give at most 4096");
}

static void the_last_override_that_matches_wins_member_by_member(void **state)
{
	AUTO_CONFIG config = {0};
	struct limits limits;

	(void)state;
	parse(&config, "{" WORKER ", \"override\": ["
		       "{\"match\": \"uri:*\", \"limits\": {\"cpu\": 1.05, \"syscalls\": 4}},"
		       "{\"match\": \"*TCP*\", \"counts_only\": true},"
		       "{\"match\": \"uri: big*\", \"limits\": {\"cpu\": 1.5}}]}");
	config_effective_limits(&config, "parse", &limits);
	assert_true(limits.cpu == 1.02 && limits.syscalls == 0 && !limits.counts_only);
	config_effective_limits(&config, "uri: big TCP", &limits);
	assert_true(limits.cpu == 1.5 && limits.syscalls == 4 && limits.counts_only);
	config_effective_limits(&config, "uri: small", &limits);
	assert_true(limits.cpu == 1.05 && limits.syscalls == 4 && !limits.counts_only);
}

static void gate(struct config *effective, const struct config *baseline,
	const struct config *candidate, const char *changes_wanted)
{
	struct err err = {0};
	AUTO_BUF changes;

	buf_init(&changes, 10000);
	assert_int_equal(config_gate(effective, baseline, candidate, &changes, &err), 0);
	assert_string_equal(buf_text(&changes), changes_wanted);
}

static void a_candidate_cannot_loosen_its_own_gate(void **state)
{
	AUTO_CONFIG baseline = {0};
	AUTO_CONFIG candidate = {0};
	AUTO_CONFIG effective = {0};

	(void)state;
	parse(&baseline, "{" WORKER ", \"build\": \"old\", \"watch\": [\"src/**\", \"lib/**\"],"
			 "\"limits\": {\"cpu\": 1.03}, \"strict\": true, \"override\": ["
			 "{\"match\": \"a\", \"limits\": {\"cpu\": 1.1}},"
			 "{\"match\": \"b\", \"counts_only\": false},"
			 "{\"match\": \"c\", \"counts_only\": true}]}");
	parse(&candidate, "{\"benchmarks\": [{\"worker\": \"moved/bench\"}], \"build\": \"new\","
			  "\"watch\": [\"lib/**\", \"docs/**\"], \"budget_s\": 40,"
			  "\"limits\": {\"cpu\": 3, \"allocations\": 9}, \"across\": 2,"
			  "\"confidence\": 0.9, \"override\": ["
			  "{\"match\": \"a\", \"limits\": {\"cpu\": 9}},"
			  "{\"match\": \"b\", \"counts_only\": true},"
			  "{\"match\": \"*\", \"counts_only\": true}]}");
	gate(&effective, &baseline, &candidate,
		"limits.cpu: 1.03 on the baseline (in force), 3 on the candidate\n"
		"limits.allocations: 0 on the baseline (in force), 9 on the candidate\n"
		"across: 1.005 on the baseline (in force), 2 on the candidate\n"
		"confidence: 0.99 on the baseline (in force), 0.9 on the candidate\n"
		"budget_s: 20 on the baseline (in force), 40 on the candidate\n"
		"strict: true on the baseline (in force), false on the candidate\n"
		"watch: only the candidate has \"docs/**\" (not in force)\n"
		"watch: the candidate drops \"src/**\" (still in force)\n"
		"override \"a\": cpu: 1.1 on the baseline (in force), 9 on the candidate\n"
		"override \"b\": counts_only: false on the baseline (in force), true on the "
		"candidate\n"
		"override: only the candidate has \"*\" (not in force)\n"
		"override: the candidate drops \"c\" (still in force)\n");
	assert_true(effective.limits.cpu == 1.03 && effective.across == 1.005 && effective.strict);
	assert_int_equal(effective.overrides_count, 3);
	assert_string_equal(effective.watch.items[0], "src/**");
	assert_string_equal(effective.build, "new");
	assert_string_equal(effective.benchmarks[0].worker, "moved/bench");
	assert_true(effective.budget_s == 20);
}

static void reordered_overrides_are_said(void **state)
{
	AUTO_CONFIG baseline = {0};
	AUTO_CONFIG candidate = {0};
	AUTO_CONFIG effective = {0};

	(void)state;
	parse(&baseline, "{" WORKER ", \"override\": [{\"match\": \"a\", \"counts_only\": false},"
			 "{\"match\": \"*\", \"counts_only\": true}]}");
	parse(&candidate, "{" WORKER ", \"override\": [{\"match\": \"*\", \"counts_only\": true},"
			  "{\"match\": \"a\", \"counts_only\": false}]}");
	gate(&effective, &baseline, &candidate,
		"override: the candidate orders them differently (the baseline's order is in "
		"force)\n");
}

static void equal_gates_say_nothing(void **state)
{
	AUTO_CONFIG baseline = {0};
	AUTO_CONFIG candidate = {0};
	AUTO_CONFIG effective = {0};

	(void)state;
	parse(&baseline, "{" WORKER ", \"limits\": {\"cpu\": 1.02}}");
	parse(&candidate, "{" WORKER "}");
	gate(&effective, &baseline, &candidate, "");
}

static void without_a_baseline_file_the_candidate_s_gate_holds(void **state)
{
	AUTO_CONFIG candidate = {0};
	AUTO_CONFIG effective = {0};

	(void)state;
	parse(&candidate, "{" WORKER ", \"limits\": {\"cpu\": 1.5}}");
	gate(&effective, NULL, &candidate, "");
	assert_true(effective.limits.cpu == 1.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_file_with_comments_is_read),
		cmocka_unit_test(what_is_left_out_has_the_defaults),
		cmocka_unit_test(broken_json_is_named_with_its_line),
		cmocka_unit_test(what_the_json_parser_would_let_pass_is_refused),
		cmocka_unit_test(a_file_too_large_is_refused_unread),
		cmocka_unit_test(unknown_and_repeated_keys_are_named),
		cmocka_unit_test(numbers_have_a_type_and_a_range),
		cmocka_unit_test(texts_are_checked),
		cmocka_unit_test(paths_stay_inside_the_tree),
		cmocka_unit_test(benchmarks_are_checked),
		cmocka_unit_test(overrides_are_checked),
		cmocka_unit_test(names_have_a_maximum),
		cmocka_unit_test(too_many_benchmarks_are_refused),
		cmocka_unit_test(the_last_override_that_matches_wins_member_by_member),
		cmocka_unit_test(a_candidate_cannot_loosen_its_own_gate),
		cmocka_unit_test(reordered_overrides_are_said),
		cmocka_unit_test(equal_gates_say_nothing),
		cmocka_unit_test(without_a_baseline_file_the_candidate_s_gate_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
