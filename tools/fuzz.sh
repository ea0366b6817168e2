#!/bin/sh
# Runs every fuzz target of the module for a while, one after the other: fuzz.sh 10s
set -eu
fuzztime="${1:-10s}"
found=0
for file in $(find . -name '*_test.go' -not -path './.git/*' -exec grep -l '^func Fuzz' {} + | sort); do
	# shellcheck disable=SC2013 # names of functions hold no space
	for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file"); do
		found=$((found + 1))
		echo "== $(dirname "$file") $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$fuzztime" "$(dirname "$file")"
	done
done
echo "$found fuzz targets, $fuzztime each"
[ "$found" -gt 0 ]
