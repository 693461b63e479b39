/** Formats states, times and numbers. */

import { write } from './dom.js';

export const STATES = ['submitted', 'working', 'input_required', 'completed', 'failed', 'cancelled', 'declined'];

const STATE_NAMES = {
  submitted: 'Waiting for a slot',
  working: 'Working',
  input_required: 'Needs an answer',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
  declined: 'Declined',
  error: 'Failed (tool)',
};

export function stateName(state) {
  return STATE_NAMES[state] ?? state;
}

/** The state of a task as pages show it: neither a refusal of a person nor an error of the tool is a success. */
export function shownState(task) {
  if (task.status !== 'completed') {
    return task.status;
  }
  return task.declined === true ? 'declined' : task.isError === true ? 'error' : 'completed';
}

/** The state of a task in words. */
export function taskState(task) {
  return stateName(shownState(task));
}

export function badge(element, task) {
  write(element, taskState(task));
  element.dataset.state = shownState(task);
}

export function isLive(task) {
  return task.status === 'submitted' || task.status === 'working' || task.status === 'input_required';
}

/** A time span in the two largest units that matter. */
export function span(ms) {
  if (!Number.isFinite(ms)) {
    return '–';
  }
  if (ms < 1000) {
    return `${Number.isInteger(ms) || ms >= 10 ? Math.round(ms) : ms.toFixed(ms < 1 ? 2 : 1)} ms`;
  }
  const seconds = ms / 1000;
  if (seconds < 60) {
    return `${seconds < 10 ? seconds.toFixed(1) : Math.floor(seconds)} s`;
  }
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
    ['s', 1],
  ];
  const from = units.findIndex(([, size]) => seconds >= size);
  const [name, size] = units[from];
  const [nextName, nextSize] = units[from + 1];
  const rest = Math.floor((seconds % size) / nextSize);
  return `${Math.floor(seconds / size)} ${name}` + (rest > 0 ? ` ${rest} ${nextName}` : '');
}

/** The time since iso, without fractions, as the page updates it each second. */
export function ago(iso, now = Date.now()) {
  const seconds = Math.max(0, Math.floor((now - Date.parse(iso)) / 1000));
  return seconds < 60 ? `${seconds} s` : span(seconds * 1000);
}

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function clock(time) {
  return CLOCK.format(new Date(time));
}

export function moment(time) {
  return MOMENT.format(new Date(time));
}

export function number(value) {
  return Number.isInteger(value) ? value.toLocaleString() : Number(value.toPrecision(3)).toLocaleString();
}

/** A progress as a fraction from 0 to 1; null if its total is unknown. */
export function share(progress) {
  return progress && progress.total > 0 ? Math.min(1, Math.max(0, progress.progress / progress.total)) : null;
}

export function progressText(progress) {
  const part = share(progress);
  const figure = part === null ? number(progress.progress) : `${Math.round(part * 100)}%`;
  if (!progress.message) {
    return figure;
  }
  // Some generations begin their messages with the figure.
  return progress.message.startsWith(`${figure}: `) ? progress.message : `${figure} ${progress.message}`;
}

/** The outcome of a task in a few words; empty while the task is live. */
export function outcomeText(task) {
  const outcome = task.outcome;
  if (!outcome) {
    return '';
  }
  const reason = typeof outcome === 'object' ? outcome.reason : task.reason;
  return reason ?? task.statusMessage ?? '';
}
