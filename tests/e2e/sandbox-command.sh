#!/bin/sh
# duel sandbox -- COMMAND: one command in the cell that benchmarks run in, in each tier.
# shellcheck disable=SC2317 # the tests are called by check
# shellcheck source=tests/case.sh
. "$(dirname "$0")/../case.sh"
# shellcheck source=tests/project.sh
. "$(dirname "$0")/../project.sh"
set -eu
name=alone-$$
mkdir -m 755 "$work/tree" "$work/other"
echo "of this tree" >"$work/tree/file"
echo "of another tree" >"$work/other/secret"
cp "$(command -v sleep)" "$work/tree/$name"
chmod 755 "$work/tree/$name"

# In the tree. usage: sandbox ARGUMENTS...
sandbox() (
	cd "$work/tree"
	in_tier "$tier" "$bin/duel" sandbox --confinement "$tier" "$@"
)

# A server and its client in one cell.
meet='import socket
s = socket.create_server(("127.0.0.1", 0))
socket.create_connection(s.getsockname())
print("met")'

# A listener of ours, and whether it can be reached: unconfined it can.
python3 - >"$work/port" <<'END' &
import socket
s = socket.create_server(("127.0.0.1", 0))
print(s.getsockname()[1], flush=True)
while True:
    s.accept()[0].close()
END
listener=$!
trap 'kill "$listener"; chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
for _ in $(seq 100); do
	[ ! -s "$work/port" ] || break
	sleep 0.1
done
call=": </dev/tcp/127.0.0.1/$(cat "$work/port")"
run bash -c "$call"
check "unconfined the listener is reached" ended 0

# TESTs
refused() {
	[ "$status" -ne 0 ] && { [ $# -eq 0 ] || ! said "$1"; }
}

knows_only() {
	cut -d= -f1 "$work/out" | sort | tr '\n' ' ' >"$work/names"
	[ "$status" -eq 0 ] && [ "$(cat "$work/names")" = "$1" ]
}

is_running() {
	grep -qsx -e "$name" /proc/[0-9]*/comm
}

none_is_running() {
	! grep -qsx -e "$name" /proc/[0-9]*/comm
}

no_secret() {
	! said hush
}

# A TEST: within ten seconds.
soon() {
	for _ in $(seq 100); do
		! "$@" || return 0
		sleep 0.1
	done
	return 1
}

export GITHUB_TOKEN=hush-1 ACTIONS_RUNTIME_TOKEN=hush-2
for tier in root userns uid flat; do
	if ! is_granted "$tier"; then
		skip "duel sandbox in the tier $tier" "$(cat "$work/err")"
		continue
	fi
	run sandbox -- sh -c 'exit 7'
	check "$tier: the exit status is passed on" ended 7
	# shellcheck disable=SC2016 # for the inner shell
	run sandbox -- sh -c 'kill -9 $$'
	check "$tier: a signal is passed on as shells do" ended 137
	run sandbox -- /nonexistent
	check "$tier: a missing program is told" ended 3 "cannot execute '/nonexistent': No such file"
	run sandbox -- cat file
	check "$tier: its tree is read" ended 0 "of this tree"
	run sandbox -- cat "$work/other/secret"
	check "$tier: another tree is not, though everybody may" refused "of another tree"
	run sandbox -- sh -c 'echo changed >file'
	check "$tier: its tree is not written" test "$(cat "$work/tree/file")" = "of this tree"
	run sandbox -- env
	check "$tier: the environment is made from nothing" \
		knows_only "CI HOME LANG PATH TMPDIR TZ "
	run sandbox -- sh -c 'cat /proc/[0-9]*/environ'
	check "$tier: nor is a secret read from other processes" no_secret
	run sandbox -- bash -c "$call"
	check "$tier: the network is not reached" refused
	run sandbox --explain -- touch new
	check "$tier: a denial is explained" ended 1 "new: may not be written"
	run sandbox --explain -- true
	check "$tier: no denial is explained as none" ended 0 "nothing was refused"
	case $tier in
	userns | flat)
		! is_root || run sandbox --writable -- true
		! is_root || check "$tier: --writable wants a tree that may be written" \
			ended 2 "--writable: $work/tree: Permission denied"
		! is_root || chown "$user" "$work/tree"
		run sandbox --writable -- sh -c 'echo changed >new'
		check "$tier: --writable lets it write its tree" ended 0
		check "$tier: what it wrote is there" grep -qx changed "$work/tree/new"
		;;
	*)
		chown 0 "$work/tree"
		run sandbox --writable -- true
		check "$tier: --writable says who would have to own the tree" \
			ended 2 "as an own uid, which may not write $work/tree"
		;;
	esac
	rm -f "$work/tree/new"
	run sandbox --loopback -- python3 -c "$meet"
	case $tier in
	root | userns) check "$tier: --loopback gives a private one" ended 0 "met" ;;
	*) check "$tier: --loopback is refused" ended 4 "a private loopback needs a network namespace" ;;
	esac
	run sandbox --loopback -- bash -c "$call"
	check "$tier: a private loopback leads to no listener of ours" refused
	# shellcheck disable=SC2016 # for the inner shell
	in_tier "$tier" sh -c 'cd "$0" && echo $$ >"$1" && shift && exec "$@"' "$work/tree" \
		"$results/pid-$tier" "$bin/duel" sandbox --confinement "$tier" -- \
		sh -c "setsid ./$name 600 & ./$name 600" >/dev/null 2>&1 &
	waited=$!
	check "$tier: a command runs" soon is_running
	kill -TERM "$(cat "$results/pid-$tier")"
	status=0
	wait "$waited" 2>/dev/null || status=$?
	check "$tier: SIGTERM ends it" ended 143
	check "$tier: SIGTERM leaves nothing" soon none_is_running
	run sandbox -- sh -c "setsid ./$name 600 & exit 0"
	check "$tier: what a command leaves behind ends with it" none_is_running
done
run "$bin/duel" sandbox --
check "no command is told" ended 2 "give the command behind --"
run "$bin/duel" sandbox --confinement refuse -- true
check "nobody can ask for no confinement" ended 2 "give auto, root, userns, uid or flat"
finish
