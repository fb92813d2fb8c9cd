#!/bin/sh
# The planted regressions of bench-examples/json: each is found, and only in benchmarks that reach
# it, as its README's table says; equal commits pass.
# shellcheck disable=SC2317 # the tests are called by check
# shellcheck source=tests/case.sh
. "$(dirname "$0")/../case.sh"
# shellcheck source=tests/project.sh
. "$(dirname "$0")/../project.sh"
set -eu
make_project "$work/project"
cp -r "$top/bench-examples/json/." "$project"
rm -rf "$project/build"
commit "A JSON library"

# Who reaches the plant. usage: reaching COLUMN : their names
reaching() {
	# shellcheck disable=SC2016 # the backquotes are Markdown
	awk -F '|' -v column="$1" '
		/^\| benchmark/ { for (i = 3; i < NF; i++) if ($i ~ " " column " ") at = i }
		at && /^\| `/ && $at ~ /yes/ { gsub(/^ `|` $/, "", $2); print $2 }' \
		"$project/README.md" | sort
}

# The benchmarks of the last run with that verdict. usage: with_verdict VERDICT
with_verdict() {
	python3 - "$results/report.csv" "$1" <<-'END' | sort
		import csv, sys
		for row in csv.DictReader(open(sys.argv[1], newline="")):
		    if row["verdict"] == sys.argv[2]:
		        print(row["benchmark"])
	END
}

duel() {
	"$DUEL" run --repository "$project" --out "$results/artifact" \
		--report "$results/report.csv" --baseline main --budget 10s "$@"
}

# TESTs on the lists.
reach_it() {
	[ -s "$work/reaching" ] && [ -z "$(comm -23 "$work/slower" "$work/reaching")" ]
}

found_one() {
	[ -n "$(comm -12 "$work/slower" "$work/reaching")" ]
}

is_empty() {
	[ ! -s "$1" ]
}

for plant in extra-copy byte-scan options-pass; do
	git checkout -q -b "$plant" main
	git apply "planted/$plant.patch"
	commit "Plant $plant"
	run duel --candidate "$plant"
	check "$plant fails the run" ended 1 "duel: regressed"
	reaching "$plant" >"$work/reaching"
	with_verdict slower >"$work/slower"
	check "$plant: a benchmark that reaches it is slower" found_one
	check "$plant: no benchmark is slower that does not reach it" reach_it
done
run duel --candidate main --measure-identical
check "equal commits pass" ended 0 "duel: passed"
with_verdict slower >"$work/slower"
check "equal commits: no benchmark is slower" is_empty "$work/slower"
finish
