// Plays hosts that know no tasks, with the official clients: each check is a line, and a fault ends with status 1.
// checks.mjs [TIMES]: on a busy machine clients wait so many times longer, and so do the server and its tools.
import { CLIENTS } from './clients.mjs';
import { impatience, life } from './scenarios.mjs';

const counted = { ok: 0, 'not ok': 0 };

process.once('SIGINT', () => process.exit(2));
process.once('SIGTERM', () => process.exit(2));

const told = transport => kind => (name, holds, seen) => {
  const verdict = holds ? 'ok' : 'not ok';
  counted[verdict]++;
  const line = `${verdict} - ${kind.name}, ${transport}: ${name}`;
  console.log(holds ? line : `${line}\n    ${typeof seen === 'string' ? seen : JSON.stringify(seen)}`);
};

/** What ends a scenario before its end is a fault like another. */
async function play(scenario, kind, transport) {
  const check = told(transport)(kind);
  await scenario(check).catch(error => check('the checks come to their end', false, error.stack));
}

async function lives() {
  for (const kind of CLIENTS) {
    await Promise.all(
      ['stdio', 'http'].map(transport => play(check => life(kind, transport, check), kind, transport)),
    );
  }
}

/** Over HTTP one server has all of these clients. */
const impatient = [
  ...CLIENTS.map(kind => play(check => impatience([kind], 'stdio', () => check), kind, 'stdio')),
  play(() => impatience(CLIENTS, 'http', told('http')), { name: 'all clients' }, 'http'),
];
await Promise.all([lives(), ...impatient]);
console.log(`${counted.ok} ok, ${counted['not ok']} not ok`);
// What a fault has left open does not hold the process.
process.exit(counted['not ok'] === 0 && counted.ok > 0 ? 0 : 1);
