#!/usr/bin/env node
// Becomes bin/longhaul beside this file, on the Java and the class archives of the package for this system where there is one.
// An older Node, and one on Windows, starts it instead: standard streams are those of this process, signals go on to the
// program, and its end is the end of this process. What is not needed at each start is loaded where it is.
'use strict'
const { readdirSync, statSync, utimesSync } = require('node:fs')
const { dirname, join } = require('node:path')

const here = __dirname
const system = `${process.platform}-${process.arch}`
const words = process.argv.slice(2)
const env = { ...process.env, LONGHAUL_NPM_SYSTEM: system }
const jar = join(here, readdirSync(here).find(file => file.endsWith('.jar')))
const isOfNpx = env.npm_command === 'exec'
let platform
try {
  platform = dirname(require.resolve(`@longhaul/${system}/package.json`))
  env.LONGHAUL_PLATFORM = platform
  keepTimes(new Date('2026-01-01T00:00:00Z'), new Date('2000-01-01T00:00:00Z'))
} catch {
  // There is no package for this system, or its files belong to another user: bin/longhaul goes on.
}
if (isOfNpx) env.LONGHAUL_NPX = 'longhaul@' + require('./package.json').version

// npx ends at a signal without handing it on, and is watched; a server on standard streams ends with these.
if (process.execve && process.platform !== 'win32' && (!isOfNpx || words.includes('--stdio'))) {
  process.execve('/bin/sh', ['sh', join(here, 'bin', 'longhaul'), ...words], env)
}
start()

// Class archives fit only jars with the times of their making, which npm does not keep.
function keepTimes(ofJars, ofArchives) {
  if (statSync(jar).mtimeMs === ofJars.getTime()) return
  const cache = join(platform, 'cache')
  readdirSync(cache).filter(file => file.endsWith('.trained')).forEach(file => utimesSync(join(cache, file), ofArchives, ofArchives))
  readdirSync(join(here, 'lib')).filter(file => file.endsWith('.jar')).forEach(file => utimesSync(join(here, 'lib', file), ofJars, ofJars))
  utimesSync(jar, ofJars, ofJars)
}

// As bin/longhaul.cmd, without a shell that would read the arguments once more.
function onWindows() {
  const java = platform ? join(platform, 'runtime') : process.env.JAVA_HOME
  const archive = join(platform ? join(platform, 'cache') : process.env.LOCALAPPDATA ?? here, 'longhaul.jsa')
  return [java ? join(java, 'bin', 'java.exe') : 'java', ['-XX:+UseSerialGC',
    ...(words[0] === 'serve' && !words.includes('--stdio') ? [] : ['-XX:TieredStopAtLevel=1']),
    '-XX:+AutoCreateSharedArchive', `-XX:SharedArchiveFile=${archive}`, '-Xlog:disable', '-XX:+DisplayVMOutputToStderr',
    ...(platform ? [`-Dorg.sqlite.lib.path=${join(platform, 'native')}`] : []),
    '-jar', platform ? jar : join(here, 'natives', 'longhaul-cli-natives.jar'), ...words]]
}

function start() {
  const [program, line] = process.platform === 'win32' ? onWindows() : ['sh', [join(here, 'bin', 'longhaul'), ...words]]
  const child = require('node:child_process').spawn(program, line, { stdio: 'inherit', env })
  child.on('error', error => {
    console.error(`longhaul: needs a Java 21 or newer and found none: set JAVA_HOME to one (${error.message})`)
    process.exit(1)
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
    // A terminal gives its keys to all processes at it, and a second signal would end a server at once.
    process.on(signal, () => (signal === 'SIGINT' || signal === 'SIGQUIT') && process.stdin.isTTY || child.kill(signal))
  }
  if (isOfNpx) {
    // npx starts this program by a shell, which ends at a signal without handing it on.
    const parent = process.ppid
    setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 200).unref()
  }
  child.on('exit', (code, signal) => {
    if (signal) {
      process.exitCode = 128 + require('node:os').constants.signals[signal]
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
    } else {
      process.exit(code)
    }
  })
}
