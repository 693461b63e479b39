/** Starts the console: signs in, shows the page that the address names, and keeps the stream of events open. */

import { callUntilReached, Refused, token, Unauthorized } from './calls.js';
import { h, problem, write } from './dom.js';
import { follow, known, stream } from './events.js';
import { figuresPage } from './figures.js';
import { messagesPage } from './messages.js';
import { offersPage } from './offers.js';
import { taskPage } from './task.js';
import { tasksPage } from './tasks.js';

const THEMES = ['system', 'light', 'dark'];
const THEME = 'longhaul.theme';

const main = document.getElementById('main');
const nav = document.getElementById('nav');
const live = document.getElementById('live');

let leavePage = new AbortController();
let session = new AbortController();

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The part of the address after "#": the parts of its path, and its parameters. */
function place() {
  const [path, query] = location.hash.slice(1).split('?');
  return { parts: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

function show() {
  leavePage.abort();
  leavePage = new AbortController();
  const { parts, query } = place();
  const [page = 'tasks', name] = parts;
  for (const link of nav.querySelectorAll('a')) {
    const isHere = link.getAttribute('href') === `#/${page}`;
    if (isHere) {
      link.setAttribute('aria-current', 'page');
    } else {
      link.removeAttribute('aria-current');
    }
  }
  const context = { main, query, signal: leavePage.signal, failed, unlessRefused };
  if (['tools', 'resources', 'prompts'].includes(page)) {
    offersPage(context, page, name);
  } else if (page === 'messages') {
    messagesPage(context);
  } else if (page === 'figures') {
    figuresPage(context);
  } else if (name) {
    taskPage(context, name);
  } else {
    tasksPage(context);
  }
}

/** Shows an error that a page cannot handle itself. */
function failed(error) {
  if (error.name === 'AbortError') {
    return;
  }
  if (error instanceof Unauthorized) {
    signIn(error.message);
    return;
  }
  main.querySelector(':scope > .problem')?.remove();
  main.prepend(problem(error.message));
}

/** Rethrows refusals, which forms show themselves; handles all other errors. */
function unlessRefused(error) {
  if (error instanceof Refused) {
    throw error;
  }
  failed(error);
}

function linkTo(page) {
  return nav.querySelector(`[href="#/${page}"]`);
}

function signIn(reason) {
  session.abort();
  leavePage.abort();
  token.forget();
  nav.hidden = true;
  document.getElementById('leave').hidden = true;
  write(live, 'signed out');
  live.dataset.state = 'closed';
  document.title = 'Sign in – Longhaul console';
  const field = h('input', { id: 'token', type: 'password', autocomplete: 'off', required: true, spellcheck: 'false' });
  const form = h(
    'form',
    {
      class: 'panel signin',
      onsubmit: (event) => {
        event.preventDefault();
        token.keep(field.value.trim());
        begin();
      },
    },
    h('h1', {}, 'Sign in'),
    h('p', {}, 'Open the link that the server printed when it started, or give the token that is in it.'),
    h('p', {}, 'Where the server has an authorization of its own, a token of yours shows your tasks.'),
    reason ? problem(reason) : null,
    h('label', { for: 'token' }, 'Token'),
    field,
    h('div', { class: 'actions' }, h('button', { type: 'submit', class: 'primary' }, 'Sign in')),
  );
  main.replaceChildren(form);
  field.focus();
}

async function begin() {
  session.abort();
  session = new AbortController();
  const { signal } = session;
  try {
    const server = await callUntilReached('server/discover', {}, { signal }, failed);
    const info = server._meta?.['io.modelcontextprotocol/serverInfo'];
    write(document.getElementById('server'), info ? (info.title ?? info.name) : '');
    for (const page of ['resources', 'prompts']) {
      linkTo(page).hidden = !server.capabilities?.[page];
    }
  } catch (error) {
    if (error instanceof Unauthorized) {
      signIn(token.read() ? error.message : null);
    } else {
      failed(error);
    }
    return;
  }
  nav.hidden = false;
  document.getElementById('leave').hidden = !token.read();
  follow(signal).catch(failed);
  show();
}

function taken() {
  const text = new URLSearchParams(location.hash.slice(1)).get('token');
  if (text) {
    token.keep(text);
    // Removes the token from the address, so that no history, bookmark or shared link contains it.
    history.replaceState(null, '', '#/tasks');
  }
  return text;
}

function themed(theme) {
  document.documentElement.dataset.theme = theme;
  write(document.getElementById('theme'), `Theme: ${theme}`);
}

stream.addEventListener('open', () => {
  write(live, 'live');
  live.dataset.state = 'open';
});
stream.addEventListener('hello', () => {
  linkTo('messages').hidden = !known.hasMessages;
});
stream.addEventListener('closed', () => {
  write(live, 'reconnecting');
  live.dataset.state = 'closed';
});
document.getElementById('theme').addEventListener('click', () => {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
  localStorage.setItem(THEME, next);
  themed(next);
});
document.getElementById('leave').addEventListener('click', () => signIn(null));
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
addEventListener('hashchange', () => {
  if (taken()) {
    begin();
  } else if (!nav.hidden) {
    show();
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
});

themed(THEMES.includes(localStorage.getItem(THEME)) ? localStorage.getItem(THEME) : 'system');
taken();
begin();
