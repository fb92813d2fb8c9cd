#!/bin/sh
# What make install puts in place works from there, in paths with blanks, and its manual is complete.
# shellcheck source=tests/case.sh
. "$(dirname "$0")/../case.sh"
cd "$top" || exit 1

run make --no-print-directory CC=gcc DESTDIR="$work/a root" PREFIX=/opt/duel install
check "make install ends well" ended 0
installed="$work/a root/opt/duel"
check "the link recorder is installed beside the program" test -x "$installed/libexec/duel/duel-ld"
for header in runner/include/*.h; do
	check "$(basename "$header") is installed" cmp -s "$header" "$installed/include/$(basename "$header")"
done
run "$installed/bin/duel" version
check "the installed program says its version" said "duel $(sed -n 's/^## \([0-9.]*\).*/\1/p' NEWS.md | head -n 1)"

# The manual names every verb and every option the program has, and no other option.
mandoc -Tascii "$installed/share/man/man1/duel.1" | sed 's/.\x08//g' >"$work/manual"
"$installed/bin/duel" help | sed -n 's/^  \([a-z]*\) .*/\1/p' | grep -vE '^(help|version)$' >"$work/verbs"
run grep -c . "$work/verbs"
while read -r verb; do
	check "the manual explains duel $verb" grep -qwF "duel $verb" "$work/manual"
done <"$work/verbs"
for verb in run list report judge merge; do "$installed/bin/duel" $verb --help; done | sed -n 's/^  \(--[a-z-]*\).*/\1/p' | sort -u >"$work/options"
grep -o -e '--[a-z-]\{1,\}' "$work/manual" | sort -u >"$work/explained"
run comm -23 "$work/options" "$work/explained"
check "the manual explains every option of every verb" test ! -s "$work/out"

# A whole run from there, on a repository whose path has blanks, in a working directory of its own.
mkdir "$work/a project" && cp -r bench-examples/json/. "$work/a project" && cd "$work/a project" || exit 1
rm -rf build
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@localhost GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@localhost
git init -q && git add -A && git commit -q -m first && git branch -M main
git checkout -q -b change && git apply planted/byte-scan.patch && git commit -q -a -m second
run "$installed/bin/duel" run --only 'generate: prose*' --budget 5s --out "$work/an artifact"
check "the installed program finds a planted regression" ended 1 "slower     generate: prose, nothing to escape"
check "the artifact is where it was asked for" test -s "$work/an artifact"
finish
