#!/bin/sh
# What `duel run` says about repositories, commits and duel.json, before anything is built.
# shellcheck disable=SC2016,SC2317 # backquotes are the messages'; check calls the tests
# shellcheck source=tests/case.sh
. "$(dirname "$0")/../case.sh"
# shellcheck source=tests/commits.sh
. "$top/tests/commits.sh"
set -eu

# usage: refused SENTENCE STATUS TEXT : the last command ended so with this one line, exactly
refused() {
	wanted=$3
	check "$1" is_refused "$2"
}
is_refused() {
	[ "$status" -eq "$1" ] && [ ! -s "$work/out" ] && [ "$(cat "$work/err")" = "duel: $wanted" ]
}

# --- which repository, which commits
mkdir "$work/none"
cd "$work/none"
GIT_CEILING_DIRECTORIES=$work duel_run
refused "outside of a repository" 3 ". is in no git repository: go into a clone of the project first"

git init -q "$work/unborn"
cd "$work/unborn"
duel_run
refused "a repository without a commit" 3 "candidate: HEAD has no commit yet: commit what is to be compared first"

project "with spaces"
duel_run --baseline mian
refused "a mistyped branch" 3 "baseline: no commit is called 'mian': did you mean 'main'?"
duel_run --baseline 'main^{tree}'
refused "a tree is no commit" 3 "baseline: 'main^{tree}' names a tree: give a commit"
mkdir many
seq 1000 | sed 's,.*,echo & >many/&,' | sh
git add many
prefix=$(git cat-file --batch-all-objects --batch-check | cut -c1-4 | uniq -d | head -n 1)
git rm -rfq --cached many
rm -r many
duel_run --baseline "$prefix"
refused "an ambiguous object name" 3 "baseline: '$prefix' begins the names of several objects: give more of its digits"
duel_run
refused "the first commit of all" 3 "baseline: $(git rev-parse --short=12 HEAD) is the first commit of main: there is nothing before it to compare with"

git checkout -q -b topic
echo "/* longer */" >>lib.c
commit "Lengthen"
git checkout -q main
commit "Go on elsewhere"
git clone -q --depth 1 --no-single-branch -b topic "file://$PWD" "$work/shallow"
cd "$work/shallow"
duel_run
refused "a shallow clone without the merge base" 3 'baseline: this clone is shallow and does not reach the commit where HEAD (topic) left origin/HEAD: check out with `fetch-depth: 0` (here: git fetch --unshallow)'

# --- duel.json: path, line and cure
# usage: configure TEXT : duel.json of the candidate, in a commit of its own
configure() {
	cat >duel.json
	commit "Configure"
	duel_run --baseline main
}

cd "$work/with spaces"
git checkout -q topic
configure <<'END'
{
	"build": "make",
	"benchmark": []
}
END
refused "an unknown key" 2 'candidate: duel.json:3: benchmark: unknown key: did you mean "benchmarks"?'
configure <<'END'
{
	"build": ["make"],
	"benchmarks": [ { "worker": "bench/run" } ]
}
END
refused "a value of a wrong type" 2 "candidate: duel.json:2: build: found a list: give a command for /bin/sh as a string"
configure <<'END'
{
	"benchmarks": [ { "worker": "bench/run" } ],
	// Less than nothing.
	"limits": { "cpu": 0.9 }
}
END
refused "a limit out of range" 2 "candidate: duel.json:4: limits.cpu: 0.9 is out of range: give a ratio from 1.001 to 10"
configure <<'END'
{ "benchmarks": [ { "worker": "bench/run" } ], "overlay": ["bench/", "data/"] }
END
refused "an overlay that is not there" 2 'overlay data: the candidate has no such file or directory: correct "overlay" in its duel.json'
git rm -q duel.json
commit "Configure nothing"
duel_run --baseline main
refused "no duel.json" 2 "duel.json: the candidate has no such file: write one, see the README"

