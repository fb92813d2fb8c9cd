#!/bin/sh
# The timing pass as a user meets it: what it says while it works, and how it ends when told to.
# shellcheck disable=SC2317 # the tests are called by check
# shellcheck source=tests/case.sh
. "$(dirname "$0")/../case.sh"
set -eu
repository=$work/project
mkdir "$repository" "$work/tmp"
TMPDIR=$work/tmp
export TMPDIR

git() {
	GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null command git -C "$repository" \
		-c user.name=test -c user.email=test@localhost -c core.hooksPath=/dev/null "$@"
}

# usage: write_build COMMAND : duel.json with it
write_build() {
	cat >"$repository/duel.json" <<-END
		{ "build": "$1", "benchmarks": [ { "worker": "measuring-bench" } ] }
	END
}

cat >"$repository/bench.c" <<'END'
#define DUEL_MAIN
#include "duel.h"

static unsigned spin(unsigned turns)
{
	unsigned x = 1;

	while (turns-- > 0)
		x = x * 1664525 + 1013904223;
	return x;
}

DUEL_BENCHMARK_FOR("spin: {} turns", (1000, 3000), NULL, NULL)
{
	(void)state;
	duel_keep(spin((unsigned)value * WORK));
}
END
# shellcheck disable=SC2016 # for the shell of the build
write_build 'cc -O1 -I\"$DUEL_INCLUDE\" -DWORK=$(cat work) -o measuring-bench bench.c'
echo 1 >"$repository/work"
git init -q
git symbolic-ref HEAD refs/heads/main
git add -A
git commit -q -m "Start"
echo "// nothing that counts" >>"$repository/bench.c"
git commit -q -a -m "Say something"
git branch equal
# On the candidate, what makes a sample of 50 us on the baseline takes half a minute.
echo 500000 >"$repository/work"
git commit -q -a -m "Work for half a minute"
git branch long
git checkout -q -b unbuilt main~2
write_build "sleep 600"
git commit -q -a -m "Build for ever"

# usage: duel ARGUMENTS... : in the repository, its artifact out of the way
duel() {
	"$DUEL" run --repository "$repository" --out "$work/artifact" --baseline main~2 \
		--measure-identical "$@"
}

# A TEST: the parts of the pass add up to its wall time, a twentieth aside.
parts_add_up() {
	awk '/^timing pass: / {
		wall = $3
		gsub(/[,:]/, "")
		for (i = 7; i < NF; i++)
			if ($(i + 1) == "s") {
				sum += $i
				name = $(i - 1)
				if (name == "rest")
					rest = $i
			}
		found = 1
	}
	END { exit !(found && sum > 0.95 * wall && sum < 1.05 * wall && rest < 0.05 * wall) }' "$work/err"
}

# A TEST: nothing of a run is left, neither processes nor files.
nothing_is_left() {
	[ -z "$(ls -A "$work/tmp")" ] && ! grep -qsx measuring-bench /proc/[0-9]*/comm
}

is_silent() {
	[ ! -s "$work/err" ]
}

# A TEST: the last command said so few lines on its error output. usage: lines_at_most COUNT
lines_at_most() {
	[ "$(wc -l <"$work/err")" -le "$1" ]
}

run duel --candidate equal -v
check "equal commits pass" ended 0 "duel: passed"
check "-v shows what a sample is" said "spin: 1000 turns: an iteration takes about "
check "-v shows the schedule" said "visit 1: 2 of 2 benchmarks, 0 settled"
check "-v says where the time went, and it adds up" parts_add_up
check "nothing is left behind" nothing_is_left

run duel --candidate equal --quiet
check "--quiet says nothing but the report" is_silent
check "--quiet still reports" ended 0 "duel: passed"

run duel --candidate equal --budget 100ms
check "a budget too short for eight visits settles nothing" ended 0 "2 unsettled"

# usage: interrupt SIGNAL WORDS ARGUMENTS... : duel, sent the signal once it has said WORDS
interrupt() {
	signal=$1
	words=$2
	shift 2
	# What the run before said is not what is waited for.
	: >"$work/err"
	# A session of its own, so that the signal reaches its whole group as Ctrl-C does.
	setsid "$DUEL" run --repository "$repository" --out "$work/artifact" --baseline main~2 \
		--measure-identical "$@" >"$work/out" 2>"$work/err" </dev/null &
	pid=$!
	for _ in $(seq 200); do
		! grep -qF -e "$words" "$work/err" || break
		sleep 0.1
	done
	begin=$(date +%s%N)
	kill -s "$signal" -- "-$pid"
	status=0
	wait "$pid" || status=$?
	took_ms=$((($(date +%s%N) - begin) / 1000000))
}

# A TEST: the last interruption was obeyed within so many milliseconds.
took_at_most() {
	[ "$took_ms" -le "$1" ]
}

for signal in INT TERM; do
	interrupt "$signal" "visit 3: " --candidate equal -v
	check "SIG$signal while measuring ends with 130 and the report" ended 130 "unsettled"
	check "SIG$signal: the report says so" said "interrupted: only what was settled until then"
	check "SIG$signal: half a measurement does not pass" said "failed: could not be measured to the end"
	check "SIG$signal: it ends at once" took_at_most 2000
	check "SIG$signal: nothing is left behind" nothing_is_left
done

interrupt INT "visit 1: " --candidate long -v
check "a sample of half a minute is not waited for" took_at_most 2000
check "a sample of half a minute: the report comes nevertheless" ended 130 "duel: "
check "a sample of half a minute: nothing is left behind" nothing_is_left

interrupt INT "building both versions" --candidate unbuilt
check "SIGINT while building ends with 130" ended 130 "interrupted while building"
check "SIGINT while building: it ends at once" took_at_most 2000
check "SIGINT while building: nothing is left behind" nothing_is_left

run duel --candidate equal
check "without a terminal there are a few plain lines" lines_at_most 5
check "building is one of them" said "building both versions"
check "measuring is one of them" said "measuring 2 benchmarks, for at most 20 s"

# shellcheck disable=SC2016 # for the shell of script(1)
if command -v script >/dev/null; then
	DUEL=$DUEL repository=$repository run script -qec '"$DUEL" run --repository "$repository" \
		--out "$repository/../artifact" --baseline main~2 --candidate equal --measure-identical' /dev/null
	printf '\rmeasuring ' >"$work/wanted"
	check "a terminal sees one line redrawn" grep -qF -f "$work/wanted" "$work/out"
else
	skip "a terminal sees one line redrawn" "no script(1) here"
fi
finish
