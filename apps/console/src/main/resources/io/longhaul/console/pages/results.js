/** Shows results of tools: text, JSON, pictures and links, none of which the page trusts. */

import { call } from './calls.js';
import { h, problem } from './dom.js';
import { isExact } from './numbers.js';
import { number } from './words.js';

/** Types of pictures that browsers decode and that cannot contain scripts. */
const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The most characters of a text that are shown; the whole text can be saved. */
const LONGEST = 100_000;

/** A web address as a link; any other address as text. */
export function link(address) {
  const isWeb = URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol);
  return isWeb
    ? h('a', { href: address, rel: 'noopener noreferrer', target: '_blank' }, address)
    : h('span', { class: 'address' }, address);
}

/** JSON, indented, with different styles for names and values. */
export function json(value) {
  const text = JSON.stringify(value, null, 2) ?? 'null';
  const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  const parts = [];
  let from = 0;
  if (text.length > LONGEST) {
    return plain('json', text);
  }
  for (const match of text.matchAll(token)) {
    parts.push(text.slice(from, match.index));
    const kind = match[2] ? 'name' : match[1] ? 'text' : match[3] ? 'word' : 'number';
    parts.push(h('span', { class: `json-${kind}` }, match[1] ?? match[0]), match[2] ?? '');
    from = match.index + match[0].length;
  }
  parts.push(text.slice(from));
  return h('pre', { class: 'json', tabindex: '0' }, ...parts);
}

function plain(kind, value) {
  const shown = h('pre', { class: kind, tabindex: '0' }, value.slice(0, LONGEST));
  return value.length <= LONGEST
    ? shown
    : h(
        'div',
        {},
        shown,
        h(
          'p',
          {},
          `The first ${number(LONGEST)} of ${number(value.length)} characters. `,
          saved(() => value, 'all of it'),
        ),
      );
}

/** A text; JSON is indented, unless that would change its numbers. */
export function text(value) {
  try {
    const parsed = JSON.parse(value);
    if (parsed !== null && typeof parsed === 'object' && isExact(value)) {
      return json(parsed);
    }
  } catch {
    // The text is not JSON.
  }
  return plain('text', value);
}

/** A button that saves bytes as a file of no type, which a browser does not open. */
function saved(content, name) {
  const save = () => {
    const address = URL.createObjectURL(new Blob([content()], { type: 'application/octet-stream' }));
    h('a', { href: address, download: name.replace(/[^\w.-]+/g, '_') }).click();
    URL.revokeObjectURL(address);
  };
  return h('button', { type: 'button', onclick: save }, `Save ${name}`);
}

function bytes(base64) {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

function binary(data, type, name) {
  const base64 = typeof data === 'string' ? data.replace(/\s/g, '') : '';
  if (!BASE64.test(base64)) {
    return problem(`This ${type || 'content'} cannot be shown: it is not Base64`);
  }
  return PICTURES.has(type)
    ? h('img', { src: `data:${type};base64,${base64}`, alt: `Picture from the tool (${type})` })
    : h(
        'p',
        {},
        `${type || 'Binary content'} `,
        saved(() => bytes(base64), name),
      );
}

/** The contents of a resource. */
export function resource(contents) {
  const name = contents.uri ?? 'resource';
  const shown =
    typeof contents.text === 'string' ? text(contents.text) : binary(contents.blob, contents.mimeType, name);
  return h('figure', {}, h('figcaption', {}, link(name)), shown);
}

/** A link to a resource of this server, which is read by MCP and shown in place. */
export function readable(uri, name) {
  const place = h('div', {});
  const read = async () => {
    try {
      const { contents } = await call('resources/read', { uri });
      place.replaceChildren(...contents.map(resource));
    } catch (error) {
      place.replaceChildren(problem(error.message));
    }
  };
  return h('div', {}, h('button', { type: 'button', onclick: read }, `Read ${name}`), ' ', link(uri), place);
}

function block(content) {
  switch (content?.type) {
    case 'text':
      return text(String(content.text));
    case 'image':
    case 'audio':
      return binary(content.data, content.mimeType, content.type);
    case 'resource':
      return resource(content.resource ?? {});
    case 'resource_link':
      return readable(String(content.uri), content.title ?? content.name ?? 'the resource');
    default:
      return json(content);
  }
}

/** The result of a call of a tool. */
export function toolResult(result) {
  const blocks = (result.content ?? []).map(block);
  if (result.structuredContent !== undefined) {
    blocks.push(h('h3', {}, 'Structured'), json(result.structuredContent));
  }
  if (blocks.length === 0) {
    blocks.push(h('p', { class: 'faint' }, 'Nothing'));
  }
  return h('div', { class: result.isError ? 'result error' : 'result' }, ...blocks);
}
