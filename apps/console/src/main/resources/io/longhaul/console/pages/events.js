/** The stream of events, which is reopened whenever it ends, as long as the page exists. */

import { authorization, events, expectAdmitted, pause, shown, Unauthorized, waits } from './calls.js';

const SAMPLES = 450;

/** Dispatches "hello", "tasks", "figures" (each with its event as detail), "open" and "closed". */
export const stream = new EventTarget();

/** The facts from the events so far; owner is null before the first "hello". */
export const known = { owner: null, operator: false, samples: [] };

function tell(type, detail) {
  stream.dispatchEvent(new CustomEvent(type, { detail }));
}

function heard(event) {
  if (event.type === 'hello') {
    known.owner = event.owner;
    known.operator = event.operator;
    known.samples = [];
  } else if (event.type === 'figures') {
    known.samples = [...known.samples, ...event.samples].slice(-SAMPLES);
  }
  tell(event.type, event);
}

/** Follows the stream until signal aborts, while this tab is shown; throws Unauthorized if the server refuses it. */
export async function follow(signal) {
  Object.assign(known, { owner: null, operator: false, samples: [] });
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
