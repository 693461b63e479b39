# SPDX-License-Identifier: Apache-2.0
# What a command in sh can do as a task of Longhaul: lines of version 1, see docs/COMMANDS.md.
#
#   . ./longhaul.sh
#   folder=$(task_argument folder)
#   rows=$(task_step load load "$folder") || exit    # once, also across a crash
#   task_approve 'Publish?' && task_result "$(task_object rows "$rows")"
#
# What waits for a person or a child may end the script: call it as it is, not within $(...). Its status is 0 for yes
# and success, 1 for no, 2 for an error. The cancel of a call ends the script with 143, after its EXIT trap.
#
# Without Longhaul, a script runs dry: its arguments are the words key=value of the command line, the lines that it
# says are shown, and each question takes a line of standard input: yes, no, or the fields of a form as a JSON object.

# The text as JSON.
task_string() {
  task_quote "$1"
  printf '%s' "$task_quoted"
}

# The same into task_quoted, and without a process where no character needs an escape.
task_quote() {
  case $1 in
    *[\\\"[:cntrl:]]*) task_quoted=$(task_escape "$1") ;;
    *) task_quoted=\"$1\" ;;
  esac
}

task_escape() {
  printf '%s\n' "$1" | LC_ALL=C sed 's/[\\"]/\\&/g' | LC_ALL=C awk '
    BEGIN { ORS = ""; print "\""; for (i = 1; i < 32; i++) number[sprintf("%c", i)] = i }
    NR > 1 { print "\\n" }
    {
      while (match($0, /[\001-\037]/)) {
        print substr($0, 1, RSTART - 1) sprintf("\\u%04x", number[substr($0, RSTART, 1)])
        $0 = substr($0, RSTART + 1)
      }
      print
    }
    END { print "\"" }'
}

