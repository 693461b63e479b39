// Runs each scenario of one family by itself, and holds every check of it against what must have been checked.
// The suite's own exit code forgives warnings and knows nothing of scenarios that it leaves out, so neither is asked.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [family, url, out, option] = process.argv.slice(2);
const cli = join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const page = join(here, 'checks.json');
const all = JSON.parse(readFileSync(page, 'utf8'));

// The tasks extension picks its own version; every other scenario runs in each version that it is for.
const versions = family === 'tasks' ? [null] : ['2025-11-25', '2026-07-28'];
const totals = { passed: 0, failed: 0, skipped: 0 };
const problems = [];
const passed = [];

const offered = execFileSync(process.execPath, [cli, 'list', '--server'], { encoding: 'utf8' })
  .split('\n')
  .map(line => /^\s*- (\S+) \[(.*)\]/.exec(line))
  .filter(found => found)
  .map(([, name, tags]) => ({ name, tags: tags.split(',') }));

for (const version of versions) {
  const expected = version ? (all[family]?.[version] ?? {}) : all[family];
  const scenarios = offered
    .filter(({ name, tags }) => (version ? tags.includes(version) : name.startsWith(`${family}-`)))
    .map(({ name }) => name);
  for (const scenario of new Set([...scenarios, ...Object.keys(expected)])) {
    run(scenario, version, expected[scenario]);
  }
}

const recording = option === '--record';
if (recording) {
  for (const { version, scenario, checks } of passed) {
    const place = version ? ((all[family] ??= {})[version] ??= {}) : all[family];
    place[scenario] ??= checks;
  }
  writeFileSync(page, JSON.stringify(all, null, 2) + '\n');
}
for (const problem of problems) {
  if (!recording || !problem.isNew) console.error(`FAILED ${problem.text}`);
}
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = problems.length === 0 && totals.passed > 0 ? 0 : 1;

function run(scenario, version, expected) {
  const name = version ? `${version} ${scenario}` : scenario;
  const folder = join(out, version ?? '', scenario);
  const wire = version ? ['--spec-version', version] : [];
  const started = spawnSync(
    process.execPath,
    [cli, 'server', '--url', url, '--scenario', scenario, ...wire, '-o', folder],
    { encoding: 'utf8' },
  );
  let checks;
  try {
    checks = JSON.parse(readFileSync(join(folder, readdirSync(folder)[0], 'checks.json'), 'utf8'));
  } catch {
    fail(`${name}: the suite wrote no checks (exit code ${started.status}): ${lastLine(started.stderr)}`);
    return;
  }
  const line = { passed: 0, failed: 0, skipped: 0 };
  for (const check of checks) {
    if (check.status === 'SUCCESS') {
      line.passed++;
    } else if (check.status === 'SKIPPED' && expected?.[check.id] === 'SKIPPED') {
      line.skipped++;
    } else if (check.status !== 'INFO') {
      line.failed++;
      problems.push({ text: `${name}: ${check.id} is ${check.status}: ${check.errorMessage ?? ''}` });
    }
  }
  for (const key of Object.keys(line)) totals[key] += line[key];
  for (const id of Object.keys(expected ?? {})) {
    if (!checks.some(check => check.id === id)) fail(`${name}: ${id} was not checked`);
  }
  if (!expected) {
    fail(`${name}: is new in the suite: add its checks to conformance/checks.json`, true);
    const scored = checks.filter(check => check.status !== 'INFO').map(check => [check.id, check.status]);
    if (line.failed === 0) passed.push({ version, scenario, checks: Object.fromEntries(scored) });
  }
  console.log(`${name}: ${line.passed} passed, ${line.failed} failed, ${line.skipped} skipped`);
}

function fail(text, isNew = false) {
  totals.failed++;
  problems.push({ text, isNew });
}

function lastLine(text) {
  return text.trim().split('\n').at(-1);
}
