/*
 * Builds small programs the way projects do and relinks them.
 *
 * Every case: the build's own link is found; each new link is another layout, in which every
 * function has moved, none has changed its size, the code meets all 16-byte phases, and the program
 * prints what it printed.
 */
#include "tests/unit/layout_project.h"

#include "runner/layout/pads.h"

#define SOURCES "main.c first.c second.c third.c"
#define PARTS(cc, flags) \
	cc " -O2 " flags " -c " SOURCES "; ar rcs libparts.a first.o second.o third.o; "
#define BENCH .targets = {"bench"}, .run = "./bench"
#define BENCH_24 BENCH, .links = LINKS

static void gcc_with_an_archive_is_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){
		"gcc ar", PARTS("gcc", "-g") "gcc -o bench main.o libparts.a", BENCH_24});
}

static void a_program_of_one_object_is_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){"gcc",
		"cat " SOURCES " | sed 's/twin/twin_##__LINE__/;s/_##__LINE__//' >one; "
		"sed -i 's/\\btwin\\b/first_twin/' first.c; cat first.c second.c third.c main.c "
		">one.c; "
		"gcc -O2 -o bench one.c",
		BENCH_24});
}

static void gcc_on_sources_with_gold_is_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){
		"gcc ld.gold", "gcc -O2 -fuse-ld=gold -o bench " SOURCES, BENCH_24});
}

static void gcc_with_lld_is_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){"gcc ld.lld ar",
		PARTS("gcc", "") "gcc -fuse-ld=lld -o bench main.o -L. -lparts", BENCH});
}

static void clang_is_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){
		"clang ar", PARTS("clang", "") "clang -o bench main.o libparts.a", BENCH});
}

static void clang_with_lld_is_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){
		"clang ld.lld", "clang -O2 -fuse-ld=lld -o bench " SOURCES, BENCH_24});
}

static void gcc_lto_is_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){"gcc gcc-ar",
		"gcc -O2 -flto -c " SOURCES "; gcc-ar rcs libparts.a first.o second.o third.o; "
		"gcc -O2 -flto -o bench main.o libparts.a",
		BENCH_24});
}

static void clang_lto_with_lld_is_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){"clang ld.lld llvm-ar",
		"clang -O2 -flto -c " SOURCES "; llvm-ar rcs libparts.a first.o second.o third.o; "
		"clang -O2 -flto -fuse-ld=lld -o bench main.o libparts.a",
		BENCH_24});
}

static void clang_thin_lto_is_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){
		"clang ld.lld", "clang -O2 -flto=thin -fuse-ld=lld -o bench " SOURCES, BENCH});
}

static void a_static_program_is_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){
		"gcc ar", PARTS("gcc", "") "gcc -static -o bench main.o libparts.a", BENCH});
}

static void a_static_pie_is_varied(void **state)
{
	(void)state;
	expect_varied(
		&(struct project){"gcc", "gcc -O2 -fPIE -static-pie -o bench " SOURCES, BENCH});
}

static void a_program_and_its_library_are_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){"gcc",
		"gcc -O2 -fPIC -shared -Wl,--version-script=fixed.map -o libparts.so "
		"first.c second.c third.c; gcc -O2 -o bench main.c -L. -lparts "
		"'-Wl,-rpath,$ORIGIN'",
		.targets = {"bench", "libparts.so"}, .run = "./bench"});
}

static void cmake_with_a_shared_library_is_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){"cmake make",
		"cmake -S . -B out -DCMAKE_BUILD_TYPE=Release; cmake --build out",
		.targets = {"out/bench", "out/libparts.so.1.2"}, .run = "out/bench"});
}

static void make_with_two_programs_is_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){"make cc ar", "make -j2", .targets = {"bench", "other"},
		.run = "./bench; ./other"});
}

static void all_members_of_a_whole_archive_are_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){"gcc ar",
		PARTS("gcc", "") "gcc -o bench main.o -Wl,--whole-archive libparts.a "
				 "-Wl,--no-whole-archive",
		BENCH});
}

static void members_of_one_name_are_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){"gcc ar",
		"mkdir -p a b; gcc -O2 -c main.c third.c; gcc -O2 -c -o a/part.o first.c; "
		"gcc -O2 -c -o b/part.o second.c; ar qcs libparts.a a/part.o b/part.o third.o; "
		"gcc -o bench main.o libparts.a",
		BENCH});
}

