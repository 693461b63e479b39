// Runs scenarios of the suite and holds every check against checks.json, which says what each must come to, or what a
// server comes to behind a gateway against what it comes to without.
// The suite's own exit code forgives warnings, skipped checks and scenarios that check nothing, so it is not enough.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const SETS = ['2025-11-25', '2026-07-28'];
const EXTENSIONS_SPEAK = '2026-07-28';
const MINUTE = 60_000;

const here = dirname(fileURLToPath(import.meta.url));
// What is driven is the URL of a server, or the command that starts a client. For `behind`, the option is the URL of the gateway.
const [family, driven, out, option] = process.argv.slice(2);
const side = family === 'client' ? 'client' : 'server';
const cli = join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const page = join(here, 'checks.json');
const pages = JSON.parse(readFileSync(page, 'utf8'));
const wanted = pages[side];
const reasons = readFileSync(join(here, 'README.md'), 'utf8');
const recording = option === '--record';
const totals = { passed: 0, failed: 0, skipped: 0 };

const offered = execFileSync(process.execPath, [cli, 'list', `--${side}`], { encoding: 'utf8' })
  .split('\n')
  .map(line => /^\s*- (\S+) \[(.*)\]/.exec(line))
  .filter(found => found)
  .map(([, name, tags]) => ({ name, tags: tags.split(',') }));
const extensions = offered.filter(({ tags }) => tags.includes('extension')).map(({ name }) => name);
const versions = [...new Set(offered.flatMap(({ tags }) => tags))].filter(tag => tag !== 'extension').sort();
const namesOf = version => offered.filter(({ tags }) => tags.includes(version)).map(({ name }) => name);

await { tasks, server, behind, client }[family]();
if (recording) writeFileSync(page, JSON.stringify(pages, null, 2) + '\n');
console.log(
  Object.entries(totals)
    .map(([what, count]) => `${count} ${what}`)
    .join(', '),
);
process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1;

async function tasks() {
  await warmUp();
  const names = offered.map(({ name }) => name).filter(name => name.startsWith('tasks-'));
  judge(EXTENSIONS_SPEAK, await one(names, 'tasks'), name => name.startsWith('tasks-'));
}

async function server() {
  await warmUp();
  for (const version of versions) judge(version, await everyScenario(version));
}

/**
 * The same server directly and through a gateway: what passes without the gateway passes with it. Scenarios in which
 * they differ are named, with the reason, in a table of docs/GATEWAY.md.
 */
async function behind() {
  const page = readFileSync(join(here, '../../docs/GATEWAY.md'), 'utf8');
  const named = new Set(Array.from(page.matchAll(/^\| `([a-z0-9-]+)` \|/gm), ([, scenario]) => scenario));
  const differing = new Set();
  const row = (...cells) => console.log(cells[0].padEnd(58) + cells.slice(1).map(cell => `${cell}`.padStart(9)).join(''));
  const sums = { directly: 0, behind: 0 };
  const gateway = { url: option, folder: 'gateway' };
  await warmUp();
  await suite(['--scenario', 'server-stateless'], 'warm-up', gateway);
  row('checks that pass', 'directly', 'behind');
  for (const version of versions) {
    const [direct, passed] = await Promise.all([everyScenario(version), everyScenario(version, gateway)]);
    for (const [scenario, checks] of Object.entries(direct)) {
      const [without, within] = [passing(checks), passing(passed[scenario] ?? [])];
      row(`${version} ${scenario}`, without.length, within.length);
      sums.directly += without.length;
      sums.behind += within.length;
      const lost = without.filter(id => !within.includes(id));
      if (lost.length === 0) continue;
      differing.add(scenario);
      if (named.has(scenario)) continue;
      const why = passed[scenario]?.find(({ id, errorMessage }) => lost.includes(id) && errorMessage)?.errorMessage ?? '';
      fail(`${version} ${scenario}: ${lost} passes at the server, and not behind the gateway. ${why}`);
    }
  }
  row('all', sums.directly, sums.behind);
  for (const scenario of named) {
    if (!differing.has(scenario)) fail(`${scenario}: is named in docs/GATEWAY.md, and passes behind the gateway`);
  }
  console.log(`${differing.size} scenarios differ; docs/GATEWAY.md names ${named.size}`);
  totals.passed = sums.behind;
}

/** The ids of checks that succeed each time. */
function passing(checks) {
  return Object.entries(summary(checks))
    .filter(([, told]) => Number.isInteger(told))
    .map(([id]) => id);
}

/** All that the suite has for a version. */
async function everyScenario(version, at) {
  const whole = SETS.includes(version)
    ? await suite(['--requirements', version], version, at)
    : await suite(['--suite', 'all', '--spec-version', version], version, at);
  const beyond = namesOf(version).filter(name => !(name in whole));
  Object.assign(whole, await one(beyond, version, ['--spec-version', version], 1, at));
  if (version === EXTENSIONS_SPEAK) {
    Object.assign(whole, await one(extensions.filter(name => !(name in whole)), version, [], 1, at));
  }
  return whole;
}

