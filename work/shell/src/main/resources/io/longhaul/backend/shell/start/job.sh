# Runs one job: sh THIS FOLDER ROOM ERRORS UNREAD LOOKS FORM COMMAND [ARGUMENT]...
# FOLDER is the job's own, ROOM the bytes that one file of its output may hold. Started in a session of its own.
# ERRORS says where standard error goes: output, or log, which has files of its own.
# UNREAD is how many bytes of output may wait for their reader, who writes what it has read to "followed".
# LOOKS is how many seconds the job then waits for a reader who does not read on; 0 for a job that goes on at once.
# FORM says how the command is written: plain, or octal, with \0ooo for some of the bytes.
# Utilities are called by "command -p", since PATH is the job's. Names begin with LONGHAUL_, which are reserved.
LONGHAUL_FOLDER=$1
LONGHAUL_ROOM=$2
LONGHAUL_ERRORS=$3
LONGHAUL_UNREAD=$4
LONGHAUL_LOOKS_MOST=$5
LONGHAUL_FORM=$6
shift 6
if [ "$LONGHAUL_FORM" = octal ]; then
  for LONGHAUL_ELEMENT; do
    # The dot keeps line feeds at the end, which the shell would drop.
    LONGHAUL_ELEMENT=$(printf '%b.' "$LONGHAUL_ELEMENT")
    shift
    set -- "$@" "${LONGHAUL_ELEMENT%.}"
  done
fi

longhaul_ticks() {
  shift 19
  LONGHAUL_IDENTITY=linux:$LONGHAUL_BOOT:$1
}

longhaul_lstart() {
  LONGHAUL_IDENTITY="ps:$*"
}

