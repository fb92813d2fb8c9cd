#!/bin/sh
# What `duel run` makes of builds: those that fail, hang, flood, rewrite files or moved to another
# build system, benchmarks only one version has or can build, and versions that are the same code.
# shellcheck disable=SC2016,SC2317 # what is quoted is for other shells; check calls the tests
# shellcheck source=tests/case.sh
. "$(dirname "$0")/../case.sh"
# shellcheck source=tests/commits.sh
. "$top/tests/commits.sh"
set -eu

# usage: build_with COMMAND : duel.json with that build, in a commit of its own
build_with() {
	cat >duel.json <<-END
		{
			"build": "$1",
			"overlay": ["bench/"],
			"benchmarks": [ { "worker": "bench/run" } ]
		}
	END
	commit "Build"
}
compile='cc -O1 -I$DUEL_INCLUDE -o bench/run bench/main.c lib.c'

# usage: row VERDICT NAME : a TEST: the table has it
row() {
	grep -q "^  $1  *$2  " "$work/out"
}

# usage: failed FAILURE LOG-LINE : a TEST: the run failed so, and the log's tail ends with that line
failed() {
	[ "$status" -eq 3 ] && [ "$(sed -n '1p' "$work/out")" = "duel: failed: could not build or measure" ] &&
		[ "$(sed -n '2p' "$work/out")" = "      $1" ] &&
		[ "$(grep '^      |' "$work/out" | tail -n 1)" = "      | $2" ]
}

# --- builds that do not end well
project "project"
git checkout -q -b topic
build_with 'echo compiling; echo lib.c:3: error: no; exit 7'
duel_run --baseline main
check "a candidate that does not build is named, with its log" failed \
	"candidate: build: 'echo compiling; echo lib.c:3: error: no; exit 7': exit status 7 (the baseline does not build either)" "lib.c:3: error: no"
build_with 'echo waiting; sleep 100'
duel_run --baseline main --build-limit 1s
check "a build that hangs is ended at its limit" failed \
	"candidate: build: 'echo waiting; sleep 100': not ended after 1 s: --build-limit gives it more (the baseline does not build either)" "waiting"
build_with "$compile && yes a line of the flood | head -c 100000000"
duel_run --baseline HEAD
check "a build that floods its log is read to its end" ended 0 "passed: the one benchmark is identical code on both sides"
build_with 'yes a line of the flood | head -c 100000000; echo its end; false'
duel_run --baseline HEAD --verbose
check "of a flooded log the tail is kept" failed \
	"candidate: build: 'yes a line of the flood | head -c 100000000; echo its end; false': exit status 1 (the baseline does not build either)" "its end"
check "and no more of it" test "$(grep -c '^      |' "$work/out")" -lt 500
build_with "$compile; (setsid sleep 54321 &) ; kill -9 \$\$"
duel_run --baseline HEAD
check "a build ended by a signal is said" ended 3 "': killed by SIGKILL"
check "and nothing it started is left" sh -c '! pgrep -f "^sleep 54321"'
build_with true
duel_run --baseline HEAD
check "a build that makes no worker is said" ended 3 "baseline: bench/run: "

# --- a build that rewrites what is tracked
git reset -q --hard main
echo 1 >version.h
build_with "echo 2 >version.h && rm bench/main.c.orig && $compile"
touch bench/main.c.orig
commit "Generate"
duel_run
check "a build that rewrites tracked files is said for each side" noted \
	"candidate: the build changed 1 and removed 1 tracked files ("
check "by name" said "version.h"

# --- benchmarks that only one side has
git reset -q --hard main
sed -i '/overlay/d' duel.json
sed 's/work: sum/work: old/' bench/main.c >bench/old.c
sed -i '1d' bench/old.c
sed -i 's/$/ /' lib.c
cp bench/old.c bench/keep
mv bench/old.c bench/more.c
sed -i 's, lib.c", bench/more.c lib.c",' duel.json
commit "Both"
sed -i 's/work: old/work: new/' bench/more.c
commit "Rename a benchmark"
duel_run --baseline HEAD^
check "a benchmark only the candidate has is added" row added "work: new"
check "one only the baseline has is removed" row removed "work: old"
check "what both have is compared, and the run passes" ended 0 "passed: the one benchmark is not slower"

# --- a new interface that the baseline does not have
git reset -q --hard main
echo 'int product(int n);' >>lib.h
echo 'int product(int n) { return n * n; }' >>lib.c
cat >>bench/main.c <<'END'

