/** Numbers of JSON that a browser changes without a word when it reads them. */

import { h } from './dom.js';

/** The results in which a browser has changed a number. */
const changed = new WeakSet();

/** The index after a string of a JSON text that begins at start. A regular expression fails at a long string. */
function afterString(text, start) {
  let end = start + 1;
  while (end < text.length && text[end] !== '"') {
    end += text[end] === '\\' ? 2 : 1;
  }
  return end + 1;
}

/** The index after a number of a JSON text that begins at start. */
function afterNumber(text, start) {
  let end = start + 1;
  while (end < text.length && '0123456789.eE+-'.includes(text[end])) {
    end += 1;
  }
  return end;
}

function isExactNumber(token) {
  const value = Number(token);
  return Number.isFinite(value) && (Number.isSafeInteger(value) || !/^-?\d+$/.test(token));
}

/** Whether a browser can represent all integers of a JSON text, and no number is too large for it. */
export function isExact(text) {
  let at = 0;
  while (at < text.length) {
    const start = at;
    if (text[start] === '"') {
      at = afterString(text, start);
    } else if ('-0123456789'.includes(text[start])) {
      at = afterNumber(text, start);
      if (!isExactNumber(text.slice(start, at))) {
        return false;
      }
    } else {
      at += 1;
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
