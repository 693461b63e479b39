/** The page of all tasks: a live table, with filters for state, tool, time and text. */

import { call, callUntilReached } from './calls.js';
import { announce, confirmed, h, write } from './dom.js';
import { known, stream } from './events.js';
import { selection } from './selection.js';
import { ago, badge, isLive, outcomeText, progressText, share, shownState, span, STATES, stateName } from './words.js';

const PAGE = 50;

/** The most tasks to search for a text; the page searches, as servers cannot. */
const SEARCHED = 2_000;
const SEARCH_PAGE = 200;

/** The most requests for one page of the table: a page of the server may be short although more follow. */
const MOST_REQUESTS = 10;

/** The columns, with the value by which each sorts the tasks of a page. */
const COLUMNS = {
  State: (task) => STATES.indexOf(task.status) + shownState(task),
  Tool: (task) => task.tool,
  Progress: (task) => share(task.progress) ?? -1,
  Age: (task) => -Date.parse(task.createdAt),
  Took: (task) => (isLive(task) ? -1 : took(task)),
  Owner: (task) => task.owner,
  Task: (task) => task.taskId,
};

/** The times by which tasks are filtered, in milliseconds before now. */
const TIMES = { '15m': 900_000, '1h': 3_600_000, '1d': 86_400_000, '7d': 604_800_000 };
const TIME_NAMES = { '15m': 'Last 15 minutes', '1h': 'Last hour', '1d': 'Last day', '7d': 'Last 7 days' };

function took(task) {
  return Date.parse(task.lastUpdatedAt) - Date.parse(task.createdAt);
}

/** Sorts tasks by a column, such as "Tool" or, downwards, "-Tool"; without one, they are newest first. */
function sorted(tasks, by) {
  const value = COLUMNS[by?.replace('-', '')];
  if (!value) {
    return tasks;
  }
  const way = by.startsWith('-') ? -1 : 1;
  return tasks.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)];
    return a === b ? 0 : a < b ? -way : way;
  });
}

function filter(query) {
  const params = {};
  if (query.get('state')) {
    params.states = [query.get('state')];
  }
  if (query.get('tool')) {
    params.tool = query.get('tool');
  }
  if (TIMES[query.get('since')]) {
    params.since = new Date(Date.now() - TIMES[query.get('since')]).toISOString();
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

/** A cell with the name of its column, which is shown beside it where there is no room for columns. */
function cell(style, column, ...content) {
  return h('td', { role: 'cell', class: style, 'data-column': column }, ...content);
}

/** A row, kept as long as its task is on the page, so that the focus does not move. */
class Row {
  constructor(task, selected) {
    this.box = h('input', { type: 'checkbox', onchange: selected });
    this.link = h('a', { href: `#/tasks/${encodeURIComponent(task.taskId)}` });
    this.badge = h('span', { class: 'state' });
    this.bar = h('progress', { max: 1 });
    this.message = h('span', { class: 'message' });
    this.age = cell('time', 'Age');
    this.took = cell('time is-took', 'Took');
    this.owner = cell('is-owner', 'Owner');
    this.element = h(
      'tr',
      { role: 'row' },
      cell('is-selected', null, this.box),
      cell('', null, this.badge),
      h('th', { scope: 'row', role: 'rowheader' }, this.link),
      cell('is-progress', null, this.bar, this.message),
      this.age,
      this.took,
      this.owner,
      cell('id', 'Task', h('code', { title: task.taskId }, task.taskId.slice(-8))),
    );
    this.show(task);
  }

  show(task) {
    this.task = task;
    this.box.setAttribute('aria-label', `Select ${task.tool} ${task.taskId.slice(-8)}`);
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
    write(this.took, isLive(this.task) ? '' : span(took(this.task)));
  }
}

export function tasksPage(context) {
  const { main, query, signal, failed } = context;
  document.title = 'Tasks – Longhaul console';
  const rows = new Map();
  const body = h('tbody', { role: 'rowgroup' });
  const chosen = selection(rows, context);
  const note = h('p', { class: 'note', id: 'note' });
  const empty = h('div', { class: 'empty' });
  const newer = h('button', { type: 'button', onclick: () => turn(-1) }, 'Newer');
  const older = h('button', { type: 'button', onclick: () => turn(1) }, 'Older');
  const purges = h('button', { type: 'button', onclick: purge }, 'Purge ended tasks…');
  const cursors = [null];
  let next = null;
  let shown = { tasks: [], seen: null };
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
  const since = h(
    'select',
    { id: 'since', onchange: changed },
    h('option', { value: '' }, 'Any time'),
    Object.keys(TIMES).map((time) =>
      h('option', { value: time, selected: query.get('since') === time }, TIME_NAMES[time]),
    ),
  );
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
      ['since', since],
      ['q', text],
    ]) {
      if (field.value.trim()) {
        query.set(name, field.value.trim());
      } else {
        query.delete(name);
      }
    }
    keepQuery();
    cursors.splice(1);
    allowPurge();
    refresh(true);
  }

  function keepQuery() {
    const kept = query.toString();
    history.replaceState(null, '', kept ? `#/tasks?${kept}` : '#/tasks');
  }

  /** Sorts the page by a column: upwards, then downwards, then newest first. */
  function sort(column) {
    const by = query.get('sort');
    if (by === `-${column}`) {
      query.delete('sort');
    } else {
      query.set('sort', by === column ? `-${column}` : column);
    }
    keepQuery();
    show(shown);
    announce(query.has('sort') ? `sorted by ${column}` : 'newest first');
  }

  function showSorted() {
    const by = query.get('sort') ?? '';
    for (const [column, element] of Object.entries(headings)) {
      const way = by === column ? 'ascending' : by === `-${column}` ? 'descending' : 'none';
      element.setAttribute('aria-sort', way);
    }
  }

  /** Disables the purge during a search: it filters by state, tool and time only, and would remove more than is shown. */
  function allowPurge() {
    purges.disabled = query.has('q');
    purges.title = purges.disabled ? 'Clear the search first: tasks are purged by state, tool and time' : '';
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
    shown = page;
    next = page.next ?? null;
    showSorted();
    const gone = new Set(rows.keys());
    sorted(page.tasks, query.get('sort')).forEach((task, at) => {
      gone.delete(task.taskId);
      const row = rows.get(task.taskId) ?? new Row(task, chosen.show);
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
    chosen.show();
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
    const isFiltered = ['state', 'tool', 'since', 'q'].some((name) => query.has(name));
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
      query.get('since') && `of the ${TIME_NAMES[query.get('since')]?.toLowerCase()}`,
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

  const headings = Object.fromEntries(
    Object.keys(COLUMNS).map((name) => [
      name,
      h(
        'th',
        { scope: 'col', role: 'columnheader', class: `is-${name.toLowerCase()}` },
        h('button', { type: 'button', class: 'sort', onclick: () => sort(name) }, name),
      ),
    ]),
  );
  const table = h(
    'table',
    { class: 'tasks', role: 'table', 'aria-describedby': 'note' },
    h('caption', { class: 'unseen' }, 'Tasks, newest first unless a column sorts them'),
    h(
      'thead',
      { role: 'rowgroup' },
      h('tr', { role: 'row' }, cell('is-selected', null, chosen.all), Object.values(headings)),
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
      h('label', {}, 'Created', since),
      h('label', {}, 'Search', text),
    ),
    chosen.refusals,
    chosen.element,
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
