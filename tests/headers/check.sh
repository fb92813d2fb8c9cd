#!/bin/sh
# Compile the public header under every language version it promises, with the examples of its own
# comments, and every other header of the tree alone. usage: tests/headers/check.sh
# A compiler that is not installed is a skip.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d /tmp/duel-headers.XXXXXX)
trap 'rm -rf "$work"' EXIT

public_warnings="-Wall -Wextra -pedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wcast-qual -Wwrite-strings -Wmissing-declarations -Werror"
house_warnings="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef -Werror"
compiled=0

have() {
	command -v "$1" >/dev/null && return 0
	echo "ok - duel.h compiles with $1 # SKIP not installed"
	return 1
}

# The examples of duel.h: what stands behind " *<tab>" in its comments, the first a whole program.
sed -n 's/^ \*\t//p' runner/include/duel.h >"$work/examples"
awk '{ print } /^}/ && !first++ { print "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n" }' \
	"$work/examples" >"$work/main.c"
cat >"$work/second.c" <<'END'
#include <stdio.h>
#include "duel.h"
DUEL_BENCHMARK("second file")
{
	duel_keep(1);
}
END
sed -i 's/1/1/' "$work/second.c"
examples=$(grep -c '^DUEL_BENCHMARK' "$work/main.c")
[ "$examples" -ge 6 ] || { echo "not ok - duel.h has examples in its comments ($examples found)"; exit 1; }

# usage: try COMPILER LANGUAGE STANDARD
try() {
	for optimise in -O0 -O2; do
		# shellcheck disable=SC2086 # the warnings are words
		"$1" -x "$2" "-std=$3" $optimise $public_warnings -Irunner/include \
			"$work/main.c" "$work/second.c" -o "$work/worker"
		"$work/worker" --list >"$work/list"
		printf '%s\n' 'sum: 1,000 numbers' 'parse: empty object' 'square root' \
			'client: round trip' strlen 'clear: 64 bytes' 'clear: 4096 bytes' 'second file' |
			diff - "$work/list"
		compiled=$((compiled + 1))
	done
	echo "ok - duel.h compiles with $1 as $3, its examples included"
}

for compiler in gcc clang; do
	have $compiler || continue
	for standard in c99 c11 c17 c2x gnu11; do
		try $compiler c $standard
	done
done
for compiler in g++ clang++; do
	have $compiler || continue
	for standard in c++11 c++14 c++17 c++20; do
		try $compiler c++ $standard
	done
done
[ "$compiled" -gt 0 ] || { echo "not ok - no compiler found"; exit 1; }

# A header alone: one declaration behind it keeps -Wpedantic from refusing an empty unit.
alone=0
flags=$(pkg-config --cflags libseccomp libgit2 libcjson libzstd 2>/dev/null || true)
find sandbox runner commenter -name '*.h' -not -path 'runner/include/*' >"$work/headers" 2>/dev/null || true
while IFS= read -r header; do
	printf '#include "%s"\nextern int alone;\n' "$header" >"$work/alone.c"
	for compiler in gcc clang; do
		command -v $compiler >/dev/null || continue
		# shellcheck disable=SC2086 # the warnings are words
		$compiler -std=c11 -I. -D_GNU_SOURCE $flags $house_warnings -fsyntax-only "$work/alone.c" ||
			{ echo "not ok - $header stands alone"; exit 1; }
		alone=$((alone + 1))
	done
done <"$work/headers"
echo "ok - every other header stands alone ($alone checks)"
