/** The stream of events, which is reopened whenever it ends, as long as the page exists. */

import { authorization, events, expectAdmitted, pause, shown, Unauthorized, waits } from './calls.js';

const SAMPLES = 450;
const MESSAGES = 1_000;

/** Dispatches "hello", "tasks", "figures", "message" (each with its event as detail), "open" and "closed". */
export const stream = new EventTarget();

const NOTHING = { owner: null, operator: false, samples: [], hasMessages: false, messages: [], callTasks: new Map() };

/**
 * The facts from the events so far; owner is null before the first "hello". The tasks of calls are those that a later
 * message of the call has told.
 */
export const known = { ...NOTHING };

function tell(type, detail) {
  stream.dispatchEvent(new CustomEvent(type, { detail }));
}

function heard(event) {
  if (event.type === 'hello') {
    known.owner = event.owner;
    known.operator = event.operator;
    known.samples = [];
    known.hasMessages = event.messages;
  } else if (event.type === 'message') {
    // A stream that is opened again begins with the messages that are still kept.
    if (event.number <= (known.messages.at(-1)?.number ?? 0)) {
      return;
    }
    known.messages = [...known.messages.slice(1 - MESSAGES), event];
    if (event.task) {
      known.callTasks.set(event.call, event.task);
    }
  } else if (event.type === 'figures') {
    known.samples = [...known.samples, ...event.samples].slice(-SAMPLES);
  }
  tell(event.type, event);
}

/** Follows the stream until signal aborts, while this tab is shown; throws Unauthorized if the server refuses it. */
export async function follow(signal) {
  Object.assign(known, NOTHING, { callTasks: new Map() });
  let times = waits();
  while (!signal.aborted) {
    const held = await shown(signal);
    try {
      const response = await fetch('events', {
        signal: held,
        headers: { Accept: 'text/event-stream', ...authorization() },
      });
      await expectAdmitted(response);
      if (response.ok) {
        for await (const event of events(response.body)) {
          heard(event);
          if (event.type === 'hello') {
            times = waits();
            tell('open');
            // Covers the changes while the stream was closed.
            tell('tasks', { any: true, ids: [] });
          }
        }
      }
    } catch (error) {
      if (error instanceof Unauthorized) {
        throw error;
      }
    }
    if (!signal.aborted) {
      tell('closed');
      if (!held.aborted) {
        await pause(times.next().value);
      }
    }
  }
}
