#include "runner/tree_export.h"

#include "runner/tree.h"
#include "tests/unit/repository.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#define MODIFIED_S 1600000000

/* Export `ref` (NULL = the working tree) of a repository into "out"; gives the error's text. */
static void export_from(const char *directory, const char *repository, const char *ref,
	struct tree_export *out, struct err *err)
{
	AUTO_STR path = repository_path(directory, repository);
	AUTO_STR target = repository_path(directory, "out");
	AUTO_VERSIONS versions = {0};
	struct version version = {0};
	AUTO_FD root = -1;
	int result;

	assert_int_equal(io_remove_tree(target, err), 0);
	assert_int_equal(mkdir(target, 0755), 0);
	assert_int_equal(tree_open(&root, target, err), 0);
	assert_int_equal(versions_open(&versions, path, err), 0);
	assert_int_equal(versions_resolve(&versions, ref ? ref : "HEAD", &version, err), 0);
	version.worktree = !ref;
	result = tree_export(out, &versions, &version, root, MODIFIED_S, err);
	assert_int_equal(result, err->kind == ERR_NONE ? 0 : -1);
}

static void export(const char *directory, const char *ref, struct tree_export *out)
{
	struct err err = {0};

	export_from(directory, "r", ref, out, &err);
	if (err.kind != ERR_NONE)
		fail_msg("%s", err.text);
}

static void refuse(
	const char *directory, const char *repository, const char *ref, const char *message)
{
	struct tree_export out;
	struct err err = {0};

	export_from(directory, repository, ref, &out, &err);
	assert_string_equal(err.text, message);
	assert_int_equal(err.kind, ERR_VERSION);
}

static void expect_notes(const struct tree_export *exported, const char *wanted)
{
	struct err err = {0};
	AUTO_BUF notes;

	buf_init(&notes, 4000);
	assert_int_equal(tree_export_notes(exported, "candidate", &notes, &err), 0);
	assert_string_equal(buf_text(&notes), wanted);
}

static void files_links_and_modes_arrive(void **state)
{
	struct tree_export out;
	struct stat status;

	repository_run(*state,
		"git init -q r; cd r; printf 'a\\nb\\n' >plain; echo x >run; chmod 755 run; "
		"mkdir -p 'with space/deep'; echo d >'with space/deep/file'; : >empty; "
		"ln -s ../../plain 'with space/deep/up'; ln -s deep/file 'with space/down'; "
		"ln -s nowhere dangling; printf '* text eol=crlf\\nplain export-ignore ident\\n' "
		">.gitattributes; git add .; git commit -qm one; rm plain");
	export(*state, "HEAD", &out);
	assert_int_equal(out.files, 5);
	assert_int_equal(out.links, 3);
	expect_notes(&out, "");
	repository_run(*state,
		"cd out; printf 'a\\nb\\n' | cmp - plain; test -x run; test ! -x plain; "
		"test \"$(cat 'with space/deep/up')\" = \"$(cat plain)\"; "
		"test \"$(cat 'with space/down')\" = d; test \"$(readlink dangling)\" = nowhere; "
		"test ! -e .git; test -f empty; test $(find . -type f | wc -l) = 5; "
		"test \"$(stat -c %a plain run 'with space' | tr '\\n' ' ')\" = '644 755 755 '");
	AUTO_STR path = repository_path(*state, "out/with space/deep/file");
	assert_int_equal(stat(path, &status), 0);
	assert_true(status.st_mtim.tv_sec == MODIFIED_S && status.st_mtim.tv_nsec == 0);
}

static void links_that_leave_the_tree_are_left_out_and_said(void **state)
{
	struct tree_export out;

	repository_run(*state,
		"git init -q r; cd r; mkdir d; echo in >d/in; ln -s /etc/passwd absolute; "
		"ln -s ../d/in d/good; ln -s ../../x d/above; ln -s in/../../../x d/roundabout; "
		"ln -s .. top; git add .; git commit -qm one");
	export(*state, "HEAD", &out);
	assert_int_equal(out.links, 1);
	assert_int_equal(out.links_left_out, 4);
	expect_notes(
		&out, "candidate: 4 symbolic links out of the tree left out (first: absolute)\n");
	repository_run(*state, "cd out; test \"$(cat d/good)\" = in; test ! -L absolute; "
			       "test ! -L d/above; test ! -L top");
}

