/** The messages between the server and its clients, for developers. */

import { h, write } from './dom.js';
import { known, stream } from './events.js';
import { isExact } from './numbers.js';
import { callAgain } from './offers.js';
import { text } from './results.js';
import { clock, number } from './words.js';

/** The task of a message; a call may get its task after its first messages. */
export function taskOf(message) {
  return message.task ?? known.callTasks.get(message.call) ?? null;
}

function content(message) {
  const shown = message.text ? text(message.text) : null;
  const cut = `The first ${number(message.text.length)} characters of ${number(message.bytes)} bytes.`;
  const task = taskOf(message);
  const params = isAgain(message) ? JSON.parse(message.text).params : null;
  return [
    shown,
    message.isCut ? h('p', { class: 'note' }, cut) : null,
    task ? h('p', { class: 'note' }, 'Task ', h('a', { href: `#/tasks/${encodeURIComponent(task)}` }, task)) : null,
    params
      ? h(
          'button',
          { type: 'button', onclick: () => callAgain(params.name, params.arguments ?? {}) },
          'Call again with changes…',
        )
      : null,
  ].filter(Boolean);
}

/** Whether a message is a call that a form can repeat without a change of its numbers. */
function isAgain(message) {
  return message.isIncoming && message.what === 'tools/call' && !message.isCut && isExact(message.text);
}

function row(message) {
  const body = h('div', {});
  const [arrow, does] = message.isIncoming ? ['→', 'sends'] : ['←', 'gets'];
  const summary = h(
    'summary',
    {},
    h('time', { datetime: message.at }, clock(message.at)),
    ` ${message.client} `,
    message.session ? h('span', { class: 'faint' }, `#${message.session} `) : null,
    h('span', { class: 'way', 'aria-hidden': 'true' }, `${arrow} `),
    h('span', { class: 'unseen' }, `${does} `),
    h('strong', {}, message.what),
    message.tool ? ` ${message.tool}` : null,
    h('span', { class: 'faint' }, ` ${number(message.bytes)} bytes`),
  );
  return h('li', {}, h('details', { ontoggle: () => body.replaceChildren(...content(message)) }, summary, body));
}

/** A list of the messages that pass a filter, newest first, which follows the stream until signal aborts. */
export function messageList(passes, signal) {
  const list = h('ol', { class: 'messages' });
  const rows = new WeakMap();
  const none = h('p', { class: 'faint' }, 'No message yet.');

  /** Leaves the rows that stay where they are: a person may be reading one. */
  function draw() {
    const wanted = known.messages
      .filter(passes)
      .reverse()
      .map((message) => rows.get(message) ?? rows.set(message, row(message)).get(message));
    const kept = new Set(wanted);
    for (const shown of [...list.children]) {
      if (!kept.has(shown)) {
        shown.remove();
      }
    }
    wanted.forEach((one, at) => {
      if (list.children[at] !== one) {
        list.insertBefore(one, list.children[at] ?? null);
      }
    });
    none.hidden = wanted.length > 0;
  }

  let drawing = 0;
  const drawSoon = () => {
    cancelAnimationFrame(drawing);
    drawing = requestAnimationFrame(draw);
  };
  stream.addEventListener('message', drawSoon, { signal });
  draw();
  return { element: h('div', {}, none, list), draw };
}

const FILTERS = [
  ['client', 'Client', (message) => message.client],
  ['tool', 'Tool', (message) => message.tool],
  ['task', 'Task', taskOf],
];

export function messagesPage(context) {
  document.title = 'Messages – Longhaul console';
  const { query, signal } = context;
  const note = h('p', { class: 'note', role: 'status' });
  const fields = FILTERS.map(([name, title, value]) => ({
    name,
    title,
    value,
    control: h('input', { type: 'search', name, value: query.get(name) ?? '', autocomplete: 'off', oninput: narrow }),
  }));
  const passes = (message) =>
    fields.every(({ control, value }) => {
      const wanted = control.value.trim().toLowerCase();
      return (value(message) ?? '').toLowerCase().includes(wanted);
    });
  const shown = messageList(passes, signal);

  /** The address keeps the filter, without another entry in the history for each letter. */
  function narrow() {
    const set = fields.map(({ name, control }) => [name, control.value.trim()]).filter(([, value]) => value);
    const filter = new URLSearchParams(set).toString();
    history.replaceState(null, '', `#/messages${filter ? `?${filter}` : ''}`);
    shown.draw();
  }

  function met() {
    write(
      note,
      known.hasMessages || known.owner === null
        ? 'The newest messages of all clients, without secrets, in the memory of the server.'
        : 'Messages are for operators, of a server that was started with --dev.',
    );
  }

  context.main.replaceChildren(
    h('div', { class: 'heading' }, h('h1', {}, 'Messages')),
    h(
      'div',
      { class: 'filters', role: 'search' },
      fields.map(({ title, control }) => h('label', {}, title, control)),
    ),
    note,
    h('section', { class: 'panel', 'aria-label': 'Messages' }, shown.element),
  );
  stream.addEventListener('hello', met, { signal });
  met();
}
