#!/bin/sh
set -eu
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
mkdir "$folder/texts"
printf 'one two' >"$folder/texts/a.txt"
echo three >"$folder/texts/b.txt"

# Runs the script without a server. A line of standard input answers its question.
run_dry() { echo "$1" | sh count_words.sh folder="$folder/texts" 2>"$folder/said"; }

broken() {
  echo "$1" >&2
  cat "$folder/said" >&2
  exit 1
}

counted=$(run_dry yes) || broken 'a yes has failed'
[ "$counted" = '{"result": {"texts": 2, "words": 3}}' ] || broken "not the result: $counted"
! run_dry no || broken 'a no has succeeded'
! grep step "$folder/said" || broken 'a no has counted'
echo "2 tests passed"
