#!/usr/bin/env node
// Starts bin/longhaul beside this file, on the Java and the class archives of the package for this system where there is one.
// Standard streams are those of this process; signals go on to the program, and its end is the end of this process.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const system = `${process.platform}-${process.arch}`
const env = { ...process.env, LONGHAUL_NPM_SYSTEM: system }
const jar = join(here, readdirSync(here).find(file => file.endsWith('.jar')))
let platform
try {
  platform = dirname(createRequire(import.meta.url).resolve(`@longhaul/${system}/package.json`))
  env.LONGHAUL_PLATFORM = platform
  keepTimes(new Date('2026-01-01T00:00:00Z'), new Date('2000-01-01T00:00:00Z'))
} catch {
  // There is no package for this system, or its files belong to another user: bin/longhaul goes on.
}
if (process.env.npm_command === 'exec') {
  env.LONGHAUL_NPX = 'longhaul@' + JSON.parse(readFileSync(join(here, 'package.json'))).version
}

// Class archives fit only jars with the times of their making, which npm does not keep.
function keepTimes(ofJars, ofArchives) {
  if (statSync(jar).mtime.getTime() === ofJars.getTime()) return
  const cache = join(platform, 'cache')
  readdirSync(cache).filter(file => file.endsWith('.trained')).forEach(file => utimesSync(join(cache, file), ofArchives, ofArchives))
  readdirSync(join(here, 'lib')).filter(file => file.endsWith('.jar')).forEach(file => utimesSync(join(here, 'lib', file), ofJars, ofJars))
  utimesSync(jar, ofJars, ofJars)
}

// As bin/longhaul.cmd, without a shell that would read the arguments once more.
function onWindows(words) {
  const java = platform ? join(platform, 'runtime') : process.env.JAVA_HOME
  const archive = join(platform ? join(platform, 'cache') : process.env.LOCALAPPDATA ?? here, 'longhaul.jsa')
  return [java ? join(java, 'bin', 'java.exe') : 'java', ['-XX:+UseSerialGC',
    ...(words[0] === 'serve' && !words.includes('--stdio') ? [] : ['-XX:TieredStopAtLevel=1']),
    '-XX:+AutoCreateSharedArchive', `-XX:SharedArchiveFile=${archive}`, '-Xlog:disable', '-XX:+DisplayVMOutputToStderr',
    ...(platform ? [`-Dorg.sqlite.lib.path=${join(platform, 'native')}`] : []),
    '-jar', platform ? jar : join(here, 'natives', 'longhaul-cli-natives.jar'), ...words]]
}

const words = process.argv.slice(2)
const [program, line] = process.platform === 'win32' ? onWindows(words) : ['sh', [join(here, 'bin', 'longhaul'), ...words]]
const child = spawn(program, line, { stdio: 'inherit', env })
child.on('error', error => {
  console.error(`longhaul: needs a Java 21 or newer and found none: set JAVA_HOME to one (${error.message})`)
  process.exit(1)
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
  // A terminal gives its keys to all processes at it, and a second signal would end a server at once.
  process.on(signal, () => (signal === 'SIGINT' || signal === 'SIGQUIT') && process.stdin.isTTY || child.kill(signal))
}
if (process.env.npm_command === 'exec') {
  // npx starts this program by a shell, which ends at a signal without handing it on.
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 200).unref()
}
child.on('exit', (code, signal) => {
  if (signal) {
    process.exitCode = 128 + constants.signals[signal]
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  } else {
    process.exit(code)
  }
})
