// Runs scenarios of the suite and holds every check against checks.json, which says what each must come to.
// The suite's own exit code forgives warnings, skipped checks and scenarios that check nothing, so it is not enough.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const SETS = ['2025-11-25', '2026-07-28'];
const EXTENSIONS_SPEAK = '2026-07-28';
const MINUTE = 60_000;

const here = dirname(fileURLToPath(import.meta.url));
const [family, url, out, option] = process.argv.slice(2);
const cli = join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const page = join(here, 'checks.json');
const wanted = JSON.parse(readFileSync(page, 'utf8'));
const reasons = readFileSync(join(here, 'README.md'), 'utf8');
const recording = option === '--record';
const totals = { passed: 0, failed: 0, skipped: 0 };

const offered = execFileSync(process.execPath, [cli, 'list', '--server'], { encoding: 'utf8' })
  .split('\n')
  .map(line => /^\s*- (\S+) \[(.*)\]/.exec(line))
  .filter(found => found)
  .map(([, name, tags]) => ({ name, tags: tags.split(',') }));

// Some scenarios give a stream half a second, which is too little while a fresh machine loads its classes.
suite(['--scenario', 'server-stateless'], 'warm-up');

if (family === 'tasks') {
  const names = offered.map(({ name }) => name).filter(name => name.startsWith('tasks-'));
  judge(EXTENSIONS_SPEAK, one(names, 'tasks'), name => name.startsWith('tasks-'));
} else {
  const extensions = offered.filter(({ tags }) => tags.includes('extension')).map(({ name }) => name);
  const versions = new Set(offered.flatMap(({ tags }) => tags).filter(tag => tag !== 'extension'));
  for (const version of [...versions].sort()) {
    const whole = SETS.includes(version)
      ? suite(['--requirements', version], version)
      : suite(['--suite', 'all', '--spec-version', version], version);
    const names = offered.filter(({ tags }) => tags.includes(version)).map(({ name }) => name);
    const beyond = names.filter(name => !(name in whole));
    Object.assign(whole, one(beyond, version, ['--spec-version', version]));
    if (version === EXTENSIONS_SPEAK) {
      Object.assign(whole, one(extensions.filter(name => !(name in whole)), version));
    }
    judge(version, whole);
  }
}

if (recording) writeFileSync(page, JSON.stringify(wanted, null, 2) + '\n');
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1;

/** Runs scenarios one by one. */
function one(names, folder, args = []) {
  const results = {};
  for (const name of names) {
    Object.assign(results, suite(['--scenario', name, ...args], join(folder, 'alone', name)));
  }
  return results;
}

/** Runs the suite once; gives what it checked by scenario. */
function suite(args, name) {
  const folder = join(out, name);
  mkdirSync(folder, { recursive: true });
  const started = spawnSync(
    process.execPath,
    [cli, 'server', '--url', url, '--timeout', `${2 * MINUTE}`, '-o', folder, ...args],
    { encoding: 'utf8', timeout: 20 * MINUTE, maxBuffer: 1 << 28 },
  );
  writeFileSync(join(folder, 'suite.log'), started.stdout + started.stderr);
  if (started.status !== 0 && name !== 'warm-up') {
    fail(`${name}: the suite ended with ${started.status ?? started.signal}, see ${join(folder, 'suite.log')}`);
  }
  const results = {};
  for (const entry of readdirSync(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(entry)?.[1];
    if (scenario) results[scenario] = JSON.parse(readFileSync(join(folder, entry, 'checks.json'), 'utf8'));
  }
  return results;
}

/** Compares what was checked in one version with what must be, both ways. */
function judge(version, results, concerned = () => true) {
  const must = (wanted[version] ??= {});
  for (const [scenario, checks] of Object.entries(results)) {
    const told = summary(checks);
    if (!(scenario in must) && recording && Object.values(told).every(Number.isInteger)) must[scenario] = told;
    const failed = totals.failed;
    compare(`${version} ${scenario}`, told, must[scenario] ?? {}, checks);
    if (!Object.values(told).every(Number.isInteger) && !reasons.includes(`\`${scenario}\``)) {
      fail(`${version} ${scenario}: leaves something out, and conformance/README.md does not say why`);
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
      fail(`${name}: ${id} must be ${must[id] ?? 'in conformance/checks.json'}, is ${told[id] ?? 'absent'} ${message}`);
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
