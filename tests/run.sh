#!/bin/bash
# Everything that proves something, counted: tests/run.sh [PART]   (called by `make check`)
#
# PART picks the jobs whose name contains it: unit/base_text, sanitized/, e2e/, tidy/, analyze/ ...
# A job says "ok - sentence", "not ok - sentence", "ok - sentence # SKIP reason" on lines of its
# own; one that says nothing counts as one, by its exit status (77 = skipped). The last line is
# "N passed, N failed, N skipped". With DUEL_MUST_WORK=1 a skip is a failure.
set -u
cd "$(dirname "$0")/.." || exit 2
make=${MAKE:-make}
part=${1:-}
logs=build/check
seconds_max=${SECONDS_MAX:-600}
export ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1
export CMOCKA_MESSAGE_OUTPUT=TAP

# One job: run, count, one line on the screen, one row in the results. usage: run_job NAME COMMAND
run_job() {
	local name=$1 log=$logs/${1//\//-}.log started=$EPOCHREALTIME status=0 passed failed skipped
	timeout -k 10 "$seconds_max" bash -c "$2" >"$log" 2>&1 </dev/null || status=$?
	skipped=$(grep -cE '^(not )?ok\b.*# ?SKIP' "$log")
	passed=$(grep -E '^ok\b' "$log" | grep -vcE '# ?SKIP')
	failed=$(grep -E '^not ok\b' "$log" | grep -vcE '# ?SKIP')
	if [ "$status" -eq 77 ]; then
		status=0 skipped=$((skipped + 1))
	elif [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
		failed=1
	elif [ $((passed + failed + skipped)) -eq 0 ]; then
		passed=1
	fi
	[ "$status" -ne 124 ] || echo "not ended after $seconds_max s" >>"$log"
	echo "$passed $failed $skipped $name" >>"$logs/results"
	awk -v name="$name" -v p="$passed" -v f="$failed" -v s="$skipped" -v from="$started" -v to="$EPOCHREALTIME" 'BEGIN {
		printf "  %-6s %-44s %4d passed%s%s  %.1f s\n", f ? "FAILED" : s ? "skips" : "ok", name, p,
			f ? ", " f " failed" : "", s ? ", " s " skipped" : "", to - from }'
	[ "$failed" -eq 0 ] || explain "$log" | sed 's/^/         | /'
	[ "$skipped" -eq 0 ] || grep -E '# ?SKIP' "$log" | sed 's/^/         | /'
}

explain() {
	grep -E '^not ok|error:|portability:|warning:|FAILED|ERROR:|No rule to make' "$1" | head -n 15
	echo "--- the end of $1:"
	tail -n 15 "$1"
}

if [ "${1:-}" = --job ]; then
	part=$2
	run_job "${2%%	*}" "${2#*	}"
	exit 0
fi

# Jobs by phase: builds use all processors themselves, small jobs run two at a time, and what
# measures or judges time runs alone.
declare -a builds=() small=() alone=()
wanted() {
	[[ $1 == *"$part"* ]]
}
add() { # usage: add PHASE NAME COMMAND
	local -n phase=$1
	if wanted "$2"; then
		phase+=("$2	$3")
	fi
}

add_builds() {
	local jobs="-k -j2 --no-print-directory"
	builds+=("build/gcc	$make $jobs CC=gcc tests")
	[[ -n $part && $part != build* && $part != sanitized* ]] ||
		builds+=("build/sanitized	$make $jobs CC=gcc SAN=address,undefined tests")
	add builds build/clang "$make $jobs CC=clang tests"
	# Sources that only a measuring machine or a fuzzer compiles must still compile.
	add builds build/fuzzers "$make $jobs CC=clang SAN=fuzzer-no-link,address,undefined BUILD=build/fuzz fuzzers"
}

add_small() {
	local file name variant
	for file in tests/unit/*_test.c; do
		name=$(basename "$file" _test.c)
		add small "unit/$name" "build/gcc/tests/${name}_test"
		add small "sanitized/$name" "build/gcc-address-undefined/tests/${name}_test"
	done
	for file in tests/fuzz/*_fuzz.c; do
		name=$(basename "$file" _fuzz.c)
		for variant in gcc gcc-address-undefined; do
			add small "corpus/$name-$variant" "build/$variant/tests/${name}_replay $name tests/fuzz/corpus/$name/*"
		done
	done
	for file in tests/tidy/check-*; do
		add small "tidy/${file##*/check-}" "$file build/gcc"
	done
	add small headers/alone tests/headers/check.sh
	add small analyze/shellcheck "$make -s shellcheck"
	add small analyze/mandoc "$make -s mandoc"
}

add_alone() {
	local file
	for file in clang-tidy cppcheck fanalyzer; do
		add alone "analyze/$file" "$make -s -k -j2 CC=gcc $file"
	done
	for file in tests/e2e/*.sh; do
		add alone "e2e/$(basename "$file" .sh)" "DUEL=$PWD/build/gcc/duel $file"
	done
}

shopt -s nullglob
mkdir -p "$logs"
rm -f "$logs/results"
add_small
add_alone
add_builds
for job in "${builds[@]}"; do
	run_job "${job%%	*}" "${job#*	}"
done
[ ${#small[@]} -eq 0 ] || printf '%s\0' "${small[@]}" | xargs -0 -n1 -P2 "$0" --job
for job in "${alone[@]}"; do
	run_job "${job%%	*}" "${job#*	}"
done

read -r passed failed skipped < <(awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }' "$logs/results")
echo
awk '$2 > 0 { print "failed: " $4 }' "$logs/results"
if [ "${DUEL_MUST_WORK:-0}" = 1 ] && [ "$skipped" -gt 0 ]; then
	awk '$3 > 0 { print "skipped, but everything must work here: " $4 }' "$logs/results"
	failed=$((failed + skipped)) skipped=0
fi
echo "took $SECONDS s"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
