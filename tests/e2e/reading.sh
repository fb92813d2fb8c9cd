#!/bin/sh
# The verbs that read: report, judge and merge on artifacts an independent writer made, on hostile
# ones, and on one of a real run; list on the repository of that run.
# shellcheck disable=SC2016,SC2317 # backquotes are Markdown; functions are called by check
# shellcheck source=tests/case.sh
. "$(dirname "$0")/../case.sh"
cd "$top" || exit 1
schema=runner/artifact/schema.json

# usage: make_artifact FILE WORDS... (of make.py)
make_artifact() {
	artifact=$1
	shift
	python3 tests/artifact/make.py "$@" >"$work/document" && zstd -q -f "$work/document" -o "$artifact"
}

# usage: valid FILE : a TEST: the validator takes the artifact's document
valid() {
	zstd -q -d -f "$1" -o "$work/document" && python3 tests/artifact/validate.py "$schema" "$work/document"
}

first_line() {
	head -n 1 "$work/out" | grep -qF -e "$1"
}

a=$work/a.zst b=$work/b.zst out="$work/decided"
make_artifact "$a" 'parse: small=1' 'parse: "big", all=1.06' 'a `tick` | @octocat=1.012'
make_artifact "$b" 'generate=1.001' 'candidate.subject:"made by a test"'

run "$DUEL" judge --out "$out" "$a"
check "judge decides what another program wrote" ended 1 "regressed: 1 of 3 benchmarks is slower (limit +2 %)"
check "judge writes an artifact the schema takes" valid "$out"
run "$DUEL" report "$out"
check "report shows it again and ends with 0" ended 0 "regressed: 1 of 3 benchmarks is slower"
cp "$work/out" "$work/shown"
run "$DUEL" judge "$out"
check "judged again under the same limits the report is the same" cmp "$work/out" "$work/shown"

run "$DUEL" report --format markdown "$out"
check "Markdown has the verdict in its first line" first_line "regressed: 1 of 3 benchmarks is slower"
check "Markdown shows foreign text as code" said '| ``a `tick` ``&#124;` @octocat` | same |'
run "$DUEL" report "$out" --format csv
python3 -c 'import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
print([(row["benchmark"], row["verdict"]) for row in rows] == [("parse: small", "same"), ("parse: \"big\", all", "slower"), ("a `tick` | @octocat", "same")])' "$work/out" >"$work/read"
check "CSV is read by another program" grep -qx True "$work/read"
run "$DUEL" report "$out" --format=json
python3 -c 'import json, sys
found = json.load(open(sys.argv[1]))
print(found["format"], found["verdict"], [item["verdict"] for item in found["benchmarks"]], found["benchmarks"][1]["pairs_count"])' "$work/out" >"$work/read"
check "JSON is read by another program" grep -qxF "duel-results regressed ['same', 'slower', 'same'] 40" "$work/read"
status=0
"$DUEL" report - <"$out" >"$work/out" 2>"$work/err" || status=$?
check "a dash is standard input" cmp "$work/out" "$work/shown"

run "$DUEL" judge --limit-cpu 1.2 --across 1.2 --out "$work/looser" "$out"
check "under looser limits it passes" ended 0 "passed: none of 3 benchmarks is slower (limit +20 %)"
check "and says whose limits these are" said "from duel judge (cpu 1.2, across 1.2), all else a test"
run "$DUEL" report "$work/looser"
check "the verdict is in the new artifact" ended 0 "passed: none of 3 benchmarks is slower (limit +20 %)"
run "$DUEL" judge --limit-cpu 1.005 "$out"
check "under tighter limits more is slower" ended 1 "regressed: 2 of 3 benchmarks are slower"
run "$DUEL" judge --limit-cpu 1 "$out"
check "a limit out of range is refused" ended 2 "--limit-cpu '1': give a ratio from 1.001 to 10, such as 1.02"
run "$DUEL" judge --confidence 99 "$out"
check "a confidence out of range is refused" ended 2 "--confidence '99': give a confidence from 0.9 to 0.9999"