# A JSON object of texts: task_object NAME TEXT [NAME TEXT]...
task_object() {
  task_comma=
  printf '{'
  while [ $# -gt 1 ]; do
    task_quote "$1"
    printf '%s%s: ' "$task_comma" "$task_quoted"
    task_quote "$2"
    printf '%s' "$task_quoted"
    task_comma=', '
    shift 2
  done
  printf '}'
}

# A value of a JSON file: task_json FILE [NAME OR INDEX]... A text is printed as it is, all else as JSON.
task_json() {
  LC_ALL=C awk '
    function blank() { while (p <= n && index(" \t\r\n", substr(s, p, 1))) p++ }
    function text(   from) {
      from = p++
      while (p <= n && substr(s, p, 1) != "\"") p += substr(s, p, 1) == "\\" ? 2 : 1
      return substr(s, from, ++p - from)
    }
    function hex(digits,   i, number) {
      for (i = 1; i <= 4; i++) number = number * 16 + index("0123456789abcdef", tolower(substr(digits, i, 1))) - 1
      return number
    }
    function utf8(c) {
      if (c < 128) return c ? sprintf("%c", c) : ""
      if (c < 2048) return sprintf("%c%c", 192 + int(c / 64), 128 + c % 64)
      if (c < 65536) return sprintf("%c%c%c", 224 + int(c / 4096), 128 + int(c / 64) % 64, 128 + c % 64)
      return sprintf("%c%c%c%c", 240 + int(c / 262144), 128 + int(c / 4096) % 64, 128 + int(c / 64) % 64, 128 + c % 64)
    }
    function plain(json,   out, at, c) {
      json = substr(json, 2, length(json) - 2)
      while (at = index(json, "\\")) {
        out = out substr(json, 1, at - 1)
        c = substr(json, at + 1, 1)
        json = substr(json, at + 2)
        if (c == "u") {
          c = hex(json)
          json = substr(json, 5)
          if (c >= 55296 && c < 56320 && substr(json, 1, 2) == "\\u") {
            c = 65536 + (c - 55296) * 1024 + hex(substr(json, 3)) - 56320
            json = substr(json, 7)
          }
          out = out utf8(c)
        } else out = out (c in escaped ? escaped[c] : c)
      }
      return out json
    }
    function value(level, isOnPath,   from, open, key, i) {
      blank()
      from = p
      open = substr(s, p, 1)
      if (open == "{" || open == "[") {
        p++
        blank()
        while (p <= n && !index("}]", substr(s, p, 1))) {
          if (open == "{") { key = plain(text()); blank(); p++ } else key = (i++) ""
          value(level + 1, isOnPath && key == path[level + 1])
          blank()
          if (substr(s, p, 1) == ",") { p++; blank() }
        }
        p++
      } else if (open == "\"") text()
      else while (p <= n && !index(",]} \t\r\n", substr(s, p, 1))) p++
      if (isOnPath && level == depth) { found = substr(s, from, p - from); isFound = 1 }
    }
    BEGIN {
      escaped["n"] = "\n"; escaped["t"] = "\t"; escaped["r"] = "\r"; escaped["b"] = "\b"; escaped["f"] = "\f"
      for (depth = 0; depth < ARGC - 2; depth++) path[depth + 1] = ARGV[depth + 2] ""
      while ((getline line < ARGV[1]) > 0) s = s line "\n"
      p = 1; n = length(s)
      value(0, 1)
      if (!isFound) exit 1
      print (substr(found, 1, 1) == "\"" ? plain(found) : found)
    }' "$@"
}

# An argument of the call, or a value within one: task_argument NAME [NAME OR INDEX]...
task_argument() { task_json "$LONGHAUL_TASK_DIR/arguments.json" "$@"; }

# task_progress DONE [TOTAL [MESSAGE]]
task_progress() {
  task_quote "${3:-}"
  task_say "{\"progress\": $1${2:+, \"total\": $2}${3:+, \"message\": $task_quoted}}"
}

# Says in a sentence what goes on now.
task_status() { task_quote "$1" && task_say "{\"status\": $task_quoted}"; }

# task_log TEXT [debug|info|notice|warning|error|critical|alert|emergency]
task_log() { task_quote "$1" && task_say "{\"log\": $task_quoted, \"level\": \"${2:-info}\"}"; }

# Gives a text to the caller now, as a piece of the output.
task_partial() { task_quote "$1" && task_say "{\"partial\": $task_quoted}"; }

# Prints what the command prints: task_step NAME COMMAND [ARGUMENT]... A later attempt prints the recorded text, and
# does not run the command again. Where the command fails, so does the step, and nothing is recorded.
task_step() {
  task_name "$1" || return
  task_kept=$LONGHAUL_TASK_DIR/steps/$1.json
  if [ ! -e "$task_kept" ]; then
    task_step_name=$1
    shift
    task_text=$("$@") || return
    task_quote "$task_text"
    task_say "{\"step\": \"$task_step_name\", \"value\": $task_quoted}" || return
    task_await "$task_kept"
  fi
  task_json "$task_kept" value || { task_unless_error "$task_kept" && false; }
}

# Asks for the fields of a form, written as in the file: task_ask KEY MESSAGE '{"city": "string"}'
task_ask() {
  task_quote "$2"
  task_question "$1" "\"message\": $task_quoted, \"fields\": $3" && task_is_accepted
}

# Asks for yes or no: task_approve MESSAGE [KEY]. The same message is one question, unless the keys differ.
task_approve() {
  task_quote "$1"
  task_key=${2:-approve-$(printf '%s' "$1" | cksum | tr ' ' -)}
  task_question "$task_key" "\"message\": $task_quoted" && task_is_accepted
}

# Asks to open an address: task_ask_url KEY MESSAGE URL
task_ask_url() {
  task_quote "$3"
  task_url=$task_quoted
  task_quote "$2"
  task_question "$1" "\"url\": $task_url, \"message\": $task_quoted" && task_is_accepted
}

# Has the caller's model answer: task_sample KEY PARAMS, which are those of sampling/createMessage, as JSON.
task_sample() { task_question "$1" "\"sample\": $2" && task_unless_error "$task_kept"; }

# Asks for the folders of the caller: task_roots, then task_json "$LONGHAUL_TASK_DIR/answers/roots.json" roots 0 uri
task_roots() { task_question roots '"roots": true' && task_unless_error "$task_kept"; }

# A part of the content of an answer: task_answer KEY [FIELD]...
task_answer() {
  task_key=$1
  shift
  task_json "$LONGHAUL_TASK_DIR/answers/$task_key.json" content "$@"
}

# Starts a tool of this server as a child of this task: task_call NAME TOOL [ARGUMENTS AS JSON]
task_call() {
  task_name "$1" || return
  task_arguments=${3:-}
  [ -n "$task_arguments" ] || task_arguments='{}'
  task_quote "$2"
  [ -e "$LONGHAUL_TASK_DIR/children/$1.json" ] ||
    task_say "{\"call\": \"$1\", \"tool\": $task_quoted, \"arguments\": $task_arguments}"
}

# Waits for the end of a child: task_wait NAME. The status is 1 where its result is an error.
task_wait() {
  task_name "$1" || return
  task_await "$LONGHAUL_TASK_DIR/children/$1.json"
  task_unless_error "$LONGHAUL_TASK_DIR/children/$1.json" || return
  [ "$(task_child "$1" isError)" != true ]
}

# A part of the result of a child: task_child NAME content 0 text
task_child() {
  task_key=$1
  shift
  task_json "$LONGHAUL_TASK_DIR/children/$task_key.json" result "$@"
}

# The result, where the script ends with success: task_result OBJECT, as JSON
task_result() {
  task_kept_result="\"result\": $1"
  task_say_result
}

# Adds a file below the working folder to the result.
task_file() {
  task_quote "$1"
  task_kept_files=${task_kept_files:+$task_kept_files, }$task_quoted
  task_say_result
}

# Ends the script; the caller's model reads the text.
task_fail() {
  task_quote "$1"
  task_say "{\"fail\": $task_quoted}"
  exit 1
}

task_say_result() {
  task_files=${task_kept_files:+\"files\": [$task_kept_files]}
  task_say "{$task_kept_result${task_kept_result:+${task_files:+, }}$task_files}"
}

task_say() {
  set -- "$task_prefix$1"
  if [ ${#1} -gt $((task_longest / 4)) ] && [ "$(printf '%s\n' "$1" | wc -c)" -gt $task_longest ]; then
    echo "longhaul.sh: a line has $((task_longest / 1024)) KiB at most: keep large values in files" >&2
    return 2
  elif [ -n "$task_dry" ]; then
    task_run_dry "$1"
  elif [ -n "$task_prefix" ]; then
    task_write "$1" >&8
  else
    task_write "$1" >>"$LONGHAUL_SAY"
  fi
}

# By one write, for which dd collects a long line that printf would write in pieces.
task_write() {
  if [ ${#1} -lt 1000 ]; then
    printf '%s\n' "$1"
  else
    printf '%s\n' "$1" | dd ibs=65536 obs=16777216 2>/dev/null
  fi
}

task_name() {
  case $1 in
    '' | [!A-Za-z0-9_-]* | *[!A-Za-z0-9._-]*) ;;
    *) [ ${#1} -gt 64 ] || return 0 ;;
  esac
  echo "longhaul.sh: $1 is no name: use up to 64 letters, digits, dots, _ and -" >&2
  return 2
}

# task_question KEY MEMBERS
task_question() {
  task_name "$1" || return
  task_kept=$LONGHAUL_TASK_DIR/answers/$1.json
  if [ ! -e "$task_kept" ]; then
    task_say "{\"ask\": \"$1\", $2}" || return
    task_await "$task_kept" "${LONGHAUL_SUSPEND_AFTER:-}"
  fi
}

task_is_accepted() {
  [ "$(task_json "$task_kept" action)" = accept ] || { task_unless_error "$task_kept" && false; }
}

task_unless_error() {
  ! task_problem=$(task_json "$1" error message) || {
    echo "longhaul.sh: $task_problem" >&2
    return 2
  }
}

# Waits for a file: task_await FILE [SECONDS]. After so many, the script ends; the server starts it again in time.
task_await() {
  task_patience=${2:-}
  [ -z "$task_patience" ] || task_began=$(date +%s)
  set -- "$1" "${task_patience%.*}" 0.005 0.01 0.02 0.05 0.1 0.2
  while [ ! -e "$1" ]; do
    [ -z "$2" ] || [ $(($(date +%s) - task_began)) -le "$2" ] || exit 75
    sleep "$3" 2>/dev/null || sleep 1
    if [ $# -gt 3 ]; then
      task_file_awaited=$1 task_patience=$2
      shift 3
      set -- "$task_file_awaited" "$task_patience" "$@"
    fi
  done
}

# Shows a line, and answers it in place of a server.
task_run_dry() {
  printf '%s\n' "$1" >"$LONGHAUL_TASK_DIR/line"
  case $1 in
    '{"result"'* | '{"files"'*) printf '%s\n' "$1" ;;
    *) printf '%s\n' "$1" >&2 ;;
  esac
  task_kind=${1#??}
  task_kind=${task_kind%%\"*}
  task_said=$(task_json "$LONGHAUL_TASK_DIR/line" "$task_kind")
  task_typed="{\"error\": {\"message\": \"there is no server to $task_kind; see longhaul serve\"}}"
  case $task_kind in
    step) printf '{"value": %s}\n' "$(task_string "$task_text")" >"$LONGHAUL_TASK_DIR/steps/$task_said.json" ;;
    call) printf '%s\n' "$task_typed" >"$LONGHAUL_TASK_DIR/children/$task_said.json" ;;
    ask)
      if task_json "$LONGHAUL_TASK_DIR/line" message >/dev/null; then
        read -r task_typed || task_typed=
        case $task_typed in
          y | yes) task_typed='{"action": "accept", "content": {}}' ;;
          '{'*) task_typed="{\"action\": \"accept\", \"content\": $task_typed}" ;;
          *) task_typed='{"action": "decline"}' ;;
        esac
      fi
      printf '%s\n' "$task_typed" >"$LONGHAUL_TASK_DIR/answers/$task_said.json"
      ;;
  esac
}

task_begin_dry() {
  LONGHAUL_TASK_DIR=${TMPDIR:-/tmp}/longhaul-dry.$$
  (umask 077 && mkdir "$LONGHAUL_TASK_DIR" && cd "$LONGHAUL_TASK_DIR" && mkdir steps answers children) || exit
  trap 'rm -r "$LONGHAUL_TASK_DIR"' EXIT
  for task_word; do
    case $task_word in *=*) set -- "$@" "${task_word%%=*}" "${task_word#*=}" ;; esac
    shift
  done
  task_object "$@" >"$LONGHAUL_TASK_DIR/arguments.json"
}

task_kept_result= task_kept_files= task_dry= task_prefix= task_longest=1048576
if [ -n "${LONGHAUL_SAY_PREFIX:-}" ]; then
  # The output of the script, also within $(...).
  exec 8>&1
  task_prefix="$LONGHAUL_SAY_PREFIX " task_longest=131072
elif [ -z "${LONGHAUL_SAY:-}" ]; then
  task_dry=yes
  task_begin_dry "$@"
fi
[ -n "$task_dry" ] || trap 'exit 143' TERM