DUEL_BENCHMARK("work: product")
{
	int result = product(3);
	duel_keep(result);
}
END
build_with "cc -O1 -Werror -I\$DUEL_INCLUDE -o bench/run bench/main.c lib.c"
duel_run --baseline main
check "where the candidate's benchmarks do not build, the baseline's own do" noted \
	"baseline: with the candidate's benchmarks: build: 'cc -O1 -Werror -I\$DUEL_INCLUDE -o bench/run bench/main.c lib.c': exit status 1: "
check "and the reason is said" noted "exit status 1: bench/main.c:13:22: error: implicit declaration of function"
check "and what follows" noted "; its own are run there, names both sides have are compared"
check "then the new one is added" row added "work: product"
check "and the others are compared" row "[a-z]*" "work: sum"
git checkout -q -b broken main
sed -i 's#"worker": "bench/run"#"worker": "bench/rum"#' duel.json
commit "Mistype the worker"
duel_run --baseline HEAD^
check "a worker that no build makes is told" ended 3 'baseline: bench/rum: no such file once it is built: is that the "worker" that duel.json means?'
git checkout -q HEAD^ -- duel.json
commit "Spell the worker"
sed -i 's/sum(1000)/missing(1000)/' bench/main.c
commit "Break the benchmarks"
git checkout -q topic
duel_run --baseline broken
check "where those do not build either the run fails, naming the side" ended 3 \
	"baseline: build: 'cc -O1 -I\$DUEL_INCLUDE -o bench/run bench/main.c lib.c': exit status 1 (also without the overlay)"
check "with the tail of the log" said "undefined reference to \`missing'"
check "and a note about the first attempt" noted "; its own do not build either"

# --- a build system that moved
git reset -q --hard main
printf 'bench/run: bench/main.c lib.c\n\tcc -O1 -I$(DUEL_INCLUDE) -o $@ $^\n' >Makefile
build_with "make -s"
git branch -q -f with-make
rm Makefile
if command -v cmake >/dev/null; then
	cat >CMakeLists.txt <<-'END'
		cmake_minimum_required(VERSION 3.16)
		project(work C)
		set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_SOURCE_DIR}/bench)
		add_executable(run bench/main.c lib.c)
		target_include_directories(run PRIVATE $ENV{DUEL_INCLUDE})
	END
	cat >duel.json <<-'END'
		{
			"build": "cmake -S . -B build >/dev/null && cmake --build build",
			"overlay": ["bench/", "CMakeLists.txt"],
			"benchmarks": [ { "worker": "bench/run" } ]
		}
	END
	commit "Move to CMake"
	duel_run --baseline with-make
	check "an overlay carries a new build system to the baseline" ended 0 "passed: the one benchmark"
	check "then nothing has to be said" \
		sh -c '! grep "^  note" "$1" | grep -qv "were measured again"' - "$work/out"
	rm CMakeLists.txt
fi
echo "$compile" | sed 's/\$DUEL/"$DUEL/; s/INCLUDE/INCLUDE"/' >build.sh
build_with "sh build.sh"
duel_run --baseline with-make
check "without one the baseline is built by its own duel.json" noted \
	"baseline: with the candidate's benchmarks: build: 'sh build.sh': exit status "
check "and compared all the same" row "[a-z]*" "work: sum"

# --- the same code
git reset -q --hard main
commit "Change nothing"
duel_run --baseline main
check "an empty diff is the same code" ended 0 "passed: the one benchmark is identical code on both sides"
check "and nothing is measured" noted \
	"both versions are identical once built: nothing was measured (--measure-identical measures all the same)"
duel_run --baseline main --measure-identical
check "unless that is asked for" ended 0 "passed: the one benchmark is not slower"
sed -i 's/1000/2000/' bench/main.c
commit "Change the benchmark"
duel_run --baseline main
check "a change of the overlay alone is the same code" ended 0 "identical code on both sides"
sed -i 's,^#include "lib.h",& // a comment,' lib.c
commit "Comment"
duel_run --baseline HEAD^
check "what a worker could read counts: other sources are measured" ended 0 "passed: the one benchmark is not slower"
for tier in root userns uid flat; do
	run "$DUEL" run --baseline main --candidate main --confinement "$tier" --out "$work/artifact"
	if ! said "confined   $tier"; then
		continue # which tiers there are is the machine's, and the user's
	fi
	check "the same code is the same in the $tier tier" ended 0 "identical code on both sides"
done
finish
