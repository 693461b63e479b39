// What is checked of each client over each transport. Most tools run for SECONDS, and the server holds calls for HOLD.
import { setTimeout as pause } from 'node:timers/promises';
import { converse, turn } from './model.mjs';
import { receiver } from './receiver.mjs';
import { Server } from './server.mjs';

/** By how much a busy machine has more time. */
const SLOWER = Number(process.argv[2]) || 1;

/** How long the clients wait for an answer, in milliseconds. */
const TIMEOUT = 2_000 * SLOWER;

const HOLD = SLOWER;
const SECONDS = 4 * SLOWER;
/** Longer than any client of these checks waits. */
const LONG_HOLD = 40;
/** One turn for each hold and one for the call, and one more where the machine is slow. */
const TURNS = SECONDS / HOLD + 2;

const job = (name, label, seconds = SECONDS) => ({ name, args: { label, seconds } });
const isRunOnce = ({ begun, ended, tasks }) => begun === 1 && ended === 1 && tasks === 1;
const isInTime = turns => turns > 1 && turns <= TURNS;

/** One client through the whole life of a server: a conversation, a crash, and a client that starts anew. */
export async function life(kind, transport, check) {
  const server = new Server(transport, HOLD);
  try {
    await server.start();
    const first = await kind.connect(server, TIMEOUT);
    await warmUp(first);
    await conversation({ kind, session: first, server, check });
    const second = await crash({ kind, session: first, server, check });
    const third = await comesAgain({ kind, session: second, server, check });
    await third.close();
  } finally {
    await server.end();
  }
}

/** The first call of a fresh process takes longer than the others. */
async function warmUp(session) {
  await turn(session, job('work', 'warm-up', 0), { timeout: 60_000 });
}

/** Everything that one conversation can do at once. */
async function conversation(all) {
  const { kind, server } = all;
  const parts = [longCall, structured, failing, question, cancelled];
  if (kind.stops) parts.push(aborted);
  if (kind.parallel) parts.push(ten);
  if (kind.parallel && server.transport === 'http') parts.push(secondConversation);
  await Promise.all(parts.map(part => part(all)));
}

async function longCall({ session, server, check }) {
  const { text, turns } = await converse(session, job('work', 'long'));
  check('a call that outlasts its client gives its result', text === 'done: long', text);
  check('the number of turns is the time by the hold, and one', isInTime(turns), `${turns} turns`);
  check('the work runs once', isRunOnce(server.runs('long')), server.runs('long'));
}

async function structured({ session, check }) {
  const call = job('report', 'structured');
  const first = await turn(session, call);
  const isRunning = first.result.structuredContent?.status === 'working';
  check('the client takes "still running" by the output schema', isRunning, first.result);
  const { result } = await converse(session, first.next);
  const isReport = result.structuredContent?.label === 'structured' && result.structuredContent.pages === 7;
  check('the client takes the result by the output schema', isReport, result);
}

async function failing({ session, check }) {
  const { result, text, turns } = await converse(session, job('failing', 'failing'));
  const isFailure = result.isError === true && text === 'failed: failing' && turns > 1;
  check('a tool that fails later gives its failure', isFailure, result);
}

async function question({ session, server, check }) {
  const seen = [];
  const answer = text => seen.push(text) && { name: 'Ada' };
  const { text, used } = await converse(session, job('asking', 'asking', 2), answer);
  const isAnswered = text === 'done for Ada' && used.includes('task_answer');
  check('a question reaches the user by way of the model', isAnswered, { text, used });
  check('the user reads the question', seen.length === 1 && seen[0].includes('Who is it for?'), seen);
  check('the work of a tool that asks runs once', isRunOnce(server.runs('asking')), server.runs('asking'));
}

async function aborted({ session, server, check }) {
  const user = new AbortController();
  const call = job('work', 'aborted');
  const outcome = turn(session, call, { signal: user.signal }).then(said => said.text, () => 'aborted');
  await until(() => server.runs('aborted').begun === 1);
  user.abort();
  const said = await outcome;
  await until(() => server.runs('aborted').stopped === 1);
  const { stopped } = server.runs('aborted');
  check('the stop of a user cancels the task', said === 'aborted' && stopped === 1, { said, stopped });
}

async function cancelled({ session, server, check }) {
  const { next } = await turn(session, job('work', 'cancelled'));
  const { text } = await turn(session, { name: 'task_cancel', args: next.args });
  await until(() => server.runs('cancelled').stopped === 1);
  const { stopped } = server.runs('cancelled');
  check('a model cancels a task', text === 'work is cancelled.' && stopped === 1, { text, stopped });
}

async function ten({ session, server, check }) {
  const labels = Array.from({ length: 10 }, (_, i) => `ten-${i}`);
  const said = await Promise.all(labels.map(label => converse(session, job('work', label))));
  const isRight = said.every(({ text, turns }, i) => text === `done: ten-${i}` && isInTime(turns));
  check('ten long calls in parallel give their results', isRight, said.map(({ text, turns }) => [text, turns]));
  const runs = labels.map(label => server.runs(label));
  check('each of the ten runs once', runs.every(isRunOnce), runs);
}

/** Over stdio each conversation of these checks has a server of its own. */
async function secondConversation({ kind, server, check }) {
  const session = await kind.connect(server, TIMEOUT);
  const { text, turns } = await converse(session, job('work', 'second'));
  const isOwn = text === 'done: second' && isInTime(turns) && isRunOnce(server.runs('second'));
  check('a second conversation at the same time has a task of its own', isOwn, { text, turns });
  await session.close();
}