# --- the watch list: nothing is exported, so nothing is built
cat >duel.json <<'END'
{ "build": "false", "benchmarks": [ { "worker": "bench/run" } ], "watch": ["src/**", "*.c"] }
END
commit "Watch"
mkdir doc
echo words >doc/page
commit "Document"
started=$(date +%s%3N)
duel_run --baseline HEAD^
took=$(($(date +%s%3N) - started))
check "a change of nothing that is watched is skipped" ended 0 "duel: skipped: nothing was measured
      no watched file differs between the versions"
check "and that in under a second" test "$took" -lt 1000

# --- what a clone lacks
git init -q "$work/library"
cd "$work/library"
git symbolic-ref HEAD refs/heads/main
echo 'int one(void) { return 1; }' >one.c
commit "Library"
project "with a library"
git -c protocol.file.allow=always submodule --quiet add "$work/library" library
commit "Add the library"
cat >duel.json <<'END'
{
	"build": "test -f library/one.c && cc -O1 -I$DUEL_INCLUDE -o bench/run bench/main.c lib.c",
	"benchmarks": [ { "worker": "bench/run" } ]
}
END
commit "Need the library"
duel_run --baseline HEAD
check "a submodule of this clone is exported" ended 0 "passed: the one benchmark is identical code"
git clone -q . "$work/without the library"
library=$(git -C library rev-parse --short=12 HEAD)
cd "$work/without the library"
duel_run --baseline HEAD
refused "a submodule that is not in this clone" 3 "baseline: submodule library: commit $library is not in this clone: check out with \`submodules: recursive\` (here: git submodule update --init --recursive)"

# --- files git keeps that no build expects
project "strange"
ln -s /etc/passwd outside
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 12345\n' 7 >big.bin
touch "a name with spaces" "a name
of two lines" "grüße-日本"
python3 -c '
import os
part = "d" * 200
for _ in range(19):
    os.mkdir(part)
    os.chdir(part)
open("f" * 180, "w").close()'
commit "Strange files"
git ls-files -z | tr '\0' '\n' | awk '{ if (length > n) n = length } END { print n }' >"$work/length"
cat >bench/check.sh <<'END'
long=$(find . -name 'fff*' | wc -c)
[ -f "a name with spaces" ] && [ -f "grüße-日本" ] && [ "$(ls a*lines | wc -l)" -eq 2 ] && [ "$long" -gt 3900 ]
END
cat >duel.json <<'END'
{
	"build": "sh bench/check.sh && cc -O1 -I$DUEL_INCLUDE -o bench/run bench/main.c lib.c",
	"overlay": ["bench/"],
	"benchmarks": [ { "worker": "bench/run" } ]
}
END
commit "Check them"
duel_run --baseline HEAD^
check "blanks, newlines, UTF-8 and paths of 4,000 bytes arrive" ended 0 "passed:"
check "such paths were there" test "$(cat "$work/length")" -gt 3900
check "a link out of the tree is left out and said" noted "candidate: 1 symbolic link out of the tree left out (first: outside)"
check "a pointer of Git LFS is said" noted 'candidate: 1 file is only a Git LFS pointer, the content is not in this clone (first: big.bin): check out with `lfs: true` (here: git lfs fetch --all)'

# --- a linked worktree, with changes
cd "$work/with spaces"
git worktree add -q -b elsewhere "$work/linked worktree" main
cd "$work/linked worktree"
echo "/* not committed */" >>lib.c
duel_run --baseline main
check "a linked worktree is a repository like any" ended 0 "passed:"
check "uncommitted changes are said" noted "1 changed file is not committed and not measured: --worktree measures them"
duel_run --worktree
check "--worktree takes them" ended 0 "  with uncommitted changes"
cc -c -o lib.o lib.c
duel_run --worktree
check "what was built by hand is not taken for up to date" noted "candidate: 1 untracked file of an earlier build left out (first: lib.o): list build folders in .gitignore"
finish
