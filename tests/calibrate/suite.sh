# Sourced by the calibration scripts: commits of the calibration suite that are compiled once.
#
# A commit holds the suite's sources and objects, and its build only links them, so that hundreds of
# runs of the real `duel run` cost what measuring costs. Objects are compiled by the suite's own
# Makefile; variants differ in the knobs it offers (`make help` there).
# shellcheck shell=bash

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
DUEL=${DUEL:-$top/build/cc/duel}
[[ $DUEL == /* ]] || DUEL=$PWD/$DUEL
suite=$top/tests/calibrate/suite
place=${CALIBRATE_PLACE:-$top/build/calibrate}
repository=$place/repository

suite_git() {
	GIT_DIR=$repository/.git GIT_INDEX_FILE=$place/index git -c core.bare=false \
		-c user.name=calibrate -c user.email=calibrate@localhost -c gc.auto=0 "$@"
}

# The costs of an iteration, measured once: on a quiet machine.
suite_measure_costs() {
	mkdir -p "$place"
	if [[ ! -s $place/plant.h ]]; then
		cp -r "$suite" "$place/costs"
		echo "calibrate: measuring what an iteration of each benchmark costs" >&2
		make -s -C "$place/costs" DUEL_INCLUDE="$top/runner/include" plant.h >/dev/null
		cp "$place/costs/plant.h" "$place/plant.h"
		rm -rf "$place/costs"
	fi
	sed -n 's/.*{"\([^"]*\)", .*/\1/p' "$place/plant.h" >"$place/names"
}

# What the suite's own Makefile compiles with these knobs, into a folder that is kept.
suite_objects() {
	local knob key=objects
	for knob; do
		case $knob in
		PLANT_* | STAMP=* | LINK_ORDER=*) ;;
		*) key+=-$knob ;;
		esac
	done
	if [[ ! -d $place/$key ]]; then
		rm -rf "$place/$key.part"
		cp -r "$suite" "$place/$key.part"
		cp "$place/plant.h" "$place/$key.part/"
		make -s -j2 -C "$place/$key.part" DUEL_INCLUDE="$top/runner/include" "$@" >/dev/null
		mv "$place/$key.part" "$place/$key"
	fi
	echo "$place/$key"
}

# usage: suite_commit BRANCH [KNOB=VALUE...] : a commit of the suite with these knobs
suite_commit() {
	local branch=$1 tree=$place/tree objects commit
	shift
	objects=$(suite_objects "$@")
	rm -rf "$tree"
	cp -r "$objects" "$tree"
	printf '%s\n' "$@" >"$tree/config.mk"
	rm -f "$tree/.gitignore" "$tree/build/suite" "$tree/build/plant.o"
	make -s -C "$tree" DUEL_INCLUDE="$top/runner/include" build/plant.o
	cat >"$tree/duel.json" <<-'END'
		{
			// The objects are part of the commit: made newer than their sources, only links are left.
			"build": "touch build/*.o build/*/*.o && touch build/libsuite.a && make -s bench",
			"benchmarks": [ { "worker": "build/suite" } ]
		}
	END
	[[ -d $repository/.git ]] || git init -q "$repository"
	suite_git --work-tree="$tree" add -A -f .
	commit=$(suite_git commit-tree -m "$branch: $*" "$(suite_git write-tree)")
	suite_git update-ref "refs/heads/$branch" "$commit"
	rm -rf "$tree"
}

# usage: suite_pick COUNT SEED : that many names of benchmarks, at random, joined by commas
suite_pick() {
	shuf -n "$1" --random-source=<(yes "$2") "$place/names" | paste -sd,
}
