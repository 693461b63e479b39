// Plays hosts that know no tasks, with the official clients: each check is a line, and a fault ends with status 1.
// checks.mjs [TIMES]: on a busy machine clients wait so many times longer, and so do the server and its tools.
// checks.mjs --slow: clients and server are as they come, and a tool takes 100 s.
import { CLIENTS } from './clients.mjs';
import { defaults, impatience, life, receives } from './scenarios.mjs';

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

const each = (scenario, kind) =>
  Promise.all(kind.transports.map(transport => play(check => scenario(kind, transport, check), kind, transport)));

async function lives(kinds) {
  for (const kind of kinds) await each(life, kind);
}

/** Over HTTP one server has all of these clients. */
async function impatient() {
  const kinds = CLIENTS.filter(kind => kind.parallel);
  await Promise.all([
    ...kinds.map(kind => play(check => impatience([kind], 'stdio', () => check), kind, 'stdio')),
    play(() => impatience(kinds, 'http', told('http')), { name: 'all clients' }, 'http'),
  ]);
}

/** One client over each transport, as a receiver of tasks. */
const receivers = () =>
  Promise.all(
    ['stdio', 'http'].map(transport =>
      play(check => receives(transport, check), { name: 'sdk 1.x as receiver' }, transport)),
  );

// Two lanes: one after the other they would take twice as long, and all at once more than a small machine has.
const typeScript = CLIENTS.filter(kind => kind.stops);
const others = CLIENTS.filter(kind => !kind.stops);
await (process.argv[2] === '--slow'
  ? Promise.all(CLIENTS.map(kind => each(defaults, kind)))
  : Promise.all([lives(typeScript), lives(others).then(receivers), impatient()]));
console.log(`${counted.ok} ok, ${counted['not ok']} not ok`);
// What a fault has left open does not hold the process.
process.exit(counted['not ok'] === 0 && counted.ok > 0 ? 0 : 1);
