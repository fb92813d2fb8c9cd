#!/bin/sh
# The calibration suite: every knob builds the same benchmarks, changes what it says and nothing
# else.
# shellcheck disable=SC2317 # the tests are called by check
# shellcheck source=tests/case.sh
. "$(dirname "$0")/../case.sh"
set -eu
cp -r "$top/tests/calibrate/suite" "$work/suite"
DUEL_INCLUDE=$top/runner/include
export DUEL_INCLUDE
cd "$work/suite"
rm -rf build config.mk plant.h

# usage: build VARIANT KNOB=VALUE... : build/VARIANT, with the benchmarks' names beside it
build() {
	variant=$1
	shift
	run make -s -j2 BUILD="build/$variant" "$@"
	[ "$status" -ne 0 ] || "build/$variant/suite" --list | sort >"build/$variant/names"
}

# A TEST: the last build ended well, and with the benchmarks of the plain one.
built() {
	[ "$status" -eq 0 ] && cmp "build/plain/names" "build/$variant/names"
}

# Names and sizes of the functions; names and places. usage: functions VARIANT, places VARIANT
functions() {
	nm -S "build/$1/suite" | awk '$3 ~ /[tT]/ { print $4, $2 }' | sort
}

places() {
	nm "build/$1/suite" | awk '$2 ~ /[tT]/ { print $3, $1 }' | sort
}

# TESTs on a variant against the plain build. usage: same functions VARIANT
same() {
	"$1" plain >build/wanted
	"$1" "$2" | cmp -s build/wanted -
}

differ() {
	! same "$1" "$2"
}

is_whole() {
	[ "$(wc -l <build/plain/names)" -ge 31 ] && ! grep , build/plain/names
}

renames_six() {
	functions SORT=1 | cut -d' ' -f2 | sort >build/wanted
	functions RENAME=1 | cut -d' ' -f2 | sort | cmp build/wanted - || return 1
	functions SORT=1 >build/wanted
	[ "$(functions RENAME=1 | diff build/wanted - | grep -c '^>')" = 6 ]
}

# A TEST: of all object files only plant.o differs. usage: plants_only VARIANT
plants_only() {
	for object in build/plain/*.o build/plain/*/*.o; do
		part=${object#build/plain/}
		cmp -s "$object" "build/$1/$part" || echo "$part"
	done >build/changed
	[ "$(cat build/changed)" = plant.o ]
}

lists_all_costs() {
	[ "$(grep -c '^	{".*", [1-9][0-9]*}' plant.h)" = "$(wc -l <build/plain/names)" ]
}

# Nanoseconds of an iteration. usage: cost VARIANT NAME
cost() {
	"build/$1/suite" "$2" | awk '$2 == "ns" { print $1 }'
}

# TESTs: the second is at least one and a half times the first. usage: is_larger NUMBER NUMBER
is_larger() {
	echo "$1 $2" | awk '{ exit !($2 > 1.5 * $1) }'
}

is_no_larger() {
	! is_larger "$1" "$2"
}

build plain
check "the suite has 31 benchmarks or more, no comma in their names" is_whole
for knob in LINK_ORDER=reverse PAD=16 PAD=48 ALIGN=64 SORT=1; do
	build "$knob" "$knob"
	check "$knob builds the same benchmarks" built
	check "$knob changes no function" same functions "$knob"
	check "$knob moves functions" differ places "$knob"
done
build RENAME=1 SORT=1 RENAME=1
check "RENAME=1 builds the same benchmarks" built
check "RENAME=1 renames six functions and changes none" renames_six

run make -s plant.h BUILD=build/costs
check "the costs of all benchmarks are measured" lists_all_costs
build planted PLANT_PERCENT=100 PLANT_ONLY="hash: fnv,sort: heap" STAMP=planted
check "planting builds the same benchmarks" built
check "planting changes no object but plant.o" plants_only planted
check "planting changes no function" same functions planted
for name in "hash: fnv" "sort: heap" "checksum: crc32"; do
	plain=$(cost plain "$name")
	planted=$(cost planted "$name")
	if [ "$name" = "checksum: crc32" ]; then
		check "100 % planted elsewhere does not show in $name" \
			is_no_larger "$plain" "$planted"
	else
		check "100 % planted in $name shows" is_larger "$plain" "$planted"
	fi
done
finish