if [ -r /proc/sys/kernel/random/boot_id ]; then
  read -r LONGHAUL_BOOT </proc/sys/kernel/random/boot_id
  read -r LONGHAUL_STAT </proc/$$/stat
  longhaul_ticks ${LONGHAUL_STAT##*) }
else
  longhaul_lstart $(LC_ALL=C TZ=UTC0 command -p ps -o lstart= -p $$)
fi

# All that can fail comes before the claim: 3 and 4 are the ends of a pipe (opened both ways, so that neither waits), 5
# is what the command reads, 6 and 7 are the ends of the pipe of standard error, or 6 is 3.
command -p mkfifo -m 600 "$LONGHAUL_FOLDER/pipe.$$" || exit 73
exec 3<>"$LONGHAUL_FOLDER/pipe.$$" 4<"$LONGHAUL_FOLDER/pipe.$$" 5</dev/null 6>&3 7</dev/null
if [ "$LONGHAUL_ERRORS" = log ]; then
  command -p mkfifo -m 600 "$LONGHAUL_FOLDER/errors.$$" || exit 73
  exec 6<>"$LONGHAUL_FOLDER/errors.$$" 7<"$LONGHAUL_FOLDER/errors.$$"
fi
[ ! -e "$LONGHAUL_FOLDER/input" ] || exec 5<"$LONGHAUL_FOLDER/input"

# The claim appears whole or not at all, and once: whoever comes second ends here, before the command has begun.
printf '%s %s\n' $$ "$LONGHAUL_IDENTITY" >"$LONGHAUL_FOLDER/claim.$$" || exit 74
command -p ln "$LONGHAUL_FOLDER/claim.$$" "$LONGHAUL_FOLDER/claim" || exit 75
command -p rm -f "$LONGHAUL_FOLDER/pipe.$$" "$LONGHAUL_FOLDER/errors.$$" "$LONGHAUL_FOLDER/input"

longhaul_read() {
  LONGHAUL_READ=0
  [ ! -e "$LONGHAUL_FOLDER/followed" ] || read -r LONGHAUL_READ LONGHAUL_REST <"$LONGHAUL_FOLDER/followed" || :
}

# Where much is unread, waits as at a full pipe for a reader who reads on; fails where there is no such reader.
longhaul_await() {
  LONGHAUL_SEEN=$LONGHAUL_READ LONGHAUL_LOOKS=$LONGHAUL_LOOKS_MOST
  [ "$LONGHAUL_SEEN" != "$LONGHAUL_LEFT" ] || return
  while [ "$LONGHAUL_READ" = "$LONGHAUL_SEEN" ]; do
    [ $LONGHAUL_LOOKS -gt 0 ] || {
      LONGHAUL_LEFT=$LONGHAUL_SEEN
      return 1
    }
    command -p sleep 1
    LONGHAUL_LOOKS=$((LONGHAUL_LOOKS - 1))
    longhaul_read
  done
}

# Drops the files in $LONGHAUL_FULL, but for the last of them and those that are to be read.
longhaul_drop() {
  set -- $LONGHAUL_FULL
  while [ $# -gt 1 ]; do
    if [ $LONGHAUL_UNREAD -gt 0 ]; then
      longhaul_read
      while [ $2 -gt $LONGHAUL_READ ] && [ $((LONGHAUL_START - LONGHAUL_READ)) -gt $LONGHAUL_UNREAD ]; do
        longhaul_await || break
      done
      [ $2 -le $LONGHAUL_READ ] || [ $((LONGHAUL_START - LONGHAUL_READ)) -gt $LONGHAUL_UNREAD ] || break
    fi
    command -p rm -f "$LONGHAUL_FOLDER/$LONGHAUL_STREAM.$1"
    shift
  done
  LONGHAUL_FULL=$*
}

# Keeps the first file of output, the last two, and those that are to be read. Each is named after its stream
# and the place of its first byte in it. dd passes on what it reads at once, and never reads more than it writes.
longhaul_collect() {
  LONGHAUL_START=0 LONGHAUL_SIZE=0 LONGHAUL_FULL= LONGHAUL_LEFT=
  while :; do
    LONGHAUL_BLOCKS=$(((LONGHAUL_ROOM - LONGHAUL_SIZE) / 4096))
    if [ $LONGHAUL_BLOCKS -le 0 ]; then
      [ $LONGHAUL_START = 0 ] || LONGHAUL_FULL="$LONGHAUL_FULL $LONGHAUL_START"
      LONGHAUL_START=$((LONGHAUL_START + LONGHAUL_SIZE)) LONGHAUL_SIZE=0
      longhaul_drop
      LONGHAUL_BLOCKS=$((LONGHAUL_ROOM / 4096))
    fi
    # Where the disk is full, the job goes on without its output.
    command -p dd bs=4096 count=$LONGHAUL_BLOCKS >>"$LONGHAUL_FOLDER/$LONGHAUL_STREAM.$LONGHAUL_START" 2>/dev/null || {
      command -p cat >/dev/null
      return
    }
    LONGHAUL_NOW=$(($(command -p wc -c <"$LONGHAUL_FOLDER/$LONGHAUL_STREAM.$LONGHAUL_START")))
    [ $LONGHAUL_NOW -gt $LONGHAUL_SIZE ] || return
    LONGHAUL_SIZE=$LONGHAUL_NOW
  done
}

# A TERM for the group ends the command alone. This shell stays, to write down how the command ended.
trap '' TERM
(
  # By exec, since a shell keeps copies of what it redirects for a function.
  exec <&4 3>&- 4<&- 5<&- 6>&- 7<&-
  LONGHAUL_STREAM=out
  longhaul_collect
) &
if [ "$LONGHAUL_ERRORS" = log ]; then
  (
    exec <&7 3>&- 4<&- 5<&- 6>&- 7<&-
    LONGHAUL_STREAM=err LONGHAUL_UNREAD=0
    longhaul_collect
  ) &
fi
exec 4<&- 7<&-
trap : TERM
(exec "$@") <&5 >&3 2>&6 3>&- 5<&- 6>&-
echo $? >"$LONGHAUL_FOLDER/exit.new"
exec 3>&- 5<&- 6>&-
command -p mv -f "$LONGHAUL_FOLDER/exit.new" "$LONGHAUL_FOLDER/exit"
wait

# Nothing that the command has left behind in its group outlives it; this shell goes with it.
kill -s KILL -- -$$
