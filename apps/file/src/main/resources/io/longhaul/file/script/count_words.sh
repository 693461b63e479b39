#!/bin/sh
set -eu
. ./longhaul.sh

count() { wc -w <"$1" | tr -d ' '; }

cd -- "$(task_argument folder)"
set -- *.txt
[ -e "$1" ] || shift
task_approve "Count the words of $# texts?" || task_fail 'The caller wants no count.'
words=0 number=0
for text; do
  task_progress "$number" $# "$text"
  counted=$(task_step "count-$number" count "$text")
  words=$((words + counted)) number=$((number + 1))
done
task_result "{\"texts\": $#, \"words\": $words}"
