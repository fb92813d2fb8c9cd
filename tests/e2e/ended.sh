#!/bin/sh
# Runs that end badly: duel killed, a signal while a program hangs, a full disk, no place for the
# artifact. No process, no mount and, but after SIGKILL, no file is left.
# shellcheck disable=SC2317 # the tests are called by check
# shellcheck source=tests/case.sh
. "$(dirname "$0")/../case.sh"
# shellcheck source=tests/project.sh
. "$(dirname "$0")/../project.sh"
set -eu
name=ended-$$
make_project "$work/project"
# A worker that leaves somebody behind and then says nothing for ten minutes.
cat >"$project/worker" <<END
#!/bin/sh
setsid ./$name 600 &
exec ./$name 600
END
chmod +x "$project/worker"
# usage: branch NAME BUILD_COMMAND
branch() {
	git checkout -q -b "$1"
	printf '{ "build": "cp /bin/sleep %s; %s", "benchmarks": [ { "worker": "worker" } ] }\n' \
		"$name" "$2" >"$project/duel.json"
	commit "$1"
}
branch hangs true
branch builds-for-ever "setsid ./$name 600 & ./$name 600"
branch fills-the-disk "head -c 64M /dev/zero >big"

# A TEST: within ten seconds.
soon() {
	for _ in $(seq 100); do
		! "$@" || return 0
		sleep 0.1
	done
	return 1
}

are_running() {
	[ "$(cat /proc/[0-9]*/comm 2>/dev/null | grep -cx -e "$name")" -ge 2 ]
}

none_is_running() {
	! grep -qsx -e "$name" /proc/[0-9]*/comm
}

is_mounted() {
	grep -qF "${work##*.}" /proc/self/mounts
}

not_mounted() {
	! is_mounted
}

# Start a run, wait until its programs are there, send the signal. usage: end_with SIGNAL BRANCH
end_with() {
	# The shell of a function in the background is not the program: that one tells its number.
	# shellcheck disable=SC2016 # for the inner shell
	in_tier "$tier" sh -c 'echo $$ >"$0" && exec "$@"' "$results/pid-$tier" \
		"$bin/duel" run --repository "$project" --out "$results/$tier" \
		--baseline "$2" --candidate "$2" --confinement "$tier" \
		>"$work/out" 2>"$work/err" </dev/null &
	waited=$!
	check "$tier: $2: its programs run" soon are_running
	kill -s "$1" "$(cat "$results/pid-$tier")"
	status=0
	wait "$waited" 2>/dev/null || status=$?
}

for tier in root userns uid flat; do
	project_for "$tier"
	if ! is_granted "$tier"; then
		skip "ending in the tier $tier" "$(cat "$work/err")"
		continue
	fi
	for branch in hangs builds-for-ever; do
		end_with KILL "$branch"
		check "$tier: $branch: killed, no process is left" soon none_is_running
		check "$tier: $branch: killed, no mount is left" not_mounted
		rm -rf "$TMPDIR"/duel.*
	done
	end_with INT hangs
	check "$tier: SIGINT while a program hangs ends with 130" ended 130 "interrupted while starting"
	check "$tier: SIGINT while a program hangs: nothing is left" nothing_is_left "$name"
done

# usage: on_small_disk SIZE BRANCH : a run with its work directory there, then what is left of it
on_small_disk() {
	# shellcheck disable=SC2016 # for the inner shell
	run unshare -m sh -c 'mount -t tmpfs -o size="$1" none "$TMPDIR" && shift &&
		status=0 && { "$@" || status=$?; } && ls -A "$TMPDIR" && exit "$status"' sh "$1" \
		"$bin/duel" run --repository "$project" --out "$results/artifact" \
		--baseline "$2" --candidate "$2"
}

# A TEST: one line that names TMPDIR, nothing on standard output: the disk is empty again.
is_clear() {
	ended 7 "set TMPDIR to a directory with more" && said "No space left on device" &&
		[ "$(grep -c '^duel: ' "$work/err")" = 1 ] && [ ! -s "$work/out" ]
}

if is_root && unshare -m true 2>/dev/null; then
	project_for root
	on_small_disk 8k hangs
	check "a disk too small for the versions: one clear message, nothing left" is_clear
	on_small_disk 400k hangs
	check "a disk too small for what a build needs: one clear message, nothing left" is_clear
	on_small_disk 16m fills-the-disk
	check "a disk that a build fills fails that build" ended 3 "No space left on device"
	check "a disk that a build fills is left empty" test "$(tail -n 1 "$work/out" | cut -c1-5)" != duel.
	git checkout -q -b measures hangs
	printf '{ "benchmarks": [ { "name": "true", "command": ["true"] } ] }\n' >"$project/duel.json"
	commit "A command"
	# shellcheck disable=SC2016 # for the inner shell
	run unshare -m sh -c 'mount -t tmpfs -o size=4k none "$TMPDIR" &&
		{ head -c 8k /dev/zero >"$TMPDIR/full" || :; } && out=$TMPDIR/artifact && export TMPDIR=/tmp &&
		exec "$@" --out "$out"' sh "$bin/duel" run --repository "$project" --budget 300ms \
		--baseline measures --candidate measures
	check "an artifact that finds no room is told" ended 7 "artifact"
	check "what was found is shown nevertheless" said "duel: passed"
else
	skip "full disks" "only root can mount a small one"
fi

for place in /nonexistent/artifact "$work"; do
	run "$bin/duel" run --repository "$project" --out "$place" --baseline hangs --candidate hangs
	check "no place for the artifact is told first: $place" \
		ended 7 "--out and --report need a directory that can be written: "
done
finish
