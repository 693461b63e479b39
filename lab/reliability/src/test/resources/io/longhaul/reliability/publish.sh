set -eu
. ./longhaul.sh

work() {
  echo "doing $1" >>ledger
  echo "$2"
}

step() {
  task_step "$1" work "$1" "$2"
  echo "recorded $1" >>ledger
}

rows=$(step load 7)
task_call greet greet '{"name": "Ada"}'
task_ask who 'Who?' '{"name": "string"}'
who=$(task_answer who name)
task_partial half
pages=$(step write 2)
printf page >page.txt
task_approve 'Publish?'
copies=$(step publish 1)
task_wait greet
task_file page.txt
task_result "{\"rows\": $rows, \"who\": $(task_string "$who"), \"greeting\": $(task_string "$(task_child greet content 0 text)"), \"sum\": $((pages + copies))}"
