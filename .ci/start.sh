# Sourced by ./longhaul, by bin/longhaul of a release and by lab/.start: starts the program in folder $program, from a class archive.
# $program holds longhaul-cli-VERSION.jar and lib. $kept is the folder for what only makes starts faster: class archives,
# and SQLite's library for this system. find_jdk has set java_home and java_version. $part, where it is set, names a folder
# in $program with more jars, and with a longhaul-cli-*.jar that is only the list of all.

part= platform=

# Java reads arguments and names of files in the charset of the locale, which outside of macOS is ASCII where no locale is
# set, as under cron and in many images: all else would be lost in it. The variable that decides is set, and no stronger one.
use_utf8() {
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in C | POSIX) ;; *) return 0 ;; esac
  [ ! -d /System/Library ] || return 0
  if [ -n "${LC_ALL:-}" ]; then
    export LC_ALL=C.UTF-8
  elif [ -n "${LC_CTYPE:-}" ]; then
    export LC_CTYPE=C.UTF-8
  else
    export LANG=C.UTF-8
  fi
}
use_utf8

# Names the archives: $archives is the beginning of their names, before the kind of program and the ending.
# From JDK 25 on the archive is an AOT cache, which also keeps objects and profiles. By profiles the JVM compiles early
# what was hot in the training, and that is more than a program needs that ends soon or serves a single host.
name_archives() {
  archives=$kept/longhaul-$java_version-
  trained=$kept/longhaul-$java_version.trained
  archive_input=-XX:SharedArchiveFile archive_output=-XX:ArchiveClassesAtExit no_profiles=
  if [ "${java_version%%[!0-9]*}" -ge 25 ]; then
    archive_input=-XX:AOTCache archive_output=-XX:AOTCacheOutput
    no_profiles="-XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions -XX:-AOTRecordTraining"
  fi
}

# Succeeds where there is no class archive that this JDK made of this program.
needs_training() {
  trained_by=
  [ ! -r "$trained" ] || read -r trained_by <"$trained" || :
  case $trained_by in
    "$java_home $program${part:+/$part}") return 1 ;;
    # Those of a release with its Java fit wherever both lie, while the jars have their times. A copy with other times has
    # both files of this folder on one side of them.
    shipped)
      find_jar
      ! { [ "$java_home" = "${kept%/cache}/runtime" ] && [ "$jar" -nt "$trained" ] && [ "${archives}call.archive" -nt "$jar" ]; }
      ;;
  esac
}

# Succeeds where this user can write folder $1, and its disk has room.
can_write() {
  mkdir -p "$1" 2>/dev/null && { echo probe >"$1/longhaul.probe.$$"; } 2>/dev/null
  written=$?
  rm -f "$1/longhaul.probe.$$" 2>/dev/null
  return $written
}

# Takes the lock of the file $1 for this process, or fails where another process has it, or where it cannot be written.
take_lock() {
  owner=
  until (set -C && : >"$1") 2>/dev/null; do
    owner=$(cat "$1" 2>/dev/null) || owner=
    if [ -n "$owner" ]; then
      # A lock of half an hour counts as left behind: its owner may be dead, and another process may have its number.
      ! kill -0 "$owner" 2>/dev/null || [ -n "$(find "$1" -mmin +30 2>/dev/null)" ] || return 1
    elif [ -z "$(find "$1" -mmin +1 2>/dev/null)" ]; then
      # Its owner is about to write who it is; after a minute there is none.
      return 1
    fi
    rm -f "$1"
  done
  if ! { echo $$ >"$1"; } 2>/dev/null; then
    rm -f "$1"
    return 1
  fi
  lock=$1
  trap remove_lock EXIT
  trap '[ -z "${server:-}" ] || kill "$server" 2>/dev/null; exit 130' INT TERM
}

# Removes the lock, where no other process has taken it as left behind.
remove_lock() {
  [ "$(cat "$lock" 2>/dev/null)" != $$ ] || rm -f "$lock"
}

# Gives the lock back.
release_lock() {
  remove_lock
  trap - EXIT INT TERM
}

