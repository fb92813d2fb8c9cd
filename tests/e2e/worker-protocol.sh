#!/bin/sh
# Talk the worker protocol to workers in C, C++ and Python (the example in PROTOCOL.md).
# shellcheck source=tests/case.sh
. "$(dirname "$0")/../case.sh"
set -eu
cd "$top"
here=tests/e2e/worker

# usage: talk WORKER... <commands : its replies with the measured figures made alike
talk() {
	DUEL_IN=3 DUEL_OUT=4 "$@" 3<&0 4>"$work/replies" </dev/null >"$work/stdout" 2>"$work/stderr" ||
		echo "exit status $?" >>"$work/replies"
	awk '/^duel 1 thread [0-9]+$/ { print "duel 1 thread N"; next }
	     /^samples / { print $1, $2, $3, NF == 3 + 2 * $3 ? "whole" : "broken"; next }
	     { print }' "$work/replies"
}

# usage: expect SENTENCE <wanted : compares with "$work/got"
expect() {
	cat >"$work/wanted"
	run diff -u "$work/wanted" "$work/got"
	check "$1" ended 0
}

flags="-O2 -Wall -Wextra -pedantic -Werror -Irunner/include"
# shellcheck disable=SC2086 # the flags are words
{
	gcc -std=c99 $flags $here/small.c -o "$work/small-c"
	g++ -x c++ -std=c++11 $flags $here/small.c -o "$work/small-c++"
	gcc -std=c11 $flags $here/odd.c -o "$work/odd" -pthread
	gcc -std=c11 $flags $here/twice.c -o "$work/twice"
}
# shellcheck disable=SC2016 # the backquotes are the fence
sed -n '/^```python$/,/^```$/p' runner/PROTOCOL.md | sed '1d;$d' >"$work/example.py"

long=$(head -c 5000 /dev/zero | tr '\0' x)
cat >"$work/commands" <<END
list
setup 0
setup 0
run 0 1000 4
run 1 1 1
setup 3
run 3 1 1024
setup 4
setup 5
run 5 1 1
$long
foo

list all
teardown 3
teardown 3
setup 6
setup 0 0
setup -1
setup 99999999999999999999
run 0 0 1
run 0 4294967296 1
run 0 1 1025
run 0 1
run 0 1 1 1
run 0  1 1
run 0 7 2
quit
list
END
for language in c c++; do
	talk "$work/small-$language" <"$work/commands" >"$work/got"
	expect "every command and every mistake is answered, $language" <<'END'
duel 1 thread N
benchmark 0 - add: 100 numbers
benchmark 1 counts_only counted
benchmark 2 - clear: 64 bytes
benchmark 3 - clear: 4096 bytes
benchmark 4 counts_only cannot be set up
benchmark 5 - fails while running
end 6
ready 0 0 0
error benchmark 0 is already set up
samples 0 4 whole
error benchmark 1 is not set up
ready 3 1 4096
samples 3 1024 whole
error cannot be set up: there is nothing to do
ready 5 0 0
error fails while running: failed
error line too long
error unknown command
error unknown command
error unknown command
done 3
error benchmark 3 is not set up
error no benchmark 6
error benchmark 0 is already set up
error not a number in range: -1
error not a number in range: 99999999999999999999
error add: 100 numbers: run takes an ID, 1 to 4294967295 iterations and 1 to 1024 samples
error add: 100 numbers: not a number in range: 4294967296 1
error add: 100 numbers: not a number in range: 1025
error add: 100 numbers: not a number in range:
error add: 100 numbers: run takes an ID, 1 to 4294967295 iterations and 1 to 1024 samples
error add: 100 numbers: not a number in range:  1 1
samples 0 2 whole
END
done

printf 'list\nsetup 0\nrun 0 5 3\nrun 1 1 1\nteardown 0\nteardown 0\nsetup 2\nsetup x\nrun 0 1\nfoo\n\n' >"$work/commands"
talk python3 "$work/example.py" <"$work/commands" >"$work/got"
expect "the example in PROTOCOL.md works" <<'END'
duel 1 thread N
benchmark 0 - sum: 1,000 numbers
benchmark 1 counts_only join: 500 words
end 2
ready 0 1000 0
samples 0 3 whole
error benchmark 1 is not set up
done 0
error benchmark 0 is not set up
error no benchmark 2
error not a number from 0 to 4095: x
error unknown command
error unknown command
error unknown command
END

talk "$work/twice" </dev/null >"$work/got"
expect "two benchmarks of one name are refused at the start" <<'END'
error two benchmarks have the same name: same
exit status 2
END

printf 'setup 1\nsetup 3\nrun 3 2 1\n' | talk "$work/odd" >"$work/got"
cat "$work/stdout" >>"$work/got"
expect "descriptors are closed for children and noise is kept apart" <<'END'
duel 1 thread N
ready 1 1 0
ready 3 0 0
samples 3 1 whole
samples 3 1 1 1
samples 3 1 1 1
END

printf 'setup 2\nrun 2 1 16\n' | talk "$work/odd" >/dev/null
awk '/^samples/ { for (i = 4; i < NF; i += 2) if ($i / $(i + 1) > best) best = $i / $(i + 1)
	print (best > 0.25 ? "the work is seen" : "at best " best " of the wall time") }' \
	"$work/replies" >"$work/got"
echo "the work is seen" | expect "work done by another thread is measured"

# usage: heap BYTES : where the first allocation lies behind one of that many bytes
heap() {
	echo 'setup 0' | DUEL_HEAP=$1 talk setarch -R "$work/odd" | awk '/^ready/ { print $3 }'
}
if setarch -R true 2>/dev/null; then
	echo "$((($(heap 4096) - $(heap 1024)) & 65535))" >"$work/got"
	echo 3072 | expect "DUEL_HEAP moves the heap"
else
	skip "DUEL_HEAP moves the heap" "address-space randomisation cannot be switched off here"
fi

for broken in "DUEL_IN=0" "DUEL_IN=0 DUEL_OUT=77" "DUEL_IN=x DUEL_OUT=1"; do
	# shellcheck disable=SC2086 # the settings are words
	env $broken "$work/small-c" >"$work/got" 2>&1 && echo "status 0" >>"$work/got"
	sed -i "s,$work/,," "$work/got"
	echo 'small-c: DUEL_IN and DUEL_OUT must both be numbers of open descriptors' |
		expect "a channel that is none is refused: $broken"
done

"$work/small-c" --list clear >"$work/got"
printf 'clear: 64 bytes\nclear: 4096 bytes\n' | expect "by hand a worker lists the names asked for"
"$work/small-c" add clear | grep -c ' ns  ' >"$work/got"
echo 3 | expect "by hand a worker measures the benchmarks asked for"
finish
