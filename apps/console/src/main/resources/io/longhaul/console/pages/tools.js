/** The page of tools: each with a form to call it. */

import { call, callUntilReached, Refused } from './calls.js';
import { announce, confirmed, h, problem, section, write } from './dom.js';
import { schemaForm } from './forms.js';
import { changedNote } from './numbers.js';
import { questionForm } from './questions.js';
import { json, toolResult } from './results.js';
import { progressText } from './words.js';

async function all(signal) {
  const tools = [];
  let cursor;
  do {
    const page = await callUntilReached('tools/list', cursor ? { cursor } : {}, { signal });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor);
  return tools;
}

/** The annotations of a tool in words; they are hints of its author, not guarantees. */
function hints(tool) {
  const said = tool.annotations ?? {};
  return [
    said.readOnlyHint === true && 'reads only',
    said.destructiveHint === true && said.readOnlyHint !== true && 'may destroy',
    said.idempotentHint === true && 'can be repeated',
    said.openWorldHint === true && 'reaches outside',
  ].filter(Boolean);
}

function toolForm(context, tool) {
  const form = schemaForm(tool.inputSchema ?? { type: 'object' });
  const outcome = h('div', { id: 'outcome' });
  const status = h('p', { class: 'note', role: 'status' });
  const send = h('button', { type: 'submit', class: 'primary' }, 'Call');

  async function run(params) {
    send.disabled = true;
    write(status, 'Calling…');
    try {
      const result = await call('tools/call', params, {
        signal: context.signal,
        schema: tool.inputSchema,
        told: (event) => {
          if (event.method === 'notifications/progress') {
            write(status, progressText(event.params));
          }
        },
      });
      shown(result, params);
    } catch (error) {
      write(status, '');
      throw error;
    } finally {
      send.disabled = false;
    }
  }

  function shown(result, params) {
    write(status, '');
    if (result.resultType === 'task') {
      announce(`The call is a task`);
      location.hash = `#/tasks/${encodeURIComponent(result.taskId)}`;
      return;
    }
    if (result.resultType === 'input_required') {
      asked(result, params);
      return;
    }
    announce(result.isError ? 'The tool says that it failed' : 'The tool has answered');
    outcome.replaceChildren(section('Result', changedNote(result), toolResult(result)));
  }

  /** Shows the questions of a tool that is no task, and calls it again with the answers. */
  function asked(result, params) {
    const responses = {};
    const open = Object.entries(result.inputRequests ?? {});
    const panels = open.map(([key, request]) => {
      const panel = h('div', { class: 'asks' });
      panel.append(questionForm(key, request, (response) => answered(key, response, panel).catch(context.unlessRefused)));
      return panel;
    });

    async function answered(key, response, panel) {
      responses[key] = response;
      if (Object.keys(responses).length === open.length) {
        panels.forEach((each) => (each.inert = false));
        await run({ ...params, inputResponses: responses, requestState: result.requestState });
      } else {
        panel.inert = true;
        announce('This question is answered, another is open');
        outcome.querySelector('.asks:not([inert]) :is(input, select, textarea, button)')?.focus();
      }
    }

    outcome.replaceChildren(section('Question', changedNote(result), ...panels));
    outcome.querySelector('input, select, textarea, button')?.focus();
  }

  async function submitted(event) {
    event.preventDefault();
    const { value, isGood } = form.read();
    if (!isGood) {
      return;
    }
    const isDestructive = tool.annotations?.destructiveHint === true && tool.annotations?.readOnlyHint !== true;
    if (
      isDestructive &&
      !(await confirmed(
        `Call ${tool.name}?`,
        'Its author says that it may destroy something.',
        'Call',
        context.signal,
      ))
    ) {
      return;
    }
    outcome.replaceChildren();
    try {
      await run({ name: tool.name, arguments: value });
    } catch (error) {
      if (!(error instanceof Refused)) {
        context.failed(error);
      } else if (!form.refused(error.message)) {
        outcome.replaceChildren(problem(error.message));
      }
    }
  }

  return [
    h('h2', { id: 'tool-title' }, tool.title ?? tool.annotations?.title ?? tool.name),
    h('p', { class: 'note' }, h('code', {}, tool.name), hints(tool).length ? ` · ${hints(tool).join(' · ')}` : ''),
    tool.description ? h('p', { class: 'description' }, tool.description) : null,
    h(
      'form',
      { novalidate: true, class: 'fields', 'aria-labelledby': 'tool-title', onsubmit: submitted },
      form.isEmpty ? h('p', { class: 'faint' }, 'It takes no input.') : null,
      form.element,
      h('div', { class: 'actions' }, send),
      status,
    ),
    outcome,
    h('details', {}, h('summary', {}, 'Schema'), json(tool.inputSchema ?? {})),
  ];
}

export async function toolsPage(context, name) {
  document.title = name ? `${name} – Longhaul console` : 'Tools – Longhaul console';
  const found = h('ul', { class: 'tool-list' });
  const chosen = h('section', { class: 'panel tool', 'aria-label': 'Tool' });
  const search = h('input', {
    type: 'search',
    id: 'find',
    placeholder: 'Find a tool',
    oninput: narrow,
    autocomplete: 'off',
  });

  function narrow() {
    const text = search.value.trim().toLowerCase();
    for (const item of found.children) {
      item.hidden = !item.textContent.toLowerCase().includes(text);
    }
  }

  context.main.replaceChildren(
    h('div', { class: 'heading' }, h('h1', {}, 'Tools')),
    h(
      'div',
      { class: 'split' },
      h('nav', { 'aria-label': 'Tools' }, h('label', { for: 'find', class: 'unseen' }, 'Find a tool'), search, found),
      chosen,
    ),
  );
  try {
    const tools = await all(context.signal);
    found.replaceChildren(
      ...tools.map((tool) =>
        h(
          'li',
          {},
          h(
            'a',
            { href: `#/tools/${encodeURIComponent(tool.name)}`, 'aria-current': tool.name === name ? 'page' : null },
            h('strong', {}, tool.title ?? tool.name),
            h('span', { class: 'faint' }, tool.description ?? ''),
          ),
        ),
      ),
    );
    const tool = tools.find((one) => one.name === name);
    if (tool) {
      chosen.replaceChildren(...toolForm(context, tool).filter(Boolean));
    } else {
      chosen.replaceChildren(
        name
          ? problem(`There is no tool ${name}.`)
          : h(
              'p',
              { class: 'faint' },
              tools.length > 0
                ? 'Choose a tool to call it.'
                : 'This server offers you no tools. Tools that need a scope are shown to callers who have it.',
            ),
      );
    }
  } catch (error) {
    context.failed(error);
  }
}
