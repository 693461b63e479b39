/** The one stream of events, which is opened again for as long as the page is there. */

import { authorization, events, pause, Unauthorized, waits } from './calls.js';

const SAMPLES = 450;

/** Hears "hello", "tasks", "figures" (each with its event as detail), "open" and "closed". */
export const stream = new EventTarget();

/** What is known by the events so far; no owner before the first of them. */
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

/** Follows the stream until it is given up or the token is refused, which is thrown. */
export async function follow(signal) {
  Object.assign(known, { owner: null, operator: false, samples: [] });
  let times = waits();
  while (!signal.aborted) {
    try {
      const response = await fetch('events', {
        signal,
        headers: { Accept: 'text/event-stream', ...authorization() },
      });
      if (response.status === 401) {
        throw new Unauthorized('The server wants another token');
      }
      if (response.ok) {
        times = waits();
        tell('open');
        // Whatever happened while nobody listened.
        tell('tasks', { any: true, ids: [] });
        for await (const event of events(response.body)) {
          heard(event);
        }
      }
    } catch (error) {
      if (error instanceof Unauthorized) {
        throw error;
      }
    }
    if (!signal.aborted) {
      tell('closed');
      await pause(times.next().value);
    }
  }
}
