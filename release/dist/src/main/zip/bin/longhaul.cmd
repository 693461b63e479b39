@echo off
rem Runs Longhaul from an unpacked release: on its folder runtime, else on the Java of JAVA_HOME, else on that of the PATH.
rem The JVM makes its class archive when the first run ends. Commands of tools run in sh, which Windows lacks.
rem LONGHAUL_JAVA_OPTS: more options for the JVM.
setlocal
set "root=%~dp0.."
set "java=java"
if exist "%JAVA_HOME%\bin\java.exe" set "java=%JAVA_HOME%\bin\java"
if exist "%root%\runtime\bin\java.exe" set "java=%root%\runtime\bin\java"
set "cache=%LOCALAPPDATA%\longhaul"
if not defined LOCALAPPDATA set "cache=%TEMP%\longhaul"
rem A release with its own Java brings an archive, and SQLite beside its jar; Temporal's client is a part of its own.
if exist "%root%\cache\classes.jsa" set "cache=%root%\cache"
if not exist "%cache%" mkdir "%cache%"
for %%j in ("%root%\longhaul-cli-*.jar") do set "jar=%%~j"
for %%j in ("%root%\temporal\longhaul-cli-*.jar") do set "jar=%%~j"
set "sqlite=-Dlonghaul.sqlite=jar"
if exist "%root%\native" set "sqlite=-Dorg.sqlite.lib.path=%root%\native"
rem What ends soon gains from compiling less; a server for many does not.
set "compiler=-XX:TieredStopAtLevel=1"
if "%~1"=="serve" set "compiler="
"%java%" -XX:+UseSerialGC %compiler% -XX:+AutoCreateSharedArchive "-XX:SharedArchiveFile=%cache%\classes.jsa" ^
  -Xlog:disable -XX:+DisplayVMOutputToStderr %LONGHAUL_JAVA_OPTS% "%sqlite%" -jar "%jar%" %*
set "code=%ERRORLEVEL%"
if "%code%"=="9009" echo longhaul: needs a Java 21 or newer and found none: set JAVA_HOME to one>&2
exit /b %code%
