# Sourced by end-to-end tests after case.sh: projects in git, another user, what a run leaves behind.
#
#   . "$(dirname "$0")/../project.sh"
#   make_project "$work/a project"     an empty repository, branch main; `git` works in it from now on
#   commit "Subject"                   everything in it
#   as_user CMD...                     as an ordinary user: a stranger's uid where we are root
#   in_tier TIER CMD...                as whom that tier is for
#   check "nothing is left" nothing_is_left NAME
#
# TMPDIR and $results are directories of the test's own which everybody may write. $bin/duel is a
# copy of the program that every user can reach.
# shellcheck shell=sh disable=SC2154 # work and status are case.sh's

user=54321
bin=$work/bin
chmod 711 "$work"
mkdir -m 755 "$bin"
results=$work/results
mkdir -m 1777 "$work/tmp" "$results"
cp "$DUEL" "$(dirname "$DUEL")/duel-ld" "$bin"
TMPDIR=$work/tmp
GIT_CONFIG_GLOBAL=/dev/null
GIT_CONFIG_SYSTEM=/dev/null
export TMPDIR GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM

git() {
	command git -C "$project" -c user.name=test -c user.email=test@localhost \
		-c core.hooksPath=/dev/null -c safe.directory='*' "$@"
}

make_project() {
	project=$1
	mkdir -p "$project"
	git init -q
	git symbolic-ref HEAD refs/heads/main
}

commit() {
	git add -A
	git commit -q -m "$1"
}

is_root() {
	[ "$(id -u)" = 0 ]
}

as_user() {
	if is_root; then
		HOME=$TMPDIR setpriv --reuid "$user" --regid "$user" --clear-groups "$@"
	else
		"$@"
	fi
}

in_tier() {
	tier=$1
	shift
	case $tier in
	root | uid) "$@" ;;
	*) as_user "$@" ;;
	esac
}

# Give the project to whom the tier is for. usage: project_for TIER
project_for() {
	! is_root || case $1 in
	root | uid) chown -R 0:0 "$project" ;;
	*) chown -R "$user:$user" "$project" ;;
	esac
}

# A TEST: this machine grants the tier; else the last command said why not.
is_granted() {
	run in_tier "$1" sh -c 'cd / && exec "$@"' sh "$bin/duel" sandbox --confinement "$1" -- true
	[ "$status" -eq 0 ]
}

# A TEST: of the runs no process of that name is left, and no file.
nothing_is_left() {
	[ -z "$(ls -A "$TMPDIR")" ] && ! grep -qsx -e "$1" /proc/[0-9]*/comm
}

# A project of one short benchmark, "spin", that two commits on main have alike; its program is
# called $1-bench. usage: make_small_project NAME DIR
make_small_project() {
	make_project "$2"
	cat >"$project/duel.json" <<-END
		{ "build": "make -s", "benchmarks": [ { "worker": "$1-bench" } ] }
	END
	# shellcheck disable=SC2016 # make's dollars
	printf '%s-bench: bench.c\n\tcc -O1 -I"$(DUEL_INCLUDE)" -o $@ bench.c\n' "$1" \
		>"$project/Makefile"
	cat >"$project/bench.c" <<-'END'
		#define DUEL_MAIN
		#include "duel.h"

		DUEL_BENCHMARK("spin")
		{
			unsigned x = 1;

			for (unsigned turns = 0; turns < 2000; turns++)
				duel_keep(x = x * 1664525 + 1013904223);
		}
	END
	commit "Spin"
	echo "/* the same */" >>"$project/bench.c"
	commit "Say something"
}
