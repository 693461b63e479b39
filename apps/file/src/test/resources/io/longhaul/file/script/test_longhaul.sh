#!/bin/sh
# The helper for sh, against a server that answers as ScriptLanguageTest says.
set -eu
. ./longhaul.sh

same() {
  [ "$1" = "$2" ] || {
    printf 'expected <%s>, but was <%s>\n' "$2" "$1" >&2
    exit 1
  }
}

fails_with() {
  expected=$1
  shift
  status=0
  "$@" 2>>errors || status=$?
  same "$status" "$expected"
}

again() {
  echo 'runs again' >&2
  exit 1
}

lines='
'
same "$(task_argument folder)" "a \"b\"\\${lines}ü 😀"
same "$(task_argument count)" 3
same "$(task_argument kinds 0)" txt
fails_with 1 task_argument missing

task_progress 1 3 "one \"of\"${lines}three, ü"
task_progress 2
task_status 'reads	the texts'
task_log 'a line'
task_log 'careful \' warning
task_partial "$(printf '%5000s' '' | tr ' ' x)"
large() { printf '%1048576s' '' | tr ' ' x; }
fails_with 2 task_step too-large large

same "$(task_step load printf 'three\nrows\n')" "three${lines}rows"
same "$(task_step load again)" "three${lines}rows"
same "$(task_step known again)" 'of an earlier attempt'
same "$(task_step raced echo mine)" 'of another'
fails_with 2 task_step large echo large
fails_with 3 task_step broken sh -c 'exit 3'
[ ! -e "$LONGHAUL_TASK_DIR/steps/broken.json" ]

task_ask place 'Where?' '{"city": "string"}'
same "$(task_answer place city)" Graz
task_ask place 'Where?' '{"city": "string"}'
fails_with 1 task_ask other 'Where else?' '{"city": "string"}'
task_approve 'Publish?'
fails_with 1 task_approve 'Delete?'
fails_with 1 task_approve 'Delete?' delete-it
task_ask_url login 'Log in' https://example.com/login
task_sample title '{"messages": [], "maxTokens": 9}'
same "$(task_answer title text)" Words
task_roots
same "$(task_json "$LONGHAUL_TASK_DIR/answers/roots.json" roots 0 uri)" file:///texts
fails_with 2 task_ask nobody 'Who?' '{"name": "string"}'

task_call first run_tests "$(task_object commit ab12)"
task_call second run_tests
task_wait first
same "$(task_child first structuredContent passed)" 3
task_wait second
same "$(task_child second content 0 text)" '3 passed'
task_call first run_tests
task_call broken run_tests
fails_with 1 task_wait broken
same "$(task_child broken content 0 text)" 'no tests'
task_call gone run_tests
fails_with 2 task_wait gone

for name in '' .a a/b 'two words' ü xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx "a$lines"; do
  fails_with 2 task_step "$name" echo value
  fails_with 2 task_ask "$name" 'Where?' '{}'
  fails_with 2 task_call "$name" run_tests
done

task_file a.txt
task_result '{"words": "3"}'
task_file 'out/*.png'
