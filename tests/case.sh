# Sourced by the shell tests: cases as sentences, one result line each, a temporary directory.
#
#   . "$(dirname "$0")/../case.sh"
#   run "$DUEL" list
#   check "a folder without git is refused with a cure" ended 3 "is no git repository"
#   finish
#
# run CMD...                runs it: sets status; its output is in $work/out and $work/err
# check SENTENCE TEST...    a pass or a failure by the exit status of TEST
# ended STATUS [TEXT]       a TEST: the last command ended so (and said TEXT, literally)
# said TEXT                 a TEST: its output or error text holds TEXT, literally
# ok, not_ok SENTENCE       count one where check does not fit
# skip SENTENCE REASON      what this machine cannot show
# finish                    at the end: the exit status
# shellcheck shell=sh disable=SC2034 # status is for the tests

top=$(cd "$(dirname "$0")/../.." && pwd)
DUEL=${DUEL:-$top/build/cc/duel}
case $DUEL in
/*) ;;
*) DUEL=$top/$DUEL ;;
esac
work=$(mktemp -d "/tmp/duel test.XXXXXX")
trap 'chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
case_failed=0
status=0

run() {
	status=0
	"$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}

ok() {
	echo "ok - $1"
}

not_ok() {
	case_failed=$((case_failed + 1))
	echo "not ok - $1"
	echo "# status $status; what the last command said:"
	tail -n 25 "$work/out" "$work/err" 2>/dev/null | sed 's/^/# /'
}

skip() {
	echo "ok - $1 # SKIP $2"
}

check() {
	case_sentence=$1
	shift
	if "$@"; then
		ok "$case_sentence"
	else
		not_ok "$case_sentence"
	fi
}

ended() {
	[ "$status" -eq "$1" ] || return 1
	[ $# -lt 2 ] || said "$2"
}

said() {
	cat "$work/out" "$work/err" | grep -qF -e "$1"
}

finish() {
	[ "$case_failed" -eq 0 ]
	exit
}
