#!/bin/sh
# Show duel at work: a two-commit repository made out of an example, with one regression planted in
# the second commit, must end with the regression named and exit status 1; the same with two equal
# commits must pass. usage: demo.sh [EXAMPLE [PLANT]] (default: json byte-scan; `make demo`)
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
DUEL=${DUEL:-$top/build/cc/duel}
case $DUEL in
/*) ;;
*) DUEL=$PWD/$DUEL ;;
esac
example=${1:-json}
plant=${2:-}

give_up() {
	echo "demo: $1" >&2
	exit 2
}

plants() {
	for patch in "$source"/planted/*.patch; do
		basename "$patch" .patch
	done
}

source=$top/bench-examples/$example
[ -f "$source/duel.json" ] || give_up "no example '$example' in bench-examples"
[ -n "$plant" ] || plant=$(plants | head -n 1)
patch=$source/planted/$plant.patch
[ -f "$patch" ] || give_up "example '$example' has no planted/$plant.patch; there are: $(plants | tr '\n' ' ')"

place=$(mktemp -d "${TMPDIR:-/tmp}/duel-demo.XXXXXX")
repository=$place/$example
trap 'rm -rf "$repository"' EXIT
trap 'exit 130' INT TERM HUP

# Nobody's own settings (signing, hooks, templates) may meddle with the demonstration.
git() {
	GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null command git -C "$repository" \
		-c user.name=demo -c user.email=demo@localhost -c core.hooksPath=/dev/null "$@"
}

mkdir "$repository"
git init -q
git symbolic-ref HEAD refs/heads/main
(cd "$source" && tar cf - --exclude=./build --exclude=./planted .) | tar xf - -C "$repository"
git add -A
git commit -q -m "Start of the $example library"
git checkout -q -b change
git apply "$patch"
git commit -q -a -m "Change that plants $plant"
git checkout -q -b refactor main
git commit -q --allow-empty -m "Change that changes nothing"

# usage: compare WANTED-STATUS BRANCH [OPTION...] ; leaves the artifact in $artifact
compare() {
	wanted=$1 branch=$2
	shift 2
	git checkout -q "$branch"
	artifact=$place/$branch.json.zst
	echo "\$ duel run --baseline main --candidate $branch $*"
	status=0
	"$DUEL" run --repository "$repository" --baseline main --candidate "$branch" --out "$artifact" "$@" ||
		status=$?
	echo
	if [ "$status" -ne "$wanted" ]; then
		echo "demo: FAILED: exit status $status, expected $wanted; artifact: $artifact" >&2
		exit 1
	fi
}

echo "demo: two commits of bench-examples/$example, the second with planted/$plant.patch:"
sed 's/^/    /' "$patch" | grep -E '^    [-+]' | head -n 12
echo
compare 1 change
echo "demo: exit status 1 is the expected end: the planted regression was found."
echo "demo: the artifact is $artifact (look at it again: duel report $artifact)"
echo
echo "demo: and now two equal commits:"
# Without the option they would not be measured: there is no difference to find.
compare 0 refactor --measure-identical
echo "demo: exit status 0, as it must be: nothing changed and nothing was called slower."
