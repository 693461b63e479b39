// Runs each scenario of one family by itself, and holds every check of it against what must have been checked.
// The suite's own exit code forgives warnings and knows nothing of scenarios that it leaves out, so neither is asked.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [family, url, out] = process.argv.slice(2);
const cli = join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const expected = JSON.parse(readFileSync(join(here, 'checks.json'), 'utf8'))[family];

const offered = execFileSync(process.execPath, [cli, 'list'], { encoding: 'utf8' })
  .split('\n')
  .map(line => /^\s*- (\S+)/.exec(line)?.[1])
  .filter(name => name?.startsWith(`${family}-`));

const totals = { passed: 0, failed: 0, skipped: 0 };
const problems = [];

function fail(scenario, text) {
  totals.failed++;
  problems.push(`${scenario}: ${text}`);
}

for (const scenario of new Set([...offered, ...Object.keys(expected)])) {
  const folder = join(out, scenario);
  const run = spawnSync(process.execPath, [cli, 'server', '--url', url, '--scenario', scenario, '-o', folder], { encoding: 'utf8' });
  let checks;
  try {
    checks = JSON.parse(readFileSync(join(folder, readdirSync(folder)[0], 'checks.json'), 'utf8'));
  } catch {
    fail(scenario, `the suite wrote no checks (exit code ${run.status}): ${run.stderr.trim().split('\n').at(-1)}`);
    continue;
  }
  const line = { passed: 0, failed: 0, skipped: 0 };
  for (const check of checks) {
    const mayBeSkipped = expected[scenario]?.[check.id] === 'SKIPPED';
    if (check.status === 'SUCCESS') {
      line.passed++;
    } else if (check.status === 'SKIPPED' && mayBeSkipped) {
      line.skipped++;
    } else if (check.status !== 'INFO') {
      line.failed++;
      problems.push(`${scenario}: ${check.id} is ${check.status}: ${check.errorMessage ?? ''}`);
    }
  }
  for (const key of Object.keys(line)) totals[key] += line[key];
  for (const id of Object.keys(expected[scenario] ?? {})) {
    if (!checks.some(check => check.id === id)) fail(scenario, `${id} was not checked`);
  }
  if (!expected[scenario]) fail(scenario, 'is new in the suite: add its checks to conformance/checks.json');
  console.log(`${scenario}: ${line.passed} passed, ${line.failed} failed, ${line.skipped} skipped`);
}

for (const problem of problems) console.error(`FAILED ${problem}`);
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = problems.length === 0 && totals.passed > 0 ? 0 : 1;
