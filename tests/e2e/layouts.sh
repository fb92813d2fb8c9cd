#!/bin/sh
# Layouts in real runs: programs of every usual linker and build are linked anew for each pair in
# their cells, and a report says whether that was so. What links are checked for is in unit/.
# shellcheck disable=SC2317 # the tests are called by check
# shellcheck source=tests/case.sh
. "$(dirname "$0")/../case.sh"
# shellcheck source=tests/project.sh
. "$(dirname "$0")/../project.sh"
set -eu
make_project "$work/a project"
cat >"$project/spin.c" <<'END'
unsigned spin(unsigned turns);

unsigned spin(unsigned turns)
{
	unsigned x = 1;

	while (turns-- > 0)
		x = x * 1664525 + 1013904223;
	return x;
}
END
cat >"$project/bench.c" <<'END'
#define DUEL_MAIN
#include "duel.h"

unsigned spin(unsigned turns);

DUEL_BENCHMARK("spin")
{
	duel_keep(spin(2000));
}
END
cat >"$project/Makefile" <<'END'
CFLAGS = -O1 -I"$(DUEL_INCLUDE)"
bench: bench.o libspin.a
	$(CC) -o $@ bench.o -L. -lspin
libspin.a: spin.o
	$(AR) rcs $@ spin.o
END
cat >"$project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.10)
project(bench C)
add_library(spin spin.c)
add_executable(bench bench.c)
target_include_directories(bench PRIVATE $ENV{DUEL_INCLUDE})
target_link_libraries(bench spin)
END
git add -A

# A run of equal commits built so. usage: measure WORKER BUILD_COMMAND ARGUMENTS...
measure() {
	printf '{ "build": "%s", "benchmarks": [ { "worker": "%s" } ] }\n' "$2" "$1" \
		>"$project/duel.json"
	shift 2
	commit "Build so"
	run "$DUEL" run --repository "$project" --out "$results/artifact" --baseline main \
		--candidate main --measure-identical --budget 2s "$@"
}

# usage: varies SENTENCE TOOL WORKER BUILD_COMMAND
varies() {
	if command -v "$2" >/dev/null; then
		measure "$3" "$4"
		check "$1 is varied" ended 0 "layout varied: every pair ran a fresh random link"
	else
		skip "$1 is varied" "no $2 here"
	fi
}

# shellcheck disable=SC2016 # for the shell of the build
sources='-O1 -I\"$DUEL_INCLUDE\" -o bench bench.c spin.c'
varies "make with an archive" make bench "make -s"
varies "gcc" gcc bench "gcc $sources"
varies "gcc with gold" ld.gold bench "gcc -fuse-ld=gold $sources"
varies "gcc with LTO" gcc bench "gcc -flto $sources"
varies "a static program" gcc bench "gcc -static $sources"
varies "clang" clang bench "clang $sources"
varies "clang with lld" ld.lld bench "clang -fuse-ld=lld $sources"
varies "a shared library" gcc bench "gcc -O1 -shared -fPIC -o libspin.so spin.c && gcc \
-O1 -I\\\"\$DUEL_INCLUDE\\\" -o bench bench.c -L. -lspin -Wl,-rpath,\\\\\$ORIGIN"
varies "CMake" cmake out/bench "cmake -S . -B out && cmake --build out"

measure bench "make -s" --layout fixed
check "what is asked to be fixed is, and the report says so" \
	ended 0 "layout not varied: asked for with --layout fixed"
measure bench "make -s && sed -i s/spin/spun/ bench"
check "a program rewritten after its link is not varied, and the report says why" \
	ended 0 "layout not varied: "
check "the reason is of the program" said "bench: "
finish
