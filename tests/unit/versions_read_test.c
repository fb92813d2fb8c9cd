#include "runner/versions.h"

#include "tests/unit/repository.h"

static void open_at(struct versions *versions, const char *directory, const char *name)
{
	AUTO_STR path = repository_path(directory, name);
	struct err err = {0};

	if (versions_open(versions, path, &err) < 0)
		fail_msg("%s", err.text);
}

static void read_file(
	const char *directory, const struct version *version, const char *path, const char *content)
{
	AUTO_VERSIONS versions;
	struct version resolved = *version;
	struct err err = {0};
	bool found = false;
	AUTO_BUF text;

	buf_init(&text, 100);
	open_at(&versions, directory, "r");
	if (!*resolved.commit)
		assert_int_equal(versions_resolve(&versions, version->ref, &resolved, &err), 0);
	if (versions_read(&versions, &resolved, path, &text, &found, &err) < 0) {
		assert_string_equal(err.text, content);
		return;
	}
	assert_int_equal(found, content != NULL);
	assert_string_equal(buf_text(&text), content ? content : "");
}

static void one_file_is_read_without_an_export(void **state)
{
	const struct version topic = {.ref = "topic"};
	const struct version tree = {.commit = "unused", .worktree = true};

	repository_run(*state, REPOSITORY_TOPIC
		"cd r; ln -s a duel.json; mkdir d; for i in $(seq 100); do echo $i; done >long; "
		"git add .; git commit -qm links; echo now >a; echo fresh >b; mkdir d/x");
	read_file(*state, &topic, "a", "3\n");
	read_file(*state, &topic, "src/s", "s\n");
	read_file(*state, &topic, "src/missing", NULL);
	read_file(*state, &topic, "a/b", NULL);
	read_file(*state, &topic, "duel.json",
		"duel.json is no regular file: put the file itself there, not a link or a "
		"directory");
	read_file(*state, &topic, "src",
		"src is no regular file: put the file itself there, not a link or a directory");
	read_file(*state, &topic, "long", "long: more than 100 bytes");
	read_file(*state, &tree, "a", "now\n");
	read_file(*state, &tree, "b", "fresh\n");
	read_file(*state, &tree, "none/b", NULL);
	read_file(*state, &tree, "duel.json",
		"duel.json is no regular file: put the file itself there, not a link or a "
		"directory");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, repository_setup, repository_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(one_file_is_read_without_an_export),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
