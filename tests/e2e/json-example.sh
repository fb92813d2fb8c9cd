#!/bin/sh
# bench-examples/json: its own test passes plain and with each planted regression, each patch
# applies cleanly and changes one object file only. usage: tests/e2e/json-example.sh
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
work=$(mktemp -d /tmp/duel-json.XXXXXX)
trap 'rm -rf "$work"' EXIT

# usage: build VARIANT
build() {
	cp -r bench-examples/json "$work/$1"
	rm -rf "$work/$1/build"
	[ "$1" = plain ] || (cd "$work/$1" && git apply "planted/$1.patch")
	make -s -C "$work/$1" CFLAGS=-O2 DUEL_INCLUDE="$root/runner/include" bench check >"$work/log" ||
		{ cat "$work/log"; exit 1; }
	"$work/$1/build/json-bench" --list >"$work/$1/list"
}

build plain
for patch in bench-examples/json/planted/*.patch; do
	name=$(basename "$patch" .patch)
	build "$name"
	diff "$work/plain/list" "$work/$name/list"
	changed=
	for object in "$work"/plain/build/src/*.o "$work"/plain/build/bench/*.o; do
		part=${object#"$work/plain/"}
		cmp -s "$object" "$work/$name/$part" || changed="$changed $part"
	done
	touched=$(sed -n 's,^+++ b/\(.*\)\.c$, build/\1.o,p' "$patch")
	[ "$changed" = "$touched" ] || { echo "$name: changed$changed, patch touches$touched"; exit 1; }
	echo "ok: $name passes the example's test and changes$changed only"
done

# The table in the README names every benchmark, and nothing else.
# shellcheck disable=SC2016 # the backquotes are Markdown
sed -n 's/^| `\([a-z].*: .*\)` | .*/\1/p' bench-examples/json/README.md | sort >"$work/table"
sort "$work/plain/list" | diff - "$work/table"
make -s -C "$work/plain" clean
make -s -C "$work/plain" CFLAGS="-O2 -U__SSE2__" DUEL_INCLUDE="$root/runner/include" check >"$work/log"
echo "ok: the README's table; the scan without SSE2"
