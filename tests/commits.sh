# Sourced by the shell tests that run `duel run`: a small project and its commits, made on the spot.
#
#   project NAME         makes the repository $work/NAME with one commit on main, and goes there:
#                        lib.c, and bench/ (overlaid) with one benchmark of it, "work: sum"
#   commit SUBJECT       everything as it is now, as a commit
#   duel_run OPTION...   runs `duel run` there, quickly: status, $work/out and $work/err as run() says
#   noted TEXT           a TEST: the report has a note that holds TEXT, literally
# shellcheck shell=sh

# Nobody's own settings (signing, hooks, templates) may meddle with the tests.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org GIT_COMMITTER_NAME=Ada
export GIT_COMMITTER_EMAIL=ada@example.org NO_COLOR=1

commit() {
	git add -A -f
	git commit -q --allow-empty -m "$1"
}

project() {
	git init -q "${work:?}/$1"
	cd "$work/$1" || exit 2
	git symbolic-ref HEAD refs/heads/main
	mkdir bench
	cat >lib.h <<-'END'
		int sum(int n);
	END
	cat >lib.c <<-'END'
		#include "lib.h"

		int sum(int n)
		{
			volatile int total = 0;

			for (int i = 0; i < n; i++)
				total += i;
			return total;
		}
	END
	cat >bench/main.c <<-'END'
		#define DUEL_MAIN
		#include "duel.h"
		#include "../lib.h"

		DUEL_BENCHMARK("work: sum")
		{
			int total = sum(1000);
			duel_keep(total);
		}
	END
	cat >duel.json <<-'END'
		{
			"build": "cc -O1 -I$DUEL_INCLUDE -o bench/run bench/main.c lib.c",
			"overlay": ["bench/"],
			"benchmarks": [ { "worker": "bench/run" } ]
		}
	END
	commit "Start"
}

duel_run() {
	run "$DUEL" run --out "$work/artifact" --layout fixed --budget 300ms "$@"
}

noted() {
	grep -F -e "$1" "$work/out" | grep -q '^  note'
}
