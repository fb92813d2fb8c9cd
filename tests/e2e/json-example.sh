#!/bin/sh
# bench-examples/json: its own test passes plain and with each planted regression, each patch
# applies cleanly and changes one object file only.
# shellcheck source=tests/case.sh
. "$(dirname "$0")/../case.sh"
set -eu

# usage: build VARIANT : the example with that patch, its test passed; status tells
build() {
	cp -r "$top/bench-examples/json" "$work/$1"
	rm -rf "$work/$1/build"
	status=0
	[ "$1" = plain ] || (cd "$work/$1" && git apply "planted/$1.patch") || status=$?
	run make -s -C "$work/$1" CFLAGS=-O2 DUEL_INCLUDE="$top/runner/include" bench check
}

# The object files that differ from the plain ones. usage: changed VARIANT
changed() {
	for object in "$work"/plain/build/src/*.o "$work"/plain/build/bench/*.o; do
		part=${object#"$work/plain/"}
		cmp -s "$object" "$work/$1/$part" || echo "$part"
	done
}

build plain
check "the example passes its test" ended 0 "ok: "
"$work/plain/build/json-bench" --list | sort >"$work/list"
for patch in "$top"/bench-examples/json/planted/*.patch; do
	name=$(basename "$patch" .patch)
	build "$name"
	check "$name applies and passes the example's test" ended 0 "ok: "
	changed "$name" >"$work/changed"
	sed -n 's,^+++ b/\(.*\)\.c$,build/\1.o,p' "$patch" >"$work/touched"
	run diff "$work/touched" "$work/changed"
	check "$name changes no object but its own" ended 0
done

# shellcheck disable=SC2016 # the backquotes are Markdown
sed -n 's/^| `\([a-z].*: .*\)` | .*/\1/p' "$top/bench-examples/json/README.md" | sort >"$work/table"
run diff "$work/table" "$work/list"
check "the README's table names every benchmark" ended 0
rm -rf "$work/plain/build"
run make -s -C "$work/plain" CFLAGS="-O2 -U__SSE2__" DUEL_INCLUDE="$top/runner/include" check
check "the scan without SSE2 passes the example's test" ended 0 "ok: "
finish
