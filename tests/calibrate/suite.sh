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

# How many steps are one iteration, measured once: on a quiet machine. One link's costs are its
# layout's, up to 10 % off and the planted share with them; so the costs are what runs of the suite
# with itself show, medians of many layouts. And steps disturb some benchmarks beyond their own time:
# what 1.9 % is found to cost in the same manner corrects the costs, twice.
suite_measure_costs() {
	mkdir -p "$place"
	if [[ ! -s $place/plant.h ]]; then
		echo "calibrate: measuring what an iteration of each benchmark costs" >&2
		: >"$place/costs"
		suite_correct 0
		suite_correct 1.9
		suite_correct 1.9
	fi
	sed -n 's/.*{"\([^"]*\)", .*/\1/p' "$place/plant.h" >"$place/names"
}

# usage: suite_correct PERCENT : three runs with so much planted correct the costs, and plant.h
suite_correct() {
	local run
	suite_commit baseline STAMP=baseline
	suite_commit candidate STAMP=candidate "PLANT_PERCENT=$1"
	for run in 1 2 3; do
		"$DUEL" run --quiet --repository "$repository" --baseline baseline --candidate candidate \
			--out "$place/costs-$run.json.zst" >"$place/costs.txt" 2>&1 || (($? == 1)) ||
			{ cat "$place/costs.txt" >&2; exit 1; }
	done
	for run in 1 2 3; do zstd -dcq "$place/costs-$run.json.zst"; done |
		suite_correct_costs "$1" "$place/costs" >"$place/costs.new"
	mv "$place/costs.new" "$place/costs"
	rm -rf "$place/plant"
	cp -r "$suite" "$place/plant"
	# Only what is found in the end counts: the step may be any.
	make -s -C "$place/plant" DUEL_INCLUDE="$top/runner/include" STEP_NS=0.6 COSTS="$place/costs" plant.h >/dev/null
	mv "$place/plant/plant.h" "$place/plant.h"
	rm -rf "$place/plant"
}

# usage: suite_correct_costs PERCENT COSTS <ARTIFACTS : a list of costs, as the suite prints it by hand
suite_correct_costs() {
	python3 -c '
import base64, json, math, statistics, struct, sys
percent, costs, seen = float(sys.argv[1]), {}, {}
for line in open(sys.argv[2]):
    cost, name = line.split("  ")[0].split()[0], line.split("  ")[1]
    costs[name] = float(cost)
text, at = sys.stdin.read(), 0
while at < len(text):
    artifact, at = json.JSONDecoder().raw_decode(text, at)
    at += len(text[at:]) - len(text[at:].lstrip())
    for row in artifact["benchmarks"]:
        packed = base64.b64decode(row["pairs"])
        logs = struct.unpack("<%di" % (len(packed) // 4), packed)
        seen.setdefault(row["name"], []).extend(
            [row["baseline_ns"], row["candidate_ns"]] if percent == 0 else [math.exp(log / 1e6) - 1 for log in logs])
for name, values in seen.items():
    cost = statistics.median(values) if percent == 0 else costs[name] * percent / 100 / statistics.median(values)
    print("%.3f ns  %s  ()" % (cost, name))
' "$1" "$2"
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
	[[ ! -s $place/plant.h ]] || cp "$place/plant.h" "$tree/"
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