static void names_are_bytes(void **state)
{
	struct tree_export out;

	repository_run(*state,
		"git init -q r; cd r; printf x >\"$(printf 'new\\nline')\"; "
		"printf y >\"$(printf 'bad\\377utf8')\"; printf z >'-rf'; printf w >'*'; "
		"printf q >\"$(printf '\\342\\202\\254 \\001')\"; git add -A; git commit -qm one");
	export(*state, "HEAD", &out);
	assert_int_equal(out.files, 5);
	repository_run(*state,
		"cd out; test \"$(cat \"$(printf 'new\\nline')\")\" = x; "
		"test \"$(cat \"$(printf 'bad\\377utf8')\")\" = y; test \"$(cat ./-rf)\" = z; "
		"test \"$(cat './*')\" = w");
}

/* 17 directories of 235 bytes: no path the kernel takes from the root reaches the file. */
static void paths_of_four_thousand_bytes_arrive(void **state)
{
	AUTO_STR out_path = repository_path(*state, "out");
	char component[236];
	char path[4200] = "";
	struct tree_export out;
	struct err err = {0};
	AUTO_FD root = -1;
	AUTO_FD directory = -1;
	AUTO_FD file = -1;
	struct stat status;
	const char *name;

	memset(component, 'd', 235);
	component[235] = '\0';
	for (int i = 0; i < 17; i++)
		(void)strcat(strcat(path, component), "/");
	(void)strcat(path, "file");
	assert_true(strlen(path) >= 4000);
	repository_run(*state,
		"git init -q r; cd r; d=$(printf 'd%.0s' $(seq 235)); "
		"tree=$(printf '100644 blob %s\\tfile\\n' $(echo deep | git hash-object -w "
		"--stdin) | "
		"git mktree); for i in $(seq 17); do "
		"tree=$(printf '040000 tree %s\\t%s\\n' $tree $d | git mktree); done; "
		"git update-ref HEAD $(git commit-tree -m deep $tree)");
	export(*state, "HEAD", &out);
	assert_int_equal(out.files, 1);
	assert_int_equal(tree_open(&root, out_path, &err), 0);
	assert_int_equal(tree_enter_parent(&directory, &name, root, path, TREE_EXISTING, &err), 0);
	assert_int_equal(tree_open_file(&file, directory, name, &status, &err), 0);
	assert_true(file >= 0);
	assert_true(status.st_size == 5);
	/* And what was written can be removed again. */
	assert_int_equal(io_remove_tree(out_path, &err), 0);
	assert_int_equal(access(out_path, F_OK), -1);
}

static void a_name_too_long_for_the_file_system_is_named(void **state)
{
	struct tree_export out;
	struct err err = {0};

	repository_run(*state, "git init -q r; cd r; n=$(printf 'n%.0s' $(seq 256)); "
			       "tree=$(printf '100644 blob %s\\t%s\\n' $(echo x | git hash-object "
			       "-w --stdin) $n | "
			       "git mktree); git update-ref HEAD $(git commit-tree -m long $tree)");
	export_from(*state, "r", "HEAD", &out, &err);
	assert_int_equal(err.kind, ERR_OS);
	assert_non_null(strstr(err.text, "nnnn: File name too long"));
}

static void trees_git_would_not_check_out_are_refused(void **state)
{
	repository_run(*state, "git init -q r; cd r; b=$(echo x | git hash-object -w --stdin); "
			       "entry() { printf \"$1 $2 %s\\t%s\\n\" $3 $4 | git mktree; }; "
			       "t=$(entry 100644 blob $b file); "
			       "git update-ref refs/heads/dots $(git commit-tree -m dots $(entry "
			       "040000 tree $t ..)); "
			       "git update-ref refs/heads/git $(git commit-tree -m git "
			       "$(entry 040000 tree $(entry 040000 tree $t .GIT) sub)); "
			       "git update-ref HEAD dots");
	refuse(*state, "r", "dots",
		"..: git itself would not check out an entry of that name: remove it");
	refuse(*state, "r", "git",
		"sub/.GIT: git itself would not check out an entry of that name: remove it");
}

static void a_tree_that_multiplies_itself_hits_a_limit(void **state)
{
	struct tree_export out;
	struct err err = {0};

	/* Ten levels of a hundred twins: 10^20 directories in eleven objects; no file is written.
	 */
	repository_run(*state,
		"git init -q r; cd r; t=$(git mktree </dev/null); for l in $(seq 10); do "
		"t=$(for i in $(seq -w 100); do printf '040000 tree %s\\t%s\\n' $t $i; done | "
		"git mktree); done; git update-ref HEAD $(git commit-tree -m bomb $t)");
	export_from(*state, "r", "HEAD", &out, &err);
	assert_int_equal(err.kind, ERR_LIMIT);
}

