/** Calls the MCP endpoint of the server: each request is independent, and carries the token of this tab. */

import { parsed } from './numbers.js';

const ENDPOINT = document.querySelector('meta[name="endpoint"]').content;
const VERSION = '2026-07-28';
const KEY = 'longhaul.token';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'longhaul-console', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: { form: {}, url: {} },
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
};

/** The member of params that the header Mcp-Name repeats, by method. */
const NAMED = {
  'tools/call': 'name',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
  'resources/read': 'uri',
  'prompts/get': 'name',
};

/** The server requires a token, or a different one. */
export class Unauthorized extends Error {}

/** The server has refused a request. */
export class Refused extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** The server was not reached, or its answer was cut off. */
export class Unreachable extends Error {}

export const token = {
  read: () => sessionStorage.getItem(KEY),
  keep: (text) => sessionStorage.setItem(KEY, text),
  forget: () => sessionStorage.removeItem(KEY),
};

/** The header with the token, for each request to the server. */
export function authorization() {
  const text = token.read();
  if (text && !/^[\x20-\x7e]+$/.test(text)) {
    throw new Unauthorized('A token has letters, digits and signs of ASCII alone: this is none');
  }
  return text ? { Authorization: `Bearer ${text}` } : {};
}

/** Encodes text that a header cannot carry unchanged as "=?base64?…?=". */
function headerText(text) {
  if (/^[\x20-\x7e\t]*$/.test(text) && text.trim() === text && !/^=\?base64\?.*\?=$/.test(text)) {
    return text;
  }
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}?=`;
}

/** Headers with the arguments that the schema of a tool marks with x-mcp-header. */
function mirrored(schema, values, headers = {}) {
  for (const [name, property] of Object.entries(schema?.properties ?? {})) {
    const value = values?.[name];
    const header = property?.['x-mcp-header'];
    if (header && value !== null && value !== undefined && typeof value !== 'object') {
      headers[`Mcp-Param-${header}`] = headerText(String(value));
    }
    if (property?.properties && value && typeof value === 'object') {
      mirrored(property, value, headers);
    }
  }
  return headers;
}

let last = 0;

/**
 * Sends a request and returns its result. Throws Unauthorized, Refused, Unreachable, or AbortError if aborted.
 *
 * @param options signal aborts the request; told receives notifications before the result; schema is the tool's input
 */
export async function call(method, params = {}, options = {}) {
  try {
    return await exchange(method, params, options);
  } catch (error) {
    const isKnown = error instanceof Unauthorized || error instanceof Refused || error.name === 'AbortError';
    throw isKnown ? error : new Unreachable(`The server cannot be reached: ${error.message}`);
  }
}

async function exchange(method, params, options) {
  last += 1;
  const id = last;
  const named = NAMED[method] ? { 'Mcp-Name': headerText(String(params[NAMED[method]])) } : {};
  const response = await fetch(ENDPOINT, {
    method: 'POST',
    signal: options.signal,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': VERSION,
      'Mcp-Method': method,
      ...named,
      ...mirrored(options.schema, params.arguments),
      ...authorization(),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...META, ...params._meta } } }),
  });
  await expectAdmitted(response);
  const type = response.headers.get('Content-Type') ?? '';
  if (!type.startsWith('text/event-stream')) {
    return result(await message(response));
  }
  for await (const event of events(response.body)) {
    if (event.id === id) {
      return result(event);
    }
    options.told?.(event);
  }
  throw new Error('it ended its answer early');
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

/** The times to wait between attempts to reach the server. */
export function* waits() {
  for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
    yield wait;
  }
}

/** Waits, and ends early if this tab is shown or hidden. */
export function pause(ms) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    document.addEventListener('visibilitychange', end);
  });
}

/** Aborts when this tab is hidden; there is a new one each time that the tab is shown. */
let showing = new AbortController();

function turned() {
  if (document.hidden) {
    showing.abort();
  } else if (showing.signal.aborted) {
    showing = new AbortController();
  }
}

document.addEventListener('visibilitychange', turned);
turned();

/**
 * Waits until this tab is shown. Returns a signal that aborts as another one does, or when the tab is hidden again: for
 * requests that stay open, since browsers open six connections to a server for all their tabs.
 */
export async function shown(signal) {
  while (document.hidden && !signal.aborted) {
    await pause(LONGEST_WAIT);
  }
  return AbortSignal.any([signal, showing.signal]);
}

/** Repeats a call until the server is reached; lost receives each failure. Only for requests that change nothing. */
export async function callUntilReached(method, params, options, lost = () => {}) {
  for (const wait of waits()) {
    try {
      return await call(method, params, options);
    } catch (error) {
      if (!(error instanceof Unreachable)) {
        throw error;
      }
      lost(error);
    }
    await pause(wait);
  }
}

async function message(response) {
  try {
    return parsed(await response.text());
  } catch (error) {
    throw error instanceof SyntaxError ? new Error(`it answered ${response.status} and no JSON`) : error;
  }
}

/** Throws Unauthorized if the server wants a token, or an application leads to its login. */
export async function expectAdmitted(response) {
  if (response.status === 401) {
    const told = await message(response).catch(() => null);
    throw new Unauthorized(told?.error?.message ?? 'A token is needed');
  }
  if (response.redirected) {
    throw new Unauthorized('The application wants you to log in again: reload this page');
  }
}

function result(answer) {
  if (answer.error) {
    throw new Refused(answer.error.code, answer.error.message);
  }
  return answer.result;
}

/** The events of a stream, each a JSON value. */
export async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    text += value;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = text
        .slice(0, end)
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trim())
        .join('');
      text = text.slice(end + 2);
      if (data) {
        yield parsed(data);
      }
    }
  }
}
