#!/bin/sh
# go test ARG…, and at its very end what did not run for want of something on this machine: go test holds
# back what a package says that passes.
#
#	test.sh -count=1 ./...
#
# Tests note themselves in the file $SIM_NOT_RUN (launchtest.NotRun). The exit code is that of go test.
set -eu
SIM_NOT_RUN="$(mktemp)"
export SIM_NOT_RUN
trap 'rm -f "$SIM_NOT_RUN"' EXIT

code=0
go test "$@" || code=$?
if [ -s "$SIM_NOT_RUN" ]; then
	count="$(wc -l <"$SIM_NOT_RUN" | tr -d ' ')"
	tests=tests
	[ "$count" != 1 ] || tests='test'
	echo
	echo "These tests were skipped, and have not passed:"
	sort -u "$SIM_NOT_RUN" | sed 's/^/  /'
	mend=
	if grep -q browser "$SIM_NOT_RUN"; then mend='; "make setup" installs a browser'; fi
	folders="$(cut -d' ' -f1 "$SIM_NOT_RUN" | sort -u | paste -sd, - | sed 's/,/, /g')"
	echo "NOT RUN: $count $tests of $folders$mend"
fi
exit "$code"