run "$DUEL" merge "$a" "$b" --out "$work/merged"
check "shards are one run" ended 1 "regressed: 1 of 4 benchmarks is slower"
check "merge writes an artifact the schema takes" valid "$work/merged"
run "$DUEL" merge "$a" "$a"
check "a benchmark of two shards is refused" ended 2 "benchmark 'parse: small' is in $a and in $a: each belongs to one shard"
make_artifact "$work/other" 'x=1' "candidate.commit:\"$(printf %040d 7)\""
run "$DUEL" merge "$b" "$work/other"
check "shards of other versions are refused" ended 2 "$b and $work/other are of different versions: candidate "
make_artifact "$work/other" 'x=1' 'limits.confidence:0.95'
run "$DUEL" merge "$b" "$work/other"
check "shards of other limits are refused" ended 2 "$b and $work/other have different limits: confidence 0.99 and 0.95"

# usage: refuse SENTENCE MESSAGE : report, judge and merge of $work/bad end with 6 and one line
refuse() {
	for verb in report judge merge; do
		run "$DUEL" "$verb" "$work/bad"
		check "$verb refuses $1" ended 6 "duel: $work/bad: $2"
		[ "$(cat "$work/out" "$work/err" | wc -l)" -eq 1 ] || not_ok "$verb refuses $1 in one line"
	done
}
: >"$work/bad"
refuse "an empty file" "the file is empty"
head -c 5000 /dev/urandom | tr '\050' x >"$work/bad"
refuse "noise" "not a zstd frame: this is no artifact of duel"
head -c 700 "$a" >"$work/bad"
refuse "half an artifact" "damaged: "
cat "$a" "$a" >"$work/bad"
refuse "two artifacts in one file" "damaged: "
head -c 200000000 /dev/zero | zstd -q -f -o "$work/bad"
refuse "a bomb" "more than 16777216 bytes uncompressed"
make_artifact "$work/bad" 'x=1' 'major:2'
refuse "another major" "written by a newer duel (format 2.0, this one reads 1.x): upgrade duel"
make_artifact "$work/bad" 'x=1' 'x=1'
refuse "a name twice" "benchmarks: 'x' is there twice"
make_artifact "$work/bad" 'x=1' 'notes:["a\u202eb"]'
refuse "text that turns around" "notes: holds characters that cannot be shown"
make_artifact "$work/bad" 'x=1' 'extra:1'
refuse "an unknown member" "extra: unknown member"
make_artifact "$work/newer" 'x=1' 'minor:9' 'extra:[{"new":1}]'
run "$DUEL" judge "$work/newer"
check "a newer minor is read" ended 0 "the one benchmark is not slower"
run "$DUEL" report "$work/nowhere"
check "a missing file is said" ended 7 "$work/nowhere: No such file or directory"
run "$DUEL" judge
check "no file is said" ended 2 "which artifact? duel judge FILE"

# A real run, of a command that any machine has.
mkdir "$work/a project" && cd "$work/a project" || exit 1
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@localhost GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@localhost
echo '{ "build": "true", "benchmarks": [ { "name": "cli: true", "command": ["/bin/true"] } ] }' >duel.json
git init -q && git add -A && git commit -q -m first && git branch -M main && git checkout -q -b change
echo '{ "build": "true", "benchmarks": [ { "name": "cli: true", "command": ["/bin/true"] },
	{ "name": "cli: false", "command": ["/bin/sh", "-c", "exit 0"] } ] }' >duel.json
git commit -q -a -m second
run "$DUEL" run --budget 1s --report "$work/r.md" --report "$work/r.csv" --report "$work/r.json"
check "a run writes its reports" ended 0
cd "$top" || exit 1
check "its artifact is what the schema says" valid "$work/a project/duel-1.json.zst"
check "it says with what each benchmark was run" grep -q '^cli: true,/bin/true,' "$work/r.csv"
for format in markdown.md csv.csv json.json; do
	run "$DUEL" report --format "${format%.*}" "$work/a project/duel-1.json.zst"
	check "report gives the same ${format%.*} as the run" cmp "$work/out" "$work/r.${format#*.}"
done
run "$DUEL" run --repository "$work/a project" --report r.pdf
check "an ending that is no format is refused" ended 2 "--report 'r.pdf': give a file that ends in .txt, .md, .json or .csv"
run "$DUEL" list --repository "$work/a project"
check "list names the benchmarks of both sides" ended 0 "cli: true"
check "and whose they are" said "  cli: false"
finish