static void a_thin_archive_is_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){"gcc ar",
		"gcc -O2 -c " SOURCES "; mkdir -p lib; ar rcsT lib/libparts.a first.o second.o "
		"third.o; gcc -o bench main.o lib/libparts.a",
		BENCH});
}

static void sections_without_use_may_be_dropped(void **state)
{
	(void)state;
	expect_varied(&(struct project){"gcc ar",
		PARTS("gcc",
			"-ffunction-sections") "gcc -Wl,--gc-sections -o bench main.o libparts.a",
		BENCH});
}

static void a_stripped_and_installed_program_is_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){"gcc strip install",
		"gcc -O2 -g -o made " SOURCES "; mkdir bin; install -s made bin/bench; rm made",
		.targets = {"bin/bench"}, .run = "bin/bench"});
}

static void inputs_deleted_or_changed_after_the_link_do_not_matter(void **state)
{
	(void)state;
	expect_varied(&(struct project){"gcc ar",
		PARTS("gcc", "") "gcc -o bench main.o first.o second.o third.o; "
				 "rm first.o; cp third.o second.o",
		BENCH});
}

static void words_from_response_files_are_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){"gcc",
		"gcc -O2 -c " SOURCES "; mkdir 'a b'; cp first.o 'a b/x (1).o'; "
		"echo \"main.o 'a b/x (1).o' second.o\" >list; "
		"gcc -o bench @list third.o; rm list",
		BENCH});
}

static void a_partial_link_in_between_does_not_matter(void **state)
{
	(void)state;
	expect_varied(&(struct project){"gcc ld",
		"gcc -O2 -c " SOURCES "; ld -r -o parts.o first.o second.o third.o; "
		"gcc -o bench main.o parts.o",
		BENCH});
}

static void a_rewritten_output_is_not_varied(void **state)
{
	(void)state;
	expect_reason(&(struct project){"gcc objcopy",
			      "gcc -O2 -o bench " SOURCES "; objcopy --set-section-flags "
			      ".comment=alloc --change-section-address .comment=0x900000 bench",
			      BENCH},
		"bench: output rewritten after link");
}

static void a_script_is_not_varied(void **state)
{
	(void)state;
	expect_reason(&(struct project){"sh",
			      "printf '#!/bin/sh\\necho this is a script, longer than any header "
			      "of a program\\n' >bench",
			      BENCH},
		"bench: no link recorded: not an ELF file");
}

static void a_program_from_elsewhere_is_not_varied(void **state)
{
	(void)state;
	expect_reason(&(struct project){"gcc", "cp /bin/true bench; gcc -O2 -o b " SOURCES, BENCH},
		"bench: no link recorded");
}

static void inputs_lost_beyond_their_copies_are_said(void **state)
{
	(void)state;
	expect_reason(&(struct project){"gcc ar",
			      PARTS("gcc", "") "gcc -o bench main.o -L. -lparts; "
					       "rm libparts.a; ar rcs libparts.a first.o",
			      BENCH},
		"bench: the link cannot be repeated: ");
}

static void inputs_changed_beyond_their_copies_are_said(void **state)
{
	(void)state;
	expect_reason(
		&(struct project){"gcc ar",
			PARTS("gcc", "") "gcc -o bench main.o -L. -lparts; rm libparts.a; " PARTS(
				"gcc", "-fno-inline -Os"),
			BENCH},
		"bench: the link cannot be repeated: its inputs have changed since");
}

static void code_at_a_fixed_address_is_not_varied(void **state)
{
	(void)state;
	expect_reason(
		&(struct project){"gcc",
			"sed -i 's/unsigned second/__attribute__((section(\".fixed\"))) &/' "
			"second.c; "
			"gcc -O2 -no-pie -Wl,--section-start=.fixed=0x10000000 -o bench " SOURCES,
			BENCH},
		"bench: hot code did not move (1 of 12 functions stay)");
}

static void a_linker_script_is_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){"gcc ld sed",
		"ld --verbose -pie | sed '1,/^=====/d;/^=====/,$d' >all.ld; "
		"gcc -O2 -Wl,-T,all.ld -Wl,-Map=bench.map -Wl,--start-group -o "
		"bench " SOURCES " -Wl,--end-group",
		BENCH});
}

static void hidden_members_stay_hidden(void **state)
{
	(void)state;
	expect_varied(&(struct project){"gcc ar",
		PARTS("gcc", "-fPIC") "gcc -shared -o libhiding.so first.o -Wl,--exclude-libs,ALL "
				      "libparts.a; "
				      "gcc -shared -o libparts.so -Wl,--whole-archive libparts.a "
				      "-Wl,--no-whole-archive; "
				      "gcc -o bench main.o -L. -lhiding -l:libparts.so "
				      "'-Wl,-rpath,$ORIGIN'",
		.targets = {"bench", "libhiding.so", "libparts.so"}, .run = "./bench"});
}