#define POINTER                                                                                  \
	"pointer() { printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize " \
	"%d\\n' $(printf $1 | sha256sum | cut -c1-64) $2; }; "

static void lfs_pointers_become_their_files_where_the_clone_has_them(void **state)
{
	struct tree_export out;

	repository_run(*state, POINTER
		"git init -q r; cd r; pointer here 4 >here; pointer away 4 >away; "
		"pointer cut 9 >cut; echo 'version https://git-lfs.github.com/spec/v1' >text; "
		"git add .; git commit -qm one; "
		"keep() { o=$(printf $1 | sha256sum | cut -c1-64); d=.git/lfs/objects/$(echo $o | "
		"cut -c1-2)/$(echo $o | cut -c3-4); mkdir -p $d; printf $1 >$d/$o; }; "
		"keep here; keep cut");
	export(*state, "HEAD", &out);
	assert_int_equal(out.pointers, 2);
	expect_notes(&out,
		"candidate: 2 files are only a Git LFS pointer, the content is not in this clone "
		"(first: away): check out with `lfs: true` (here: git lfs fetch --all)\n");
	repository_run(*state, "cd out; test \"$(cat here)\" = here; grep -q ^oid away; "
			       "grep -q ^oid cut; grep -q ^version text");
	export(*state, NULL, &out);
	assert_int_equal(out.pointers, 3);
}

#define SUBMODULES                                                                                \
	"git init -q leaf; (cd leaf; echo leaf >f; git add .; git commit -qm leaf); "             \
	"git init -q lib; (cd lib; echo lib >l; git submodule --quiet add \"$PWD/../leaf\" "      \
	"in/leaf; "                                                                               \
	"git add .; git commit -qm lib); "                                                        \
	"git init -q r; (cd r; echo top >t; git submodule --quiet add --name 'the lib' "          \
	"\"$PWD/../lib\" third/lib; git submodule --quiet update --init --recursive; git add .; " \
	"git commit -qm top); "

static void submodules_of_this_clone_are_exported_with_theirs(void **state)
{
	struct tree_export out;

	/* Moved since: the commit is found by what it is, not by the name of a directory. */
	repository_run(*state,
		SUBMODULES "cd r; git mv third/lib moved; git commit -qm moved; git rm -qf moved; "
			   "git commit -qm gone");
	export(*state, "HEAD~1", &out);
	assert_int_equal(out.submodules, 2);
	repository_run(*state,
		"cd out; test \"$(cat moved/l)\" = lib; test \"$(cat moved/in/leaf/f)\" = leaf; "
		"test ! -e moved/.git");
	export(*state, "HEAD~2", &out);
	repository_run(*state, "test \"$(cat out/third/lib/in/leaf/f)\" = leaf");
	export(*state, "HEAD", &out);
	assert_int_equal(out.submodules, 0);
}

static void submodules_of_a_linked_worktree_are_found(void **state)
{
	struct tree_export out;
	struct err err = {0};

	repository_run(*state,
		SUBMODULES "git clone -q r c; cd c; git worktree add -q ../linked; cd ../linked; "
			   "git submodule --quiet update --init --recursive");
	export_from(*state, "linked", "HEAD", &out, &err);
	assert_string_equal(err.text, "");
	assert_int_equal(out.submodules, 2);
	export_from(*state, "linked", NULL, &out, &err);
	assert_string_equal(err.text, "");
	repository_run(*state, "test \"$(cat out/third/lib/in/leaf/f)\" = leaf");
}

static void a_clone_inside_the_clone_is_a_submodule_too(void **state)
{
	struct tree_export out;

	repository_run(*state,
		SUBMODULES "cd r; git submodule --quiet deinit -f third/lib; rm -rf .git/modules; "
			   "rm -rf third/lib; git clone -q --recurse-submodules ../lib third/lib");
	export(*state, "HEAD", &out);
	assert_int_equal(out.submodules, 2);
}

static void a_missing_submodule_says_how_to_get_it(void **state)
{
	char name[64];
	char message[400];

	repository_run(*state, SUBMODULES "git clone -q r c");
	repository_ask(*state, "git -C lib rev-parse --short=12 HEAD", name, sizeof(name));
	(void)snprintf(message, sizeof(message),
		"submodule third/lib: commit %s is not in this clone: check out with `submodules: "
		"recursive` (here: git submodule update --init --recursive)",
		name);
	refuse(*state, "c", "HEAD", message);
	refuse(*state, "c", NULL,
		"submodule third/lib is not checked out: git submodule update --init --recursive");
}

