#!/bin/sh
# Who may run it, where, and what it says where it cannot confine: as root and as an ordinary user,
# in paths with blanks, from a linked worktree and from a folder below the top.
# shellcheck disable=SC2317 # the tests are called by check
# shellcheck source=tests/case.sh
. "$(dirname "$0")/../case.sh"
# shellcheck source=tests/project.sh
. "$(dirname "$0")/../project.sh"
set -eu
make_small_project "where-$$" "$work/a project"
mkdir -p "$project/a folder"
echo text >"$project/a folder/file"
commit "A folder"
git worktree add -q "$project/linked tree" -b linked
flags="--layout fixed --budget 500ms --measure-identical --baseline main~1"
gcc -Wall -Wextra -Werror -O1 -o "$bin/deny" "$top/tests/e2e/confine/deny.c" -lseccomp

# From a folder. usage: duel_in FOLDER ARGUMENTS...
duel_in() (
	cd "$1"
	shift
	# shellcheck disable=SC2086 # the flags are words
	exec "$bin/duel" run $flags "$@"
)

# As an ordinary user. usage: user_duel ARGUMENTS...
user_duel() {
	# shellcheck disable=SC2086 # the flags are words
	as_user "$@" "$bin/duel" run --repository "$project" --out "$results/artifact" $flags
}

# TESTs: refused before anything is built, by the property and with the cure.
# usage: refused PROPERTY CURE
refused() {
	ended 4 "nothing provides '$1'" && said "$2" && ! said "building"
}

one_of() {
	said "$1" || said "$2"
}

run duel_in "$project"
check "it runs at the top of a repository" ended 0 "duel: passed"
check "the artifact is put where it runs" test -s "$project/duel-1.json.zst"
# shellcheck disable=SC2086 # the flags are words
run sh -c 'umask 077 && exec "$@" 2>&-' - "$bin/duel" run --repository "$project" --out "$work/artifact" $flags
check "it runs without standard error, whatever the umask" ended 0 "duel: passed"
run duel_in "$project/a folder"
check "it runs in a folder below" ended 0 "duel: passed"
check "the artifact is put there" test -s "$project/a folder/duel-1.json.zst"
run duel_in "$project/linked tree"
check "it runs in a linked worktree" ended 0 "(linked)"

if is_root; then
	run duel_in "$project"
	check "root is in a tier with own uids" one_of "confined   root" "confined   uid"
	run "$bin/deny" clone3 -- "$bin/duel" sandbox -- true
	check "root needs no clone3, as in a container" ended 0
	run "$bin/deny" clone3 namespaces -- "$bin/duel" sandbox --confinement uid -- id -u
	check "root without namespaces has the tier uid" ended 0
	run "$bin/deny" clone3 namespaces landlock -- "$bin/duel" run --repository "$project"
	check "root is refused where nothing is granted" refused writes "CAP_SYS_ADMIN"
	run duel_in "$project" --confinement flat
	check "root gets no tier that would leave it root" ended 4 "is for ordinary users"
	chown -R "$user:$user" "$project"
else
	skip "root runs it, and is refused where nothing is granted" "only root can show it"
fi

run user_duel env
check "an ordinary user runs it" ended 0 "duel: passed"
check "an ordinary user is in a tier without own uids" one_of "confined   userns" "confined   flat"
if is_granted flat; then
	run user_duel "$bin/deny" clone3 namespaces --
	check "without namespaces an ordinary user is in the tier flat" ended 0 "confined   flat"
else
	skip "without namespaces an ordinary user is in the tier flat" "$(cat "$work/err")"
fi
run user_duel "$bin/deny" clone3 namespaces landlock --
check "an ordinary user is refused where nothing is granted" refused writes "run as root (sudo), or allow"
run user_duel "$bin/deny" seccomp --
check "without system call filters nothing is run" refused "system calls" CONFIG_SECCOMP_FILTER
run as_user "$bin/deny" clone3 namespaces landlock -- "$bin/duel" sandbox -- "$bin/duel" version
check "nor is a single command" refused writes "run as root (sudo), or allow"
run as_user "$bin/deny" clone3 namespaces landlock -- "$bin/duel" doctor
check "the doctor says so too" said "refuse"
run as_user "$bin/duel" list --repository "$project" --confinement root
check "a tier that is not for this user is refused" ended 4 "tier 'root': needs root"
run "$bin/duel" run --repository "$project" --confinement refuse
check "nobody can ask for no confinement" ended 2 "give auto, root, userns, uid or flat"
check "nothing is left" nothing_is_left "where-$$-bench"
finish
