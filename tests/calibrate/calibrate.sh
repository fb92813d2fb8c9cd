#!/bin/bash
# False alarms and power of `duel run` on the calibration suite: `make calibrate RUNS=100`
#
# RUNS pairs of commits with nothing planted, and a quarter as many with each of 1, 1.9, 3, 5 and 10 %
# planted in half of the benchmarks, chosen at random. (1.9 and not 2: what is planted at the limit
# must not pass it, and is known to about 0.1 %.) Every finished run is a row of
# build/calibrate/runs.csv; started again, it goes on where it stopped, and with RUNS no larger it only
# prints. PLANTS="0 5" picks some, DUEL_OPTIONS is passed on, CALIBRATE_PLACE is another folder for
# another configuration.
set -euo pipefail
# shellcheck source=tests/calibrate/suite.sh
. "$(dirname "$0")/suite.sh"
runs=${RUNS:-100}
plants=${PLANTS:-0 1 1.9 3 5 10}
rows=$place/runs.csv
mkdir -p "$place"
[[ -s $rows ]] || echo "percent,run,status,benchmarks,planted,caught,planted_unsettled,planted_faster,alarms,faster,unsettled,errors,seconds" >"$rows"

# usage: count_verdicts PLANTED-NAMES <JSON : the columns from `benchmarks` to `seconds`
count_verdicts() {
	python3 -c '
import json, sys
planted = {name for name in sys.argv[1].split(",") if name}
count = dict.fromkeys(["n", "planted", "caught", "pu", "pf", "alarms", "faster", "unsettled", "errors"], 0)
artifact = json.load(sys.stdin)
for row in artifact["benchmarks"]:
    verdict = row["verdict"]
    count["n"] += 1
    if row["name"] in planted:
        count["planted"] += 1
        key = {"slower": "caught", "unsettled": "pu", "faster": "pf", "error": "errors"}.get(verdict)
    else:
        key = {"slower": "alarms", "unsettled": "unsettled", "faster": "faster", "error": "errors"}.get(verdict)
    if key:
        count[key] += 1
print(",".join(str(value) for value in count.values()) + ",%.2f" % artifact["time"]["total"])
' "$1"
}

# usage: one_run PERCENT RUN
one_run() {
	local percent=$1 run=$2 only status=0 counted artifact=$place/last.json.zst
	only=$(suite_pick 16 "$percent-$run")
	# With nothing planted the sides still differ, in a text nobody reads: equal files would not be
	# measured at all.
	suite_commit baseline PLANT_PERCENT=0 "PLANT_ONLY=$only" STAMP=baseline
	suite_commit candidate "PLANT_PERCENT=$percent" "PLANT_ONLY=$only" STAMP=candidate
	# shellcheck disable=SC2086 # options are words
	"$DUEL" run --quiet --measure-identical --repository "$repository" --baseline baseline --candidate candidate \
		--out "$artifact" ${DUEL_OPTIONS:-} >"$place/last.txt" 2>&1 || status=$?
	if ((status > 1)); then
		cat "$place/last.txt" >&2
		echo "calibrate: duel run ended with status $status" >&2
		exit 1
	fi
	[[ $percent != 0 ]] || only=
	counted=$(zstd -dcq "$artifact" | count_verdicts "$only")
	# What was called slower with nothing planted in it (the sixth column) is worth a look.
	if (($(cut -d, -f6 <<<"$counted") > 0)); then
		mkdir -p "$place/alarms" && cp "$artifact" "$place/alarms/$percent-$run.json.zst"
	fi
	echo "$percent,$run,$status,$counted" >>"$rows"
}

summary() {
	tail -n +2 "$rows" | sort -t, -k1,1g -k2,2n | awk -F, '{
		n = $1; if (!suites[n]++) levels[++last] = n
		size = $4; of[n] += $5; caught[n] += $6; open[n] += $7; wrong[n] += $8
		alarms[n] += $9; regressed[n] += $3 == 1; faster[n] += $10; unsettled[n] += $11; errors += $12; seconds[n] += $13
	}
	END {
		print size " benchmarks a suite; planted in 16 of them, chosen at random"
		print ""
		print "                    of the planted                         of the others"
		print "planted    suites   slower              unsettled faster  slower faster  unsettled a suite   seconds a suite"
		for (i = 1; i <= last; i++) {
			n = levels[i]
			share = of[n] ? sprintf("%d of %d, %.1f %%", caught[n], of[n], 100 * caught[n] / of[n]) : "-"
			printf "%-9s  %6d   %-19s %9d %6d  %6d %6d  %17.2f  %16.1f\n", (n > 0 ? sprintf("%.3f", 1 + n / 100) : "nothing"),
				suites[n], share, open[n], wrong[n], alarms[n], faster[n], unsettled[n] / suites[n], seconds[n] / suites[n]
		}
		print ""
		print "suites with nothing planted that end as regressed, all together included: " regressed[0] + 0 " of " suites[0] + 0 (errors ? "; ERRORS: " errors : "")
	}'
}

suite_measure_costs
for ((run = 1; run <= runs; run++)); do
	for percent in $plants; do
		[[ $percent == 0 ]] || ((run * 4 <= runs)) || continue
		grep -q "^${percent//./\\.},$run," "$rows" || one_run "$percent" "$run"
	done
	((run % 10)) || echo "calibrate: $run of $runs" >&2
done
summary
