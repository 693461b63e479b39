/** The page of one task: its state, questions, history, log and result. */

import { call, callUntilReached, pause, shown } from './calls.js';
import { lineChart } from './charts.js';
import { announce, confirmed, h, problem, section, write } from './dom.js';
import { known, stream } from './events.js';
import { messageList, taskOf } from './messages.js';
import { changedNote } from './numbers.js';
import { callAgain } from './offers.js';
import { questionForm } from './questions.js';
import { json, readable, toolResult } from './results.js';
import { timeline } from './timeline.js';
import {
  ago,
  badge,
  clock,
  isLive,
  moment,
  number,
  outcomeText,
  progressText,
  share,
  shownState,
  span,
  taskState,
} from './words.js';

const WAIT = 20_000;

/** The time between two looks of a hidden tab, whose title shows the state of its task. */
const HIDDEN_WAIT = 5_000;

const EVENTS = 1_000;

/** The most lines of log and output on the page: the newest. */
const LINES = 1_000;

/** The most characters of a line. */
const LONGEST_LINE = 10_000;

/** The most other events in the list: the newest. */
const LISTED = 500;

/** The most marks in a picture: more would overlap. */
const MARKS = 4_000;

/** Events after which the page must load the task again: the history alone does not show the change. */
const TURNS = new Set([
  'created',
  'started',
  'asked',
  'answered',
  'crashed',
  'handed_back',
  'ended',
  'work_ended',
]);

function link(id) {
  return h('a', { href: `#/tasks/${encodeURIComponent(id)}` }, id);
}

const EVENT_WORDS = {
  created: () => 'created',
  started: (event) => `attempt ${event.attempt} started`,
  crashed: (event) => `attempt ${event.attempt} was cut off`,
  handed_back: () => 'handed back to the next server',
  status: (event) => event.message,
  step: (event) =>
    event.task ? h('span', {}, `called “${event.name}”: `, link(event.task)) : `step “${event.name}” done`,
  asked: (event) => `asked (${event.key})`,
  answered: (event) => `answered (${event.key})`,
  ended: (event) => {
    const how = event.declined ? 'declined' : event.isError ? 'result with an error' : event.outcome;
    return `ended: ${how}${event.reason ? ` – ${event.reason}` : ''}`;
  },
  work_ended: () => 'work ended',
};

function logText(data) {
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
  return text.length <= LONGEST_LINE ? text : `${text.slice(0, LONGEST_LINE)} … (${number(text.length)} characters)`;
}

/** A piece of output is content, as in a result, or any value. */
function outputText(data) {
  return logText(data?.type === 'text' && typeof data.text === 'string' ? data.text : data);
}

class TaskView {
  constructor(context, id) {
    this.context = context;
    this.id = id;
    this.events = [];
    this.points = [];
    this.title = h('h1', {}, 'Task');
    this.badge = h('span', { class: 'state' });
    this.actions = h('div', { class: 'actions' });
    this.changed = h('div', {});
    this.facts = h('dl', { class: 'facts' });
    this.questions = h('div', { id: 'questions' });
    this.bar = h('progress', { max: 1, 'aria-label': 'Progress' });
    this.progressText = h('p', { class: 'progress-text' });
    this.chart = h('div', { class: 'chart' });
    this.picture = h('div', { class: 'chart' });
    this.log = h('ol', { class: 'log', id: 'log', tabindex: '0', 'aria-label': 'Log and output' });
    this.list = h('ol', { class: 'events' });
    this.unlisted = h('p', { class: 'note', hidden: true }, `The newest ${LISTED} are listed.`);
    this.result = h('div', {});
    this.input = h('div', {});
    this.progress = section('Progress', this.bar, this.progressText, this.chart);
    this.logPanel = section('Log and output', this.log);
    this.resultPanel = section('Result', this.result);
    this.progress.hidden = true;
    this.logPanel.hidden = true;
    this.resultPanel.hidden = true;
    this.messages = messageList((message) => taskOf(message) === id, context.signal);
    this.messagesPanel = section('Messages', this.messages.element);
    this.messagesPanel.hidden = true;
    this.asked = new Map();
    context.main.replaceChildren(
      h('p', { class: 'crumb' }, h('a', { href: '#/tasks' }, '← Tasks')),
      h('div', { class: 'heading' }, h('div', {}, this.title, this.badge), this.actions),
      this.changed,
      this.facts,
      this.questions,
      this.resultPanel,
      this.progress,
      h(
        'div',
        { class: 'plots beside' },
        section(
          'Timeline',
          this.picture,
          h('details', {}, h('summary', {}, 'As a list of events'), this.unlisted, this.list),
        ),
        this.messagesPanel,
      ),
      this.logPanel,
      section('Arguments', this.input),
    );
  }