/** @return a session with the server that came after the crash */
async function crash({ kind, session, server, check }) {
  const { next } = await turn(session, job('work', 'crash'));
  await server.kill(session);
  await session.close();
  await server.start();
  const after = await kind.connect(server, TIMEOUT);
  await warmUp(after);
  const { text } = await converse(after, next);
  const { begun, ended, tasks } = server.runs('crash');
  const isRestarted = text === 'done: crash' && begun > 1 && ended === 1 && tasks === 1;
  check('a model goes on after the server was killed', isRestarted, { text, begun, ended, tasks });
  return after;
}

/**
 * Over stdio the server ends with its input, and the next one runs the work again; over HTTP the work goes on.
 *
 * @return a session that shows forms, where the client can
 */
async function comesAgain({ kind, session, server, check }) {
  const call = job('work', 'again');
  await turn(session, call);
  await session.close();
  const after = await kind.connect(server, TIMEOUT, { name: 'Grace' });
  await warmUp(after);
  const listed = await turn(after, { name: 'task_list', args: {} });
  check('a client that starts anew is listed its task', listed.text.includes(': work, called '), listed.text);
  const parts = [joined({ call, session: after, server, check })];
  if (kind.forms) parts.push(form({ session: after, check }));
  await Promise.all(parts);
  return after;
}

async function joined({ call, session, server, check }) {
  const { text } = await converse(session, call);
  const { ended, tasks } = server.runs('again');
  const isJoined = text.startsWith('done: again') && ended === 1 && tasks === 1;
  check('its same call joins the task', isJoined, { text, ended, tasks });
}

async function form({ session, check }) {
  const { text, used } = await converse(session, job('asking', 'form'));
  const isForm = text === 'done for Grace' && !used.includes('task_answer');
  check('a question is a form where the client can show it', isForm, { text, used });
}

/** Clients that wait for less than the server holds their calls, side by side. */
export async function impatience(kinds, transport, check) {
  const server = new Server(transport, LONG_HOLD);
  try {
    await server.start();
    await Promise.all(kinds.map(kind => givesUp({ kind, server, check: check(kind) })));
  } finally {
    await server.end();
  }
}

/**
 * How long a client waits for the first and for the second call, and how long the server holds the second, which is
 * three quarters of the first wait, and five seconds at least. A client that closes a response of 2026-07-28 cancels by
 * that, except after a figure after which clients are known to give up, of which 30 s is the smallest. Of a client that
 * says nothing, the same call tells that the first was given up, after five seconds; its session is held for half.
 */
function waits(kind, transport) {
  if (!kind.tells) return { first: 8, held: 4, second: 8, work: 14 };
  return transport === 'http' && kind.revision === '2026-07-28'
    ? { first: 30, held: 22.5, second: 30, work: 54 }
    : { first: 2, held: 5, second: 15, work: 20 };
}

async function givesUp({ kind, server, check }) {
  const { first, held, second, work } = waits(kind, server.transport);
  const label = `given-up-by-${kind.key}`;
  const call = job('work', label, work);
  const session = await kind.connect(server, TIMEOUT);
  await warmUp(session);
  const error = await turn(session, call, { timeout: first * 1_000 }).then(() => undefined, thrown => thrown);
  check('the client gives up by its own clock', /timed? ?out/i.test(String(error)), String(error));
  const begun = Date.now();
  const again = await turn(session, call, { timeout: second * 1_000 });
  const took = (Date.now() - begun) / 1_000;
  const isEarlier = took > held - 1 && took < second && again.text.startsWith('This is the call of ');
  check('the same call joins, and is answered before the client gives up again', isEarlier, { took, text: again.text });
  const { text } = await converse(session, again.next);
  const isResult = text === `done: ${label}` && isRunOnce(server.runs(label));
  check('the work that was given up runs once and gives its result', isResult, { text, ...server.runs(label) });
  await session.close();
}

/** A client that runs what it is asked as tasks of its own, for longer than the server holds the call. */
export async function receives(transport, check) {
  const server = new Server(transport, HOLD);
  try {
    await server.start();
    for (const [tool, said] of [['asking', 'done for Ada'], ['thinking', 'thought: a poem']]) {
      const session = await receiver(server, TIMEOUT, 1_500 * SLOWER);
      await warmUp(session);
      const { text } = await converse(session, job(tool, `as-task-${tool}`, 0));
      const { asked, store } = session;
      check(`${tool}: the answer of a task of the client reaches the tool`, text === said, text);
      const isOnce = asked.length === 1 && asked[0].task?.ttl > 0;
      check(`${tool}: the client is asked once, and for a task`, isOnce, asked);
      const isPolled = store.looks > 2 && store.fetches === 1;
      check(`${tool}: the server looks at the task and fetches its result once`, isPolled, { ...store });
      await session.close();
    }
  } finally {
    await server.end();
  }
}

/** Client and server as they come. The number of turns is the time by the hold, and one. */
export async function defaults(kind, transport, check) {
  const server = new Server(transport, 45);
  try {
    await server.start();
    const session = await kind.connect(server);
    const { text, turns } = await converse(session, job('work', 'defaults', 100));
    const isResult = text === 'done: defaults' && turns === Math.floor(100 / kind.hold) + 1;
    check(`a call of 100 s gives its result in ${turns} turns`, isResult, { text, turns });
    check('the work runs once', isRunOnce(server.runs('defaults')), server.runs('defaults'));
    await session.close();
  } finally {
    await server.end();
  }
}

/** Waits at most five seconds; a check says whether it came. */
async function until(condition) {
  for (const end = Date.now() + 5_000; !condition() && Date.now() < end; ) await pause(20);
}