static void a_partial_clone_is_named(void **state)
{
	char name[64];
	char message[400];

	repository_run(*state,
		"git init -q r; cd r; mkdir d; echo x >d/file; git add .; git commit -qm one; "
		"git config uploadpack.allowFilter true; cd ..; "
		"git clone -q --no-checkout --filter=blob:none \"file://$PWD/r\" c");
	repository_ask(*state, "git -C r rev-parse --short=12 HEAD:d/file", name, sizeof(name));
	(void)snprintf(message, sizeof(message),
		"d/file: its content: object %s is not in this clone, which is a partial one: "
		"clone "
		"without --filter (in a workflow: actions/checkout without `filter:`)",
		name);
	refuse(*state, "c", "HEAD", message);
}

static void a_damaged_repository_is_named(void **state)
{
	char name[64];
	char message[400];

	repository_run(*state, "git init -q r; cd r; echo x >file; git add .; git commit -qm one; "
			       "rm -f .git/objects/$(git rev-parse HEAD:file | sed 's|^..|&/|')");
	repository_ask(*state, "git -C r rev-parse --short=12 HEAD:file", name, sizeof(name));
	(void)snprintf(message, sizeof(message),
		"file: its content: object %s is missing: the repository is damaged (git fsck "
		"tells "
		"more)",
		name);
	refuse(*state, "r", "HEAD", message);
}

static void a_working_tree_is_copied_as_it_is(void **state)
{
	struct tree_export out;

	repository_run(*state,
		"git init -q r; cd r; echo '*.o' >.gitignore; echo 1 >changed; echo 1 >gone; "
		"echo 1 >same; echo 1 >staged; mkdir d; echo 1 >d/deep; git add .; "
		"git commit -qm one; echo 2 >changed; rm gone; echo 2 >staged; git add staged; "
		"echo new >'d/un tracked'; chmod 755 same; echo o >x.o; mkfifo fifo; "
		"ln -s /etc/passwd bad; ln -s d/deep good; git init -q nested; echo n >nested/n");
	export(*state, NULL, &out);
	assert_int_equal(out.links_left_out, 1);
	repository_run(*state,
		"cd out; test \"$(find . ! -type d | LC_ALL=C sort | tr '\\n' ',')\" = "
		"'./.gitignore,./changed,./d/deep,./d/un tracked,./good,./same,./staged,'; "
		"test \"$(cat changed staged d/un* | tr '\\n' ,)\" = 2,2,new,; test -x same; "
		"test \"$(stat -c %Y changed)\" = 1600000000");
}

static void a_name_taken_already_is_no_way_out(void **state)
{
	AUTO_STR target = repository_path(*state, "full");
	AUTO_STR path = repository_path(*state, "r");
	AUTO_VERSIONS versions = {0};
	struct version version;
	struct tree_export out;
	struct err err = {0};
	AUTO_FD root = -1;

	/* A link planted where a directory goes is not followed. */
	repository_run(*state,
		"git init -q r; cd r; mkdir d; echo x >d/f; git add .; git commit -qm one; cd ..; "
		"mkdir full outside; ln -s ../outside full/d");
	assert_int_equal(tree_open(&root, target, &err), 0);
	assert_int_equal(versions_open(&versions, path, &err), 0);
	assert_int_equal(versions_resolve(&versions, "HEAD", &version, &err), 0);
	assert_int_equal(tree_export(&out, &versions, &version, root, 0, &err), -1);
	assert_string_equal(err.text, "d: create directory d: File exists");
	repository_run(*state, "test -z \"$(ls outside)\"");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, repository_setup, repository_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(files_links_and_modes_arrive),
		CASE(links_that_leave_the_tree_are_left_out_and_said),
		CASE(names_are_bytes),
		CASE(paths_of_four_thousand_bytes_arrive),
		CASE(a_name_too_long_for_the_file_system_is_named),
		CASE(trees_git_would_not_check_out_are_refused),
		CASE(a_tree_that_multiplies_itself_hits_a_limit),
		CASE(lfs_pointers_become_their_files_where_the_clone_has_them),
		CASE(submodules_of_this_clone_are_exported_with_theirs),
		CASE(submodules_of_a_linked_worktree_are_found),
		CASE(a_clone_inside_the_clone_is_a_submodule_too),
		CASE(a_missing_submodule_says_how_to_get_it),
		CASE(a_partial_clone_is_named),
		CASE(a_damaged_repository_is_named),
		CASE(a_working_tree_is_copied_as_it_is),
		CASE(a_name_taken_already_is_no_way_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
