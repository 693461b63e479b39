/** The page of all tasks: a live table, with filters for state, tool and text. */

import { call, callUntilReached } from './calls.js';
import { announce, confirmed, h, write } from './dom.js';
import { known, stream } from './events.js';
import { ago, badge, isLive, outcomeText, progressText, share, span, STATES, stateName } from './words.js';

const PAGE = 50;

/** The most tasks to search for a text; the page searches, as servers cannot. */
const SEARCHED = 2_000;
const SEARCH_PAGE = 200;

/** The most requests for one page of the table: a page of the server may be short although more follow. */
const MOST_REQUESTS = 10;

const COLUMNS = ['State', 'Tool', 'Progress', 'Age', 'Took', 'Owner', 'Task'];

function filter(query) {
  const params = {};
  if (query.get('state')) {
    params.states = [query.get('state')];
  }
  if (query.get('tool')) {
    params.tool = query.get('tool');
  }
  return params;
}

function says(task, text) {
  const all = [task.taskId, task.tool, task.owner, task.statusMessage, task.progress?.message, outcomeText(task)];
  return all.some((part) => part?.toLowerCase().includes(text));
}

/** The tasks of a page, and the cursor of the next one. */
async function load(query, cursor, signal) {
  const text = query.get('q')?.trim().toLowerCase() ?? '';
  const tasks = [];
  let seen = 0;
  let next = cursor;
  for (let request = 0; request < MOST_REQUESTS; request++) {
    const limit = text ? SEARCH_PAGE : PAGE - tasks.length;
    const page = await callUntilReached(
      'io.longhaul/tasks/list',
      { ...filter(query), limit, ...(next ? { cursor: next } : {}) },
      { signal },
    );
    seen += page.tasks.length;
    tasks.push(...page.tasks.filter((task) => !text || says(task, text)));
    next = page.nextCursor;
    if (!next || tasks.length >= PAGE || seen >= SEARCHED) {
      break;
    }
  }
  return { tasks, next, seen: text ? seen : null };
}

/** A row, kept as long as its task is on the page, so that the focus does not move. */
class Row {
  constructor(task) {
    this.link = h('a', { href: `#/tasks/${encodeURIComponent(task.taskId)}` });
    this.badge = h('span', { class: 'state' });
    this.bar = h('progress', { max: 1 });
    this.message = h('span', { class: 'message' });
    this.age = h('td', { class: 'time' });
    this.took = h('td', { class: 'time is-took' });
    this.owner = h('td', { class: 'is-owner' });
    this.element = h(
      'tr',
      {},
      h('td', {}, this.badge),
      h('th', { scope: 'row' }, this.link),
      h('td', { class: 'is-progress' }, this.bar, this.message),
      this.age,
      this.took,
      this.owner,
      h('td', { class: 'id' }, h('code', { title: task.taskId }, task.taskId.slice(-8))),
    );
    this.show(task);
  }

  show(task) {
    this.task = task;
    write(this.link, task.tool);
    badge(this.badge, task);
    write(this.owner, task.owner);
    const part = isLive(task) ? share(task.progress) : null;
    this.bar.hidden = part === null;
    this.bar.value = part ?? 0;
    this.bar.setAttribute('aria-label', `Progress of ${task.tool}`);
    const told =
      isLive(task) && task.progress ? progressText(task.progress) : outcomeText(task) || task.statusMessage || '';
    write(
      this.message,
      task.questions > 0 && isLive(task) ? `${task.questions} open question${task.questions > 1 ? 's' : ''}` : told,
    );
    this.tick();
  }

  tick() {
    write(this.age, ago(this.task.createdAt));
    const took = Date.parse(this.task.lastUpdatedAt) - Date.parse(this.task.createdAt);
    write(this.took, isLive(this.task) ? '' : span(took));
  }
}