  /** Shows a note once any answer had numbers that a browser changes. */
  showChanged(answer) {
    const note = changedNote(answer);
    if (note) {
      this.changed.replaceChildren(note);
    }
  }

  show(task) {
    const before = this.task;
    this.task = task;
    document.title = `${task.tool} – ${taskState(task)} – Longhaul console`;
    write(this.title, task.tool);
    badge(this.badge, task);
    if (before && before.status !== task.status) {
      announce(`${task.tool}: ${taskState(task)}`);
    }
    if (!before) {
      this.input.replaceChildren(json(task.arguments ?? {}));
    }
    this.showChanged(task);
    this.showFacts();
    this.showActions();
    this.showQuestions();
    this.showResult();
    this.draw();
  }

  showFacts() {
    const task = this.task;
    const took = Date.parse(task.lastUpdatedAt) - Date.parse(task.createdAt);
    const end = task.ttlMs === null || task.ttlMs === undefined ? null : Date.parse(task.createdAt) + task.ttlMs;
    const facts = [
      ['Task', h('code', {}, task.taskId)],
      ['Owner', task.owner],
      task.parent ? ['Called by', link(task.parent)] : null,
      ['Created', `${moment(task.createdAt)}, ${ago(task.createdAt)} ago`],
      isLive(task) ? null : ['Took', span(took)],
      ['Attempts', String(task.attempts)],
      end === null ? null : ['Kept until', moment(end)],
      outcomeText(task) ? ['Message', outcomeText(task)] : null,
    ];
    this.facts.replaceChildren(
      ...facts.filter(Boolean).map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))),
    );
  }

  /** An operator sees and cancels the tasks of others; only the owner may answer, retry and purge. */
  isOwn() {
    return this.task.owner === known.owner;
  }

  showActions() {
    const own = this.isOwn();
    const { tool, arguments: values = {} } = this.task;
    const buttons = isLive(this.task)
      ? [['Cancel', 'danger', () => this.cancel()]]
      : own
        ? [
            ['Retry', '', () => this.retry()],
            ['Purge', 'danger', () => this.purge()],
          ]
        : [];
    if (!changedNote(this.task)) {
      buttons.unshift(['Call again with changes…', '', () => callAgain(tool, values)]);
    }
    const names = buttons.map(([name]) => name).join();
    if (this.actions.dataset.names !== names) {
      this.actions.dataset.names = names;
      this.actions.replaceChildren(
        ...buttons.map(([name, style, onclick]) => h('button', { type: 'button', class: style, onclick }, name)),
      );
    }
  }

  /** Leaves the form of an open question unchanged: a person may be filling it in. */
  showQuestions() {
    if (known.owner === null) {
      return;
    }
    const open = Object.entries(this.task.inputRequests ?? {});
    const keys = new Set(open.map(([key]) => key));
    for (const [key, element] of this.asked) {
      if (!keys.has(key)) {
        element.remove();
        this.asked.delete(key);
      }
    }
    for (const [key, request] of open) {
      if (!this.asked.has(key)) {
        const answer = (response) =>
          this.act(() => call('tasks/update', { taskId: this.id, inputResponses: { [key]: response } })).catch(
            this.context.unlessRefused,
          );
        const form = this.isOwn()
          ? questionForm(key, request, answer)
          : h('p', { class: 'note' }, `Only ${this.task.owner} can answer: ${request.params?.message ?? ''}`);
        const panel = section(this.asked.size === 0 ? 'Question' : `Question ${key}`, form);
        panel.classList.add('question');
        this.asked.set(key, panel);
        this.questions.append(panel);
        announce(`The task asks: ${request.params?.message ?? 'a question'}`);
      }
    }
  }

  showResult() {
    const task = this.task;
    if (isLive(task) || this.resultShown) {
      return;
    }
    this.resultShown = true;
    const parts = [];
    if (task.result) {
      parts.push(toolResult(task.result));
    } else if (task.error) {
      parts.push(problem(`${task.error.message} (${task.error.code})`));
      if (task.error.data !== undefined) {
        parts.push(json(task.error.data));
      }
    } else {
      parts.push(h('p', {}, outcomeText(task) || taskState(task)));
    }
    for (const name of ['output', 'log']) {
      if (typeof task[name] === 'string') {
        parts.push(readable(task[name], `the whole ${name}`));
      }
    }
    this.result.replaceChildren(...parts);
    this.resultPanel.hidden = false;
  }

  take(events) {
    for (const event of events) {
      if (event.type === 'progress') {
        this.points.push([Date.parse(event.at), event]);
      } else if (event.type === 'log') {
        const level = h('span', { class: 'level' }, event.level);
        this.line(event, level, event.logger ? h('span', { class: 'faint' }, event.logger) : null, logText(event.data));
      } else if (event.type === 'output') {
        this.line(event, h('span', { class: 'level' }, 'output'), outputText(event.data));
      } else {
        const words = EVENT_WORDS[event.type]?.(event) ?? event.type;
        this.list.append(h('li', {}, h('time', { datetime: event.at }, clock(event.at)), ' ', words));
        if (this.list.childElementCount > LISTED) {
          this.list.firstElementChild.remove();
          this.unlisted.hidden = false;
        }
      }
      this.events.push({
        type: event.type,
        at: Date.parse(event.at),
        attempt: event.attempt,
        key: event.key,
        name: event.name,
      });
    }
    if (this.points.length > MARKS) {
      this.points = this.points.filter((point, at) => at % 2 === 1);
    }
    if (this.events.length > MARKS) {
      this.events = this.events.filter(({ type }, at) => at % 2 === 1 || TURNS.has(type));
    }
  }

  line(event, level, ...what) {
    const isAtEnd = this.log.scrollTop + this.log.clientHeight >= this.log.scrollHeight - 8;
    this.logPanel.hidden = false;
    this.log.append(
      h(
        'li',
        { 'data-level': event.level ?? 'output' },
        h('time', { datetime: event.at }, clock(event.at)),
        ' ',
        level,
        ' ',
        ...what,
      ),
    );
    while (this.log.childElementCount > LINES) {
      this.log.firstElementChild.remove();
    }
    if (isAtEnd) {
      this.log.scrollTop = this.log.scrollHeight;
    }
  }

  draw() {
    const task = this.task;
    const until = isLive(task) ? Date.now() : (this.events.at(-1)?.at ?? Date.parse(task.lastUpdatedAt));
    this.picture.replaceChildren(
      timeline(this.events, Date.parse(task.createdAt), until, shownState(task), this.picture.clientWidth),
    );
    const newest = task.progress ?? this.points.at(-1)?.[1];
    if (newest) {
      this.progress.hidden = false;
      const part = share(newest);
      this.bar.hidden = part === null;
      this.bar.value = part ?? 0;
      write(this.progressText, progressText(newest));
      const points = this.points.map(([at, event]) => [
        at,
        share(event) === null ? event.progress : share(event) * 100,
      ]);
      if (points.length > 0) {
        const created = Date.parse(task.createdAt);
        points.unshift([created, 0]);
        points.push([until, points.at(-1)[1]]);
        this.chart.replaceChildren(
          lineChart({
            width: this.chart.clientWidth,
            height: 120,
            label: `Progress over time: ${progressText(newest)}`,
            steps: true,
            series: [{ name: part === null ? 'progress' : 'percent', points }],
            top: part === null ? null : 100,
            format: part === null ? number : (value) => `${value}%`,
          }),
        );
      }
    }
  }

  async load() {
    const { signal } = this.context;
    this.show(await callUntilReached('io.longhaul/tasks/get', { taskId: this.id }, { signal }));
  }

  /** The next events of the history, and what was written: the request of a shown tab waits for them. */
  async news(after, written) {
    const { signal } = this.context;
    const isHidden = document.hidden;
    const held = isHidden ? signal : await shown(signal);
    const waitMs = isHidden || after === 0 ? 0 : WAIT;
    try {
      const range = { taskId: this.id, after, written, limit: EVENTS, waitMs };
      return await callUntilReached('io.longhaul/tasks/history', range, { signal: held });
    } catch (error) {
      if (signal.aborted || !held.aborted) {
        throw error;
      }
      return this.news(after, written);
    }
  }

  /** Follows the history by long polling. */
  async follow() {
    let after = 0;
    let written = 0;
    for (;;) {
      const page = await this.news(after, written);
      this.showChanged(page);
      this.take(page.events);
      after = page.last;
      written = page.written;
      if (page.status !== this.task.status || page.events.some(({ type }) => TURNS.has(type))) {
        await this.load();
      } else if (page.events.length > 0) {
        this.task.progress = this.points.at(-1)?.[1] ?? this.task.progress;
        this.draw();
      }
      if (!page.more && !isLive(page)) {
        return;
      }
      if (!page.more && document.hidden) {
        await pause(HIDDEN_WAIT);
      }
    }
  }

  /** Performs an action on the task, and shows the task after it. Throws a refusal to the caller, which shows it. */
  async act(work) {
    const done = await work();
    await this.load();
    return done;
  }

  async cancel() {
    if (
      await confirmed(
        'Cancel this task?',
        'Its work is stopped. What it has put out so far is kept.',
        'Cancel the task',
        this.context.signal,
      )
    ) {
      await this.act(() => call('tasks/cancel', { taskId: this.id })).catch(this.context.failed);
    }
  }

  /** Goes to another page, unless the person has left this one meanwhile. */
  goTo(place) {
    if (!this.context.signal.aborted) {
      location.hash = place;
    }
  }

  async retry() {
    try {
      const created = await call('io.longhaul/tasks/retry', { taskId: this.id });
      this.goTo(`#/tasks/${encodeURIComponent(created.taskId)}`);
    } catch (error) {
      this.context.failed(error);
    }
  }

  async purge() {
    const words = 'Its result and its history are removed for good.';
    if (await confirmed('Purge this task?', words, 'Purge', this.context.signal)) {
      try {
        await call('io.longhaul/tasks/delete', { taskId: this.id });
        this.goTo('#/tasks');
      } catch (error) {
        this.context.failed(error);
      }
    }
  }
}

export async function taskPage(context, id) {
  document.title = 'Task – Longhaul console';
  const view = new TaskView(context, id);
  const { signal } = context;
  const ticks = setInterval(() => {
    if (view.task && isLive(view.task)) {
      view.showFacts();
      view.draw();
    }
  }, 1000);
  signal.addEventListener('abort', () => clearInterval(ticks));
  // The owner, known from "hello", decides which actions are possible.
  const met = () => {
    if (view.task) {
      view.showActions();
      view.showQuestions();
    }
    view.messagesPanel.hidden = !known.hasMessages;
  };
  met();
  stream.addEventListener('hello', met, { signal });
  addEventListener('resize', () => view.task && view.draw(), { signal });
  try {
    await view.load();
    await view.follow();
  } catch (error) {
    context.failed(error);
  }
}
