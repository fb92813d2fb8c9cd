#!/bin/sh
# The calibration suite: every knob builds the same benchmarks, changes what it says and nothing
# else. usage: tests/e2e/calibration-suite.sh
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d /tmp/duel-suite.XXXXXX)
trap 'rm -rf "$work"' EXIT
cp -r tests/calibrate/suite "$work/suite"
rm -rf "$work/suite/build" "$work/suite/config.mk" "$work/suite/plant.h"
DUEL_INCLUDE=$PWD/runner/include
export DUEL_INCLUDE
cd "$work/suite"

fail() {
	echo "FAILED: $*"
	exit 1
}

# usage: build FOLDER KNOB=VALUE...
build() {
	folder=$1
	shift
	make -s -j2 BUILD="$work/$folder" "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
	"$work/$folder/suite" --list | sort >"$work/$folder.list"
	cmp -s "$work/plain.list" "$work/$folder.list" || fail "$folder has other benchmarks"
}

# Function names and sizes in the order of names, without addresses. usage: functions FOLDER
functions() {
	nm -S "$work/$1/suite" | awk '$3 ~ /[tT]/ { print $4, $2 }' | sort
}

# Addresses of the suite's functions. usage: places FOLDER
places() {
	nm "$work/$1/suite" | awk '$2 ~ /[tT]/ { print $3, $1 }' | sort
}

make -s BUILD="$work/plain" >/dev/null
"$work/plain/suite" --list | sort >"$work/plain.list"
[ "$(wc -l <"$work/plain.list")" -ge 31 ] || fail "fewer than 31 benchmarks"
grep -q , "$work/plain.list" && fail "a benchmark's name holds a comma"
functions plain >"$work/plain.functions"
places plain >"$work/plain.places"

for knob in LINK_ORDER=reverse PAD=16 PAD=48 ALIGN=64 SORT=1; do
	build "$knob" "$knob"
	functions "$knob" | cmp -s "$work/plain.functions" - || fail "$knob changed a function"
	places "$knob" | cmp -s "$work/plain.places" - && fail "$knob moved nothing"
	echo "ok: $knob moves functions and changes none"
done
build renamed SORT=1 RENAME=1
functions renamed | cut -d' ' -f2 | sort >"$work/sizes"
cut -d' ' -f2 "$work/plain.functions" | sort | cmp -s - "$work/sizes" || fail "RENAME changed a function"
[ "$(functions renamed | diff "$work/plain.functions" - | grep -c '^>')" = 6 ] ||
	fail "RENAME did not rename six functions"
echo "ok: SORT=1 RENAME=1 renames six functions"

# shellcheck disable=SC1003 # a backslash ends the line of the macro
{ echo '#define PLANT_COSTS \'; sed 's/.*/{"&", 1000},/;$s/,$//;$!s/$/ \\/' "$work/plain.list"; } >plant.h
build planted PLANT_PERCENT=50 PLANT_ONLY="sort: heap,hash: fnv" STAMP=planted
for object in "$work"/plain/*.o "$work"/plain/bench/*.o "$work"/plain/lib/*.o; do
	part=${object#"$work/plain/"}
	cmp -s "$object" "$work/planted/$part" || echo "$part"
done >"$work/changed"
echo plant.o | diff - "$work/changed" || fail "planting changed more than plant.o"
functions planted | cmp -s "$work/plain.functions" - || fail "planting changed a function"
echo "ok: planting changes plant.o only"

make -s plant.h -B BUILD="$work/measured" >/dev/null
[ "$(grep -c '^	{".*", [1-9][0-9]*}' plant.h)" = "$(wc -l <"$work/plain.list")" ] ||
	fail "plant.h does not list every benchmark"
build doubled PLANT_PERCENT=100 PLANT_ONLY="hash: fnv"
# usage: cost FOLDER NAME
cost() {
	"$work/$1/suite" "$2" | awk '$2 == "ns" { print $1 }'
}
printf '%s %s %s %s\n' "$(cost plain "hash: fnv")" "$(cost doubled "hash: fnv")" \
	"$(cost plain "sort: heap")" "$(cost doubled "sort: heap")" |
	awk '{ print "hash: fnv " $2 / $1 ", sort: heap " $4 / $3; exit !($2 / $1 > 1.5 && $4 / $3 < 1.5) }' ||
	fail "100 % planted in one benchmark does not show"
echo "ok: 100 % planted in one benchmark shows, and only there"
