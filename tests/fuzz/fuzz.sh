#!/bin/sh
# Run one libFuzzer binary on its corpus and say what it found.
# usage: tests/fuzz/fuzz.sh BINARY TARGET SECONDS (called by `make fuzz`)
set -eu
binary=$1 target=$2 seconds=$3
kept=tests/fuzz/corpus/$target
work=build/fuzz/$target
mkdir -p "$kept" "$work/new" "$work/crashes"
set -- "$work/new" "$kept"
if [ -f "tests/fuzz/$target.dict" ]; then
	set -- "-dict=tests/fuzz/$target.dict" "$@"
fi
UBSAN_OPTIONS=print_stacktrace=1 "$binary" "-max_total_time=$seconds" -timeout=5 -rss_limit_mb=2048 \
	-print_final_stats=1 "-artifact_prefix=$work/crashes/" "$@" || {
	echo "fuzz: $target: a finding is in $work/crashes; once mended it belongs into $kept" >&2
	exit 1
}
# What reached new code is kept small by a merge, for whoever wants to extend the corpus.
mkdir -p "$work/minimal"
"$binary" -merge=1 "$work/minimal" "$kept" "$work/new" >/dev/null 2>&1 || :
echo "fuzz: $target: no finding in $seconds s; corpus that covers all that was reached: $work/minimal"
