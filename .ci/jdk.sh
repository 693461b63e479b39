# Sourced by ./longhaul, by bin/longhaul of a release and by scripts of .ci: find_jdk sets java_home and java_version to a
# JDK 21 or newer, or fails. find_jdk java takes one without a compiler, too.

# Reads the version of the JDK in folder $1 from its `release` file, which costs no process; or asks its java.
read_java_version() {
  java_version=
  if [ -r "$1/release" ]; then
    while IFS='=' read -r jdk_key jdk_value; do
      case $jdk_key in JAVA_VERSION) java_version=${jdk_value#\"} java_version=${java_version%%\"*} ;; esac
    done <"$1/release"
  elif [ -x "$1/bin/java" ]; then
    java_version=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p')
  fi
}

# Whether folder $1 holds a JDK 21 or newer, with $jdk_tool.
is_usable_jdk() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/$jdk_tool" ] || return 1
  read_java_version "$1"
  jdk_major=${java_version%%[!0-9]*}
  [ "${jdk_major:-0}" -ge 21 ]
}

find_jdk() {
  jdk_tool=${1:-javac}
  if [ -n "${JAVA_HOME:-}" ] && is_usable_jdk "$JAVA_HOME"; then
    java_home=$JAVA_HOME
    return
  fi
  jdk_on_path=$(command -v java) || jdk_on_path=
  if [ -n "$jdk_on_path" ]; then
    jdk_on_path=$(readlink -f "$jdk_on_path" 2>/dev/null) || jdk_on_path=
    java_home=${jdk_on_path%/bin/java}
    if [ -n "$java_home" ] && is_usable_jdk "$java_home"; then
      return
    fi
  fi
  for java_home in /usr/lib/jvm/* /opt/* "${HOME:-}"/.sdkman/candidates/java/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if is_usable_jdk "$java_home"; then
      return
    fi
  done
  return 1
}