static void a_build_that_calls_the_linker_itself_is_varied(void **state)
{
	(void)state;
	expect_varied(&(struct project){"gcc ld",
		"echo 'int answer(void) { return 42; } void _start(void) { __asm__ volatile("
		"\"syscall\" :: \"a\"(60), \"D\"(answer() - 42)); }' >free.c; "
		"gcc -O2 -c -fno-stack-protector free.c; ld -o bench free.o",
		BENCH});
}

#define MATCHED 12 /* links */

/* Where in PADS_MATCHED a function of this size lies in each of a build's first links. */
static void place(unsigned places[MATCHED], const char *command, uint64_t size)
{
	const struct project project = {"gcc", command, .targets = {"bench"}};
	struct layout_side side;

	build(project.build);
	open_side(&side, &project);
	for (unsigned number = 0; number < MATCHED; number++) {
		struct layout_set set;
		struct symbols symbols;
		size_t found = 0;

		assert_int_equal(layout_link_start(&side, number, &set, &err), 0);
		assert_int_equal(layout_link_finish(&side, &set, &err), 0);
		read_symbols(&symbols, set.fds[0]);
		for (size_t i = 0; i < symbols.count; i++) {
			if (symbols.items[i].size != size)
				continue;
			places[number] = symbols.items[i].address % PADS_MATCHED;
			found++;
		}
		assert_int_equal(found, 1);
		symbols_release(&symbols);
		layout_set_release(&set);
	}
	layout_release(&side);
}

static void equal_objects_of_two_builds_lie_alike(void **state)
{
	unsigned one[MATCHED], other[MATCHED], moves = 0;

	(void)state;
	need("gcc");
	/* `recognised` is the one function of that size, known by nothing else. */
	place(one,
		"echo '__asm__(\".globl recognised; .type recognised, @function; recognised: "
		".skip 3333, 0x90; .size recognised, 3333\");' >known.c; "
		"gcc -O2 -c known.c " SOURCES "; "
		"gcc -o bench main.o first.o second.o known.o third.o",
		3333);
	place(other,
		"echo 'int more(int x) { return x * x; }' >more.c; gcc -O3 -c more.c first.c; "
		"gcc -o bench known.o third.o more.o second.o main.o first.o",
		3333);
	for (unsigned i = 0; i < MATCHED; i++) {
		assert_int_equal(one[i], other[i]);
		moves += one[i] != one[0];
	}
	assert_in_range(moves, MATCHED - 3, MATCHED - 1);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, make, remove_all)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(gcc_with_an_archive_is_varied),
		CASE(a_program_of_one_object_is_varied),
		CASE(gcc_on_sources_with_gold_is_varied),
		CASE(gcc_with_lld_is_varied),
		CASE(clang_is_varied),
		CASE(clang_with_lld_is_varied),
		CASE(gcc_lto_is_varied),
		CASE(clang_lto_with_lld_is_varied),
		CASE(clang_thin_lto_is_varied),
		CASE(a_static_program_is_varied),
		CASE(a_static_pie_is_varied),
		CASE(a_program_and_its_library_are_varied),
		CASE(cmake_with_a_shared_library_is_varied),
		CASE(make_with_two_programs_is_varied),
		CASE(all_members_of_a_whole_archive_are_varied),
		CASE(members_of_one_name_are_varied),
		CASE(a_thin_archive_is_varied),
		CASE(sections_without_use_may_be_dropped),
		CASE(a_stripped_and_installed_program_is_varied),
		CASE(inputs_deleted_or_changed_after_the_link_do_not_matter),
		CASE(words_from_response_files_are_varied),
		CASE(a_partial_link_in_between_does_not_matter),
		CASE(a_rewritten_output_is_not_varied),
		CASE(a_script_is_not_varied),
		CASE(a_program_from_elsewhere_is_not_varied),
		CASE(inputs_lost_beyond_their_copies_are_said),
		CASE(inputs_changed_beyond_their_copies_are_said),
		CASE(code_at_a_fixed_address_is_not_varied),
		CASE(a_linker_script_is_varied),
		CASE(hidden_members_stay_hidden),
		CASE(a_build_that_calls_the_linker_itself_is_varied),
		CASE(equal_objects_of_two_builds_lie_alike),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	say_costs();
	return failed;
}
