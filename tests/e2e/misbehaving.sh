#!/bin/sh
# Workers that do wrong, in real cells of every tier: each ends the run with status 3 and a message
# that names side, program, benchmark and what it printed, and leaves no process and no file.
# shellcheck disable=SC2016,SC2317 # what is quoted is for other shells; check calls the tests
# shellcheck source=tests/case.sh
. "$(dirname "$0")/../case.sh"
# shellcheck source=tests/project.sh
. "$(dirname "$0")/../project.sh"
set -eu
name=wrong-$$
make_project "$work/project"
cp "$top/tests/workers/misbehaving.c" "$project"
echo "int in_both(void) { return 1; }" >"$project/library.c"
mkdir "$project/data"
echo 1 >"$project/data/file"
cat >"$project/build.sh" <<END
#!/bin/sh
set -e
mkdir -p one two
gcc -O1 -o $name misbehaving.c -pthread
gcc -shared -fPIC -o one/libm.so.6 library.c
gcc -shared -fPIC -o one/libtwice.so library.c
cp one/libtwice.so two/
END
cat >"$project/duel.json" <<'END'
{ "build": "sh build.sh", "benchmarks": [ { "worker": "worker" } ] }
END

# What the worker of the working tree is. usage: write_worker WORDS...
write_worker() {
	printf '#!/bin/sh\nexec env %s\n' "$*" >"$project/worker"
	chmod +x "$project/worker"
}
write_worker "./$name honest"
commit "An honest worker"

# usage: duel ARGUMENTS... : the working tree against the commit
duel() {
	in_tier "$tier" "$bin/duel" run --repository "$project" --out "$results/$tier" --worktree \
		--baseline main --layout fixed --budget 1s --measure-identical --confinement "$tier" "$@"
}

# TESTs: a failed run says all of it, of the program or of whichever benchmark came first.
# usage: says TEXT [TAIL]
says() {
	ended 3 "candidate: worker: $1" && { [ $# -lt 2 ] || said "| $2"; }
}

says_of_a_benchmark() {
	text=$1
	shift
	says "benchmark \"first\": $text" "$@" || says "benchmark \"second\": $text" "$@"
}

# usage: misbehaves SENTENCE "WORDS OF THE WORKER" TEST MESSAGE [TAIL]
misbehaves() {
	sentence="$tier: $1"
	write_worker "./$name $2"
	run duel
	shift 2
	check "$sentence is told" "$@"
	check "$sentence: nothing is left" nothing_is_left "$name"
}

# usage: loads SENTENCE LIBRARIES MESSAGE
loads() {
	write_worker "LD_PRELOAD='$2' ./$name honest"
	run duel
	check "$tier: $1 is told" says "$3"
}

# What depends on how a tier sees, ends and hears processes.
misbehave_in_the_cell() {
	write_worker "./$name honest"
	run duel
	check "$tier: an honest worker passes" ended 0 "confined   $tier"
	misbehaves "a crash, with the last words," "crash run" says_of_a_benchmark \
		'ended instead of answering "run": killed by SIGSEGV' "about to crash"
	misbehaves "a flood of output" "flood-output run" says_of_a_benchmark \
		'printed more than 1048576 bytes on its standard output and error' xxx
	misbehaves "a clock that runs slow" "lie-low" says_of_a_benchmark \
		"the worker's own clock says "
	misbehaves "a process left behind" "daemonise setup" says_of_a_benchmark 'left '
}

# As an ordinary user: what a build locks is locked to us too. Write-protected is no wrong.
lock_files() {
	cp "$project/build.sh" "$work/build.sh"
	write_worker "./$name honest"
	echo 'chmod 555 .' >>"$project/build.sh"
	run duel
	check "$tier: a tree that its build has write-protected is measured" ended 0
	cp "$work/build.sh" "$project/build.sh"
	for locked in data . '"$DUEL_INCLUDE/.."'; do
		echo "chmod 000 $locked" >>"$project/build.sh"
		run duel
		check "$tier: a build that locks $locked is told" ended 3 \
			"Permission denied: a build must leave its files accessible to their owner"
		check "$tier: a build that locks $locked: its side is named" said "candidate: "
		check "$tier: a build that locks $locked: nothing is left" nothing_is_left "$name"
		cp "$work/build.sh" "$project/build.sh"
	done
}

misbehave_in_the_protocol() {
	misbehaves "an early end, with its status," "exit-early setup" says_of_a_benchmark \
		'ended instead of answering "setup": exit status 3'
	misbehaves "an early end without a failure" "exit-0 run" says_of_a_benchmark \
		'ended instead of answering "run": exit status 0'
	misbehaves "a flood before the first word" "flood-errors hello" says \
		'printed more than 1048576 bytes on its standard output and error' xxx
	misbehaves "a reply without end" "flood-line run" says_of_a_benchmark \
		'does not speak the worker protocol: answered "run" with a line of more than'
	misbehaves "garbage" "garbage setup" says_of_a_benchmark \
		'does not speak the worker protocol'
	check "garbage reaches no terminal" no_escapes
	misbehaves "a clock that runs fast" "lie-high" says_of_a_benchmark \
		"the worker's own clock says "
	misbehaves "another protocol" "speak-other" says \
		"speaks version 9 of the worker protocol; this duel knows version 1"
	misbehaves "a name used twice" "twice" says 'has two benchmarks named "first"'
	misbehaves "a worker without benchmarks" "none" says "has no benchmark"
	misbehaves "a worker that does not end" "hang quit" says 'did not answer "quit" within 5 s'
	loads "the system's copy of a library of the tree" libm.so.6 \
		"runs $(readlink -f "$(gcc -print-file-name=libm.so.6)"), which is not its version's"
	loads "a library loaded twice" "one/libtwice.so two/libtwice.so" \
		"has loaded one library twice: "
}

no_escapes() {
	! grep -q "$(printf '\033')" "$work/out" "$work/err"
}

is_first=true
for tier in root userns uid flat; do
	project_for "$tier"
	if is_granted "$tier"; then
		misbehave_in_the_cell
		case $tier in userns | flat) lock_files ;; esac
		! $is_first || misbehave_in_the_protocol
		is_first=false
	else
		skip "misbehaving in the tier $tier" "$(cat "$work/err")"
	fi
done
finish