/** The suite would start the clients of a whole set at once. Both sets have the extensions, which no version has. */
async function client() {
  for (const version of versions) {
    const names = [...namesOf(version), ...(SETS.includes(version) ? extensions : [])];
    judge(version, await one(names, version, ['--spec-version', version, '--force'], availableParallelism()));
  }
}

/** Some scenarios give a stream half a second, which is too little while a fresh machine loads its classes. */
async function warmUp() {
  await suite(['--scenario', 'server-stateless'], 'warm-up');
}

/** Runs scenarios one by one, or so many at once, where nothing else is said at what is driven. */
async function one(names, folder, args = [], lanes = 1, at = undefined) {
  const results = {};
  const left = [...names];
  const lane = async () => {
    for (let name = left.shift(); name; name = left.shift()) {
      Object.assign(results, await suite(['--scenario', name, ...args], join(folder, 'alone', name), at));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

/** Runs the suite once, where nothing else is said at what is driven; gives what it checked by scenario. */
async function suite(args, name, at = { url: driven, folder: '.' }) {
  const folder = join(out, at.folder, name);
  mkdirSync(folder, { recursive: true });
  const drives = side === 'client' ? ['--command', driven] : ['--url', at.url];
  const { status, said } = await node([cli, side, ...drives, '--timeout', `${2 * MINUTE}`, '-o', folder, ...args]);
  const log = join(folder, 'suite.log');
  writeFileSync(log, said);
  const results = {};
  for (const file of readdirSync(folder, { recursive: true })) {
    const scenario = /^(?:server-)?(.+)-\d{4}-\d\d-\d\dT[\d-]+Z\/checks\.json$/.exec(file)?.[1];
    if (scenario) results[scenario] = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  }
  const ending = { id: 'suite', status: 'FAILURE', errorMessage: `the suite ended with ${status}, see ${log}` };
  if (status !== 0 && side === 'client') {
    // The only sign of a client that did not end in time, or ended with an error.
    Object.values(results).forEach(checks => checks.push(ending));
  } else if (status !== 0 && name !== 'warm-up' && family !== 'behind') {
    fail(`${name}: ${ending.errorMessage}`);
  }
  return results;
}

function node(args) {
  const limits = { timeout: 20 * MINUTE, maxBuffer: 1 << 28 };
  return new Promise(done =>
    execFile(process.execPath, args, limits, (error, stdout, stderr) =>
      done({ status: error ? (error.code ?? error.signal) : 0, said: stdout + stderr }),
    ),
  );
}

/** Compares what was checked in one version with what must be, both ways. */
function judge(version, results, concerned = () => true) {
  const must = (wanted[version] ??= {});
  for (const [scenario, checks] of Object.entries(results)) {
    const told = summary(checks);
    const whole = Object.values(told).every(Number.isInteger);
    if (recording && whole) must[scenario] ??= told;
    const failed = totals.failed;
    compare(`${version} ${scenario}`, told, must[scenario] ?? {}, checks);
    if (!whole && !reasons.includes(`\`${scenario}\``)) {
      fail(`${version} ${scenario}: leaves something out, and lab/conformance/README.md does not say why`);
    }
    if (Object.keys(told).length === 0) fail(`${version} ${scenario}: checked nothing`);
    console.log(`${version} ${scenario}: ${totals.failed === failed ? 'as expected' : 'FAILED'}`);
  }
  for (const scenario of Object.keys(must)) {
    if (concerned(scenario) && !(scenario in results)) fail(`${version} ${scenario}: was not run`);
  }
}

function compare(name, told, must, checks) {
  for (const id of new Set([...Object.keys(told), ...Object.keys(must)])) {
    if (told[id] !== must[id]) {
      const message = checks.find(check => check.id === id && check.errorMessage)?.errorMessage ?? '';
      fail(`${name}: ${id} must be ${must[id] ?? 'in lab/conformance/checks.json'}, is ${told[id] ?? 'absent'} ${message}`);
    } else if (Number.isInteger(told[id])) {
      totals.passed += told[id];
    } else {
      totals.skipped++;
    }
  }
}

/** By check, how many times it succeeded, or all that it came to where it did not always. */
function summary(checks) {
  const statuses = {};
  for (const { id, status, specReferences } of checks) {
    // Without a reference it is no check but the suite's record of what was sent.
    if (status !== 'INFO' || specReferences) (statuses[id] ??= []).push(status);
  }
  return Object.fromEntries(
    Object.entries(statuses).map(([id, all]) => [
      id,
      all.every(status => status === 'SUCCESS') ? all.length : all.join(' '),
    ]),
  );
}

function fail(text) {
  totals.failed++;
  console.error(`FAILED ${text}`);
}