# Lets a server and a client talk once, so that the JVM can keep the classes of each in an archive, loaded and linked.
# That halves the time of a start. Without archives all goes on as well, only slower.
train() {
  training=$kept/training
  rm -rf "$training"
  mkdir -p "$training"
  find_jar
  unpack_sqlite
  profiles= compiler=$c1
  # A release is trained by load, and keeps the profiles of the compiler.
  [ -z "${LONGHAUL_TRAINER:-}" ] || compiler=
  printf 'tools:\n  echo: {input: {word: string}, command: [echo, "word: {word}"]}\n' >"$training/echo.yaml"
  (archived "$training/serve" serve "$training/echo.yaml" --http 0 --data "$training/data") \
    </dev/null >/dev/null 2>"$training/log" &
  server=$!
  url=
  while [ -z "$url" ] && kill -0 "$server" 2>/dev/null; do
    sleep 0.2
    url=$(sed -n 's/^longhaul: at //p' "$training/log")
  done
  [ -z "$url" ] || [ -z "${LONGHAUL_TRAINER:-}" ] || $LONGHAUL_TRAINER "$url" </dev/null >&2
  profiles=$no_profiles compiler=$c1
  [ -z "$url" ] || (archived "$training/call" call "$url" echo word=hello) </dev/null >/dev/null 2>&1 || :
  kill "$server" 2>/dev/null || :
  wait "$server" || :
  server=
  # The second start knows the handshake, as all starts by a host do but for its first one.
  for kept_classes in "" "$training/stdio"; do
    printf '%s%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",' \
      '"capabilities":{},"clientInfo":{"name":"longhaul","version":"1"}}}' |
      (
        export XDG_STATE_HOME="$training"
        archived "$kept_classes" serve "$training/echo.yaml" --stdio
      ) >/dev/null 2>&1 || :
  done
  for kind in serve stdio call; do
    [ ! -e "$training/$kind" ] || mv -f "$training/$kind" "$archives$kind.archive"
  done
  rm -rf "$training"
  echo "$java_home $program${part:+/$part}" >"$trained"
}

# What ends soon, or serves a single host, gains from compiling less; a server for many does not.
c1=-XX:TieredStopAtLevel=1

# Finds the jar of the program.
find_jar() {
  for jar in "$program${part:+/$part}"/longhaul-cli-*.jar; do :; done
}

# Finds the folder and the name of SQLite's library for this system, or sets the name empty where it is not unpacked. In a
# release with its Java the library lies beside that.
find_library() {
  library= libraries=$kept/native
  [ ! -d "${platform:-}/native" ] || libraries=$platform/native
  for unpacked in "$libraries"/*; do
    [ ! -e "$unpacked" ] || library=${unpacked##*/}
  done
}

# SQLite's library for this system lies in a jar. Without this each start copies it, and runs a process to ask for the
# system. A Java without the tool `jar` does that.
unpack_sqlite() {
  rm -rf "$kept/native"
  [ -x "$java_home/bin/jar" ] && [ ! -d "${platform:-}/native" ] || return 0
  set -- "$program"/lib/sqlite-jdbc-*.jar
  system=$("$java_home/bin/java" -cp "$1" org.sqlite.util.OSInfo 2>/dev/null) || return 0
  (cd "$training" && "$java_home/bin/jar" xf "$1" "org/sqlite/native/$system") 2>/dev/null || return 0
  [ ! -d "$training/org/sqlite/native/$system" ] || mv "$training/org/sqlite/native/$system" "$kept/native"
}

# Becomes a program that writes the archive $1, or none where that is empty, when it ends, with the options $profiles.
archived() {
  archive=$1
  shift
  find_library
  # shellcheck disable=SC2086
  exec "$java_home/bin/java" -XX:+UseSerialGC $compiler \
    ${archive:+"$archive_output=$archive"} $profiles -Xlog:disable \
    ${library:+"-Dorg.sqlite.lib.path=$libraries" "-Dorg.sqlite.lib.name=$library"} \
    -jar "$jar" "$@"
}

# Becomes the program.
start() {
  compiler=$c1 archive=call
  case " $* " in
    " serve --stdio "* | " serve "*" --stdio "*) archive=stdio ;;
    " serve "*) archive=serve compiler= ;;
  esac
  find_jar
  # shellcheck disable=SC2086
  become_java $compiler "$archive_input=$archives$archive.archive" ${LONGHAUL_JAVA_OPTS:-} -jar "$jar" "$@"
}

# Becomes a JVM for classes of the program, with the arguments $@.
become_java() {
  find_library
  # What is a terminal: 0 standard input, 1 output, 2 error. A shell knows, and Java 21 does not.
  terminal=
  for stream in 0 1 2; do
    if [ -t "$stream" ]; then terminal=$terminal$stream; fi
  done
  # The JVM takes the home of the user from the list of users, where other programs take it from HOME.
  # It logs to standard output, not least on the class archive: that is off.
  exec "$java_home/bin/java" -XX:+UseSerialGC -Xlog:disable -XX:+DisplayVMOutputToStderr "-Dlonghaul.terminal=$terminal" \
    ${library:+"-Dorg.sqlite.lib.path=$libraries" "-Dorg.sqlite.lib.name=$library"} \
    "-Dlonghaul.archives=$archive_input=$archives" ${HOME:+"-Duser.home=$HOME"} "$@"
}