export function tasksPage({ main, query, signal, failed }) {
  document.title = 'Tasks – Longhaul console';
  const rows = new Map();
  const body = h('tbody', {});
  const note = h('p', { class: 'note', id: 'note' });
  const empty = h('div', { class: 'empty' });
  const newer = h('button', { type: 'button', onclick: () => turn(-1) }, 'Newer');
  const older = h('button', { type: 'button', onclick: () => turn(1) }, 'Older');
  const purges = h('button', { type: 'button', onclick: purge }, 'Purge ended tasks…');
  const cursors = [null];
  let next = null;
  let busy = false;
  let again = false;
  let isAsked = false;

  const state = h(
    'select',
    { id: 'state', onchange: changed },
    h('option', { value: '' }, 'All states'),
    STATES.map((name) => h('option', { value: name, selected: query.get('state') === name }, stateName(name))),
  );
  const tools = h('datalist', { id: 'tool-names' });
  const tool = h('input', {
    id: 'tool',
    list: 'tool-names',
    placeholder: 'All tools',
    value: query.get('tool') ?? '',
    onchange: changed,
    autocomplete: 'off',
  });
  const text = h('input', {
    id: 'q',
    type: 'search',
    placeholder: 'Text, owner or id',
    value: query.get('q') ?? '',
    onchange: changed,
  });

  function changed() {
    for (const [name, field] of [
      ['state', state],
      ['tool', tool],
      ['q', text],
    ]) {
      if (field.value.trim()) {
        query.set(name, field.value.trim());
      } else {
        query.delete(name);
      }
    }
    const kept = query.toString();
    history.replaceState(null, '', kept ? `#/tasks?${kept}` : '#/tasks');
    cursors.splice(1);
    allowPurge();
    refresh(true);
  }

  /** Disables the purge during a search: it filters by state and tool only, and would remove more than is shown. */
  function allowPurge() {
    purges.disabled = query.has('q');
    purges.title = purges.disabled ? 'Clear the search first: tasks are purged by state and tool' : '';
  }

  /** Turns the page. A second click may come before the page of the first, and then adds no cursor. */
  function turn(way) {
    if (way > 0 && cursors.at(-1) !== next) {
      cursors.push(next);
    } else if (way < 0 && cursors.length > 1) {
      cursors.pop();
    }
    refresh(true);
  }

  function show(page) {
    next = page.next ?? null;
    const gone = new Set(rows.keys());
    page.tasks.forEach((task, at) => {
      gone.delete(task.taskId);
      const row = rows.get(task.taskId) ?? new Row(task);
      rows.set(task.taskId, row);
      row.show(task);
      if (body.children[at] !== row.element) {
        body.insertBefore(row.element, body.children[at] ?? null);
      }
    });
    for (const id of gone) {
      rows.get(id).element.remove();
      rows.delete(id);
    }
    newer.disabled = cursors.length === 1;
    older.disabled = next === null;
    const count = `${page.tasks.length} task${page.tasks.length === 1 ? '' : 's'}`;
    const place = cursors.length > 1 ? `, page ${cursors.length}` : '';
    const searched =
      page.seen === null ? '' : ` among the ${page.seen} looked at${next ? '; older ones are on the next page' : ''}`;
    write(note, count + place + searched);
    showEmpty(page.tasks.length === 0);
    showOwners();
    if (isAsked && !again) {
      isAsked = false;
      announce(note.textContent);
    }
  }

  function showOwners() {
    table.classList.toggle('one-owner', !known.operator);
  }

  function showEmpty(isEmpty) {
    const isFiltered = query.toString() !== '';
    const kind = isEmpty ? `empty ${isFiltered}` : '';
    if (empty.dataset.kind === kind) {
      return;
    }
    empty.dataset.kind = kind;
    empty.hidden = !isEmpty;
    empty.replaceChildren(
      isFiltered
        ? h('p', {}, 'No task fits these filters. ', h('a', { href: '#/tasks' }, 'Show all tasks'))
        : h(
            'p',
            {},
            'There are no tasks yet. ',
            h('a', { href: '#/tools' }, 'Call a tool'),
            ', or have a client call one: its task appears here at once.',
          ),
    );
  }

  /** Loads the page again, one request at a time and once more for changes meanwhile. Announces results to a person. */
  async function refresh(byPerson = false) {
    isAsked ||= byPerson;
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    try {
      show(await load(query, cursors.at(-1), signal));
    } catch (error) {
      failed(error);
    } finally {
      busy = false;
      if (again && !signal.aborted) {
        again = false;
        refresh();
      }
    }
  }

  async function purge() {
    // The filter may change while the purge is confirmed and runs.
    const agreed = filter(query);
    const which = [
      query.get('tool') && `of ${query.get('tool')}`,
      query.get('state') && `that are ${stateName(query.get('state')).toLowerCase()}`,
    ];
    const words = ['your tasks that have ended', ...which.filter(Boolean)].join(' ');
    const removed = `This removes all ${words}, with their results and histories.`;
    if (!(await confirmed('Purge tasks?', removed, 'Purge', signal))) {
      return;
    }
    try {
      let deleted = 0;
      let cursor;
      do {
        const page = await call(
          'io.longhaul/tasks/purge',
          { ...agreed, ...(cursor ? { cursor } : {}) },
          { signal },
        );
        deleted += page.deleted;
        cursor = page.nextCursor;
      } while (cursor);
      announce(`${deleted} task${deleted === 1 ? '' : 's'} purged`);
      cursors.splice(1);
      await refresh();
    } catch (error) {
      failed(error);
    }
  }

  const table = h(
    'table',
    { class: 'tasks', 'aria-describedby': 'note' },
    h('caption', { class: 'unseen' }, 'Tasks, newest first'),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        COLUMNS.map((name) => h('th', { scope: 'col', class: `is-${name.toLowerCase()}` }, name)),
      ),
    ),
    body,
  );
  main.replaceChildren(
    h('div', { class: 'heading' }, h('h1', {}, 'Tasks'), purges),
    h(
      'form',
      {
        class: 'filters',
        role: 'search',
        'aria-label': 'Tasks',
        onsubmit: (event) => {
          event.preventDefault();
          changed();
        },
      },
      h('label', {}, 'State', state),
      h('label', {}, 'Tool', tool, tools),
      h('label', {}, 'Search', text),
    ),
    h('div', { class: 'scroll', role: 'region', 'aria-label': 'Table of tasks', tabindex: '0' }, table, empty),
    h('div', { class: 'pages' }, note, h('div', { class: 'actions' }, newer, older)),
  );
  allowPurge();
  refresh();
  stream.addEventListener('hello', showOwners, { signal });
  stream.addEventListener(
    'tasks',
    ({ detail }) => {
      // New tasks appear on the first page; other pages change only with the tasks that they show.
      if (detail.any || cursors.length === 1 || detail.ids.some((id) => rows.has(id))) {
        refresh();
      }
    },
    { signal },
  );
  const ticks = setInterval(() => rows.forEach((row) => row.tick()), 1000);
  signal.addEventListener('abort', () => clearInterval(ticks));
  callUntilReached('tools/list', {}, { signal })
    .then((list) => tools.replaceChildren(...list.tools.map(({ name }) => h('option', { value: name }))))
    .catch(failed);
}
