#!/bin/bash
# Changes that move code and change nothing else must pass: `make calibrate-layout`
#
# For each change below, RUNS runs (4) of `duel run` on the calibration suite must end with 0, each
# with layouts varied; one link, `--layout fixed`, is shown beside it, which calls some of them slower.
# DUEL_OPTIONS is passed on.
set -euo pipefail
# shellcheck source=tests/calibrate/suite.sh
. "$(dirname "$0")/suite.sh"
runs=${RUNS:-4}
failed=0 passed=0 all_moved=

# usage: compare OPTION... : sets status, slower (names), benchmarks, fixed (how many were not varied) and moved
# (names, a line each, of those whose time changed by more than 1 %)
compare() {
	local artifact=$place/layout.json.zst
	status=0
	# shellcheck disable=SC2086 # options are words
	"$DUEL" run --quiet --measure-identical --repository "$repository" --baseline baseline --candidate candidate \
		--out "$artifact" ${DUEL_OPTIONS:-} "$@" >"$place/layout.txt" 2>&1 || status=$?
	if ((status > 1)); then
		cat "$place/layout.txt" >&2
		exit 1
	fi
	{ read -r benchmarks; read -r fixed; read -r slower; moved=$(cat); } < <(zstd -dcq "$artifact" | python3 -c '
import base64, json, statistics, struct, sys
rows = json.load(sys.stdin)["benchmarks"]
print(len(rows))
print(sum(row["layout"] != "varied" for row in rows))
print(", ".join(row["name"] for row in rows if row["verdict"] == "slower"))
for row in rows:
    packed = base64.b64decode(row["pairs"])
    if abs(statistics.median(struct.unpack("<%di" % (len(packed) // 4), packed))) > 10000:
        print(row["name"])')
}

# usage: change SENTENCE KNOBS-OF-THE-BASELINE KNOBS-OF-THE-CANDIDATE
change() {
	local run
	# shellcheck disable=SC2086 # knobs are words
	suite_commit baseline STAMP=baseline $2
	# shellcheck disable=SC2086
	suite_commit candidate STAMP=candidate $3
	for ((run = 1; run <= runs; run++)); do
		compare
		if ((fixed > 0)); then
			failed=$((failed + 1))
			echo "  FAILED: $1: the layout of $fixed benchmarks was not varied"
		elif ((status == 0)); then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			echo "  FAILED: $1: slower: $slower"
		fi
	done
	compare --layout fixed --strict
	all_moved+=$moved$'\n'
	printf '%-44s varied: %d runs; one link: %s\n' "$1" "$runs" "${slower:-nothing slower}"
}

mkdir -p "$place"
change "objects linked in another order" "" "LINK_ORDER=reverse"
change "16 bytes of padding ahead of each object" "" "PAD=16"
change "48 bytes of padding ahead of each object" "" "PAD=48"
change "functions aligned to 64 bytes" "" "ALIGN=64"
change "symbols renamed, sections sorted by name" "SORT=1" "SORT=1 RENAME=1"
# The environment of a worker is built from nothing, so a caller's variable reaches neither side.
export DUEL_CALIBRATE_VARIABLE=a-value-of-some-length-that-would-move-the-stack
change "an environment variable added" "" ""
echo "$(sort -u <<<"$all_moved" | grep -c .) of $benchmarks benchmarks took 1 % more or less in one link with one of these"
echo "$passed passed, $failed failed, 0 skipped"
((failed == 0))
