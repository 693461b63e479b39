/** The tasks that a person has selected in the table, and what can be done with all of them at once. */

import { call, Refused } from './calls.js';
import { announce, confirmed, h, problem, write } from './dom.js';
import { known } from './events.js';
import { isLive } from './words.js';

function counted(tasks) {
  return `${tasks} task${tasks === 1 ? '' : 's'}`;
}

/** An operator sees and cancels the tasks of others; only the owner may retry and purge. */
function isOwnAndEnded(task) {
  return !isLive(task) && task.owner === known.owner;
}

const ACTIONS = [
  {
    name: 'Cancel',
    style: 'danger',
    method: 'tasks/cancel',
    fits: isLive,
    words: 'Their work is stopped, and they get no result.',
    done: 'cancelled',
  },
  {
    name: 'Retry',
    style: null,
    method: 'io.longhaul/tasks/retry',
    fits: isOwnAndEnded,
    words: 'The same calls are made once more.',
    done: 'called once more',
  },
  {
    name: 'Purge',
    style: 'danger',
    method: 'io.longhaul/tasks/delete',
    fits: isOwnAndEnded,
    words: 'Their results and their histories are removed for good.',
    done: 'purged',
  },
];

/**
 * Makes the bar of actions for the rows that are selected, which is shown while there are any.
 *
 * @param rows the rows of the table, with a task and the box by which it is selected
 */
export function selection(rows, { signal, failed }) {
  const count = h('span', {});
  const refusals = h('div', {});
  const buttons = ACTIONS.map((action) =>
    h('button', { type: 'button', class: action.style, onclick: () => act(action) }),
  );
  const element = h(
    'div',
    { class: 'selection', role: 'group', 'aria-label': 'Selected tasks' },
    count,
    h('div', { class: 'actions' }, buttons),
  );
  const all = h('input', { type: 'checkbox', 'aria-label': 'Select all tasks of this page', onchange: selectAll });

  function selected() {
    return [...rows.values()].filter((row) => row.box.checked);
  }

  function selectAll() {
    for (const row of rows.values()) {
      row.box.checked = all.checked;
    }
    show();
  }

  function show() {
    const chosen = selected();
    element.hidden = chosen.length === 0;
    all.checked = chosen.length > 0 && chosen.length === rows.size;
    all.indeterminate = chosen.length > 0 && !all.checked;
    write(count, `${counted(chosen.length)} selected`);
    ACTIONS.forEach(({ name, fits }, at) => {
      const fitting = chosen.filter((row) => fits(row.task)).length;
      buttons[at].disabled = fitting === 0;
      write(buttons[at], fitting === 0 ? name : `${name} ${fitting}`);
    });
  }

  /** Does one thing with each selected task that it fits. One that is refused stays selected. */
  async function act({ name, method, fits, words, done }) {
    const fitting = selected().filter((row) => fits(row.task));
    const what = `${name} ${counted(fitting.length)}`;
    if (!(await confirmed(`${what}?`, words, what, signal))) {
      return;
    }
    const refused = new Set();
    try {
      for (const row of fitting) {
        try {
          await call(method, { taskId: row.task.taskId }, { signal });
          row.box.checked = false;
        } catch (error) {
          if (!(error instanceof Refused)) {
            throw error;
          }
          refused.add(error.message);
        }
      }
    } catch (error) {
      failed(error);
    }
    refusals.replaceChildren(...[...refused].map(problem));
    announce(`${counted(fitting.filter((row) => !row.box.checked).length)} ${done}`);
    show();
  }

  show();
  return { element, refusals, all, show };
}
