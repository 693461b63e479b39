# Sourced by ./longhaul, examples/.start and lab/.start.

# Packages modules of the checkout in folder $root: maven OPTIONS. Its output goes to standard error, without the escape
# sequences that mvn writes even where it was told to write in no colours. It runs on the JDK in $java_home, which jdk.sh has
# found: there it compiles in its own process, which takes two thirds of the time.
maven() {
  maven_code=$(
    {
      {
        (cd "$root" && JAVA_HOME=$java_home mvn -q -B -ntp -Dmaven.test.skip=true "$@" package) </dev/null 2>&1 3>&- && echo 0 >&3 || echo 1 >&3
      } | sed "s/$(printf '\033')\[[0-9;]*m//g" >&2
    } 3>&1
  )
  return "$maven_code"
}
