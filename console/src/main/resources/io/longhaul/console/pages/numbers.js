/** Numbers of JSON that a browser changes without a word when it reads them. */

import { h } from './dom.js';

/** The results in which a browser has changed a number. */
const changed = new WeakSet();

/** Whether a browser can represent all integers of a JSON text, and no number is too large for it. */
export function isExact(text) {
  for (const [token] of text.matchAll(/"(?:\\.|[^"\\])*"|-?\d[\d.eE+-]*/g)) {
    const value = Number(token);
    if (token[0] !== '"' && (!Number.isFinite(value) || (/^-?\d+$/.test(token) && !Number.isSafeInteger(value)))) {
      return false;
    }
  }
  return true;
}

/** The message of a JSON text; remembers a result whose numbers are not those of the text. */
export function parsed(text) {
  const message = JSON.parse(text);
  if (message.result && !isExact(text)) {
    changed.add(message.result);
  }
  return message;
}

/** A note for the reader of a result, where a browser has changed a number in it; else null. */
export function changedNote(result) {
  return changed.has(result)
    ? h('p', { class: 'note' }, 'A browser cannot show all numbers of this exactly: it has changed large ones.')
    : null;
}
