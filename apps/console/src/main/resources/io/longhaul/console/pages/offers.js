/** The pages of what the server offers: tools, resources and prompts, each with a form to ask for it. */

import { call, callUntilReached, Refused } from './calls.js';
import { announce, confirmed, h, problem, section, write } from './dom.js';
import { schemaForm } from './forms.js';
import { changedNote } from './numbers.js';
import { questionForm } from './questions.js';
import { json, resource, toolResult } from './results.js';
import { progressText } from './words.js';

/** All entries of a list. */
async function all(method, member, signal) {
  const found = [];
  let cursor;
  do {
    const page = await callUntilReached(method, cursor ? { cursor } : {}, { signal });
    found.push(...page[member]);
    cursor = page.nextCursor;
  } while (cursor);
  return found;
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

function toolOffer(tool) {
  return {
    name: tool.name,
    title: tool.title ?? tool.annotations?.title ?? tool.name,
    description: tool.description,
    facts: hints(tool),
    isDestructive: tool.annotations?.destructiveHint === true && tool.annotations?.readOnlyHint !== true,
    schema: tool.inputSchema ?? { type: 'object' },
    method: 'tools/call',
    params: (value) => ({ name: tool.name, arguments: value }),
    shown: toolResult,
  };
}

/** The operators of templates whose variables may be left out. */
const PAIRS = [';', '?', '&'];

/** The address that a template of RFC 6570, levels 1 to 3, has for some values. */
function expanded(template, values) {
  return template.replace(/\{([+#./;?&]?)([^}]+)\}/g, (all, sign, names) => {
    const encode = sign === '+' || sign === '#' ? encodeURI : encodeURIComponent;
    const parts = names
      .split(',')
      .filter((name) => values[name] !== undefined)
      .map((name) => (PAIRS.includes(sign) ? `${name}=` : '') + encode(values[name]));
    const between = { '': ',', '+': ',', '#': ',', '?': '&' }[sign] ?? sign;
    return parts.length === 0 ? '' : (sign === '+' ? '' : sign) + parts.join(between);
  });
}

/** A resource, or the template of some. */
function resourceOffer(one) {
  const address = one.uri ?? one.uriTemplate;
  const found = one.uri ? [] : [...address.matchAll(/\{([+#./;?&]?)([^}]+)\}/g)];
  const names = found.flatMap(([, sign, list]) => list.split(',').map((name) => [name, sign]));
  return {
    name: address,
    title: one.title ?? one.name,
    description: one.description,
    facts: [one.mimeType].filter(Boolean),
    schema: {
      properties: Object.fromEntries(names.map(([name]) => [name, { type: 'string' }])),
      required: names.filter(([, sign]) => !PAIRS.includes(sign)).map(([name]) => name),
    },
    method: 'resources/read',
    params: (value) => ({ uri: expanded(address, value) }),
    shown: (result) => h('div', {}, (result.contents ?? []).map(resource)),
  };
}

function promptOffer(prompt) {
  const known = prompt.arguments ?? [];
  return {
    name: prompt.name,
    title: prompt.title ?? prompt.name,
    description: prompt.description,
    facts: [],
    schema: {
      properties: Object.fromEntries(
        known.map(({ name, title, description }) => [name, { type: 'string', title, description }]),
      ),
      required: known.filter(({ required }) => required).map(({ name }) => name),
    },
    method: 'prompts/get',
    params: (value) => ({ name: prompt.name, arguments: value }),
    shown: (result) =>
      h(
        'div',
        {},
        result.description ? h('p', { class: 'note' }, result.description) : null,
        (result.messages ?? []).flatMap(({ role, content }) => [h('h3', {}, role), toolResult({ content: [content] })]),
      ),
  };
}

/** The kinds of offers, by their pages. */
const KINDS = {
  tools: {
    one: 'tool',
    verb: 'Call',
    busy: 'Calling…',
    none: 'This server offers you no tools. Tools that need a scope are shown to callers who have it.',
    list: async (signal) => (await all('tools/list', 'tools', signal)).map(toolOffer),
  },
  resources: {
    one: 'resource',
    verb: 'Read',
    busy: 'Reading…',
    none: 'This server offers you no resources.',
    list: async (signal) =>
      [
        ...(await all('resources/list', 'resources', signal)),
        ...(await all('resources/templates/list', 'resourceTemplates', signal)),
      ].map(resourceOffer),
  },
  prompts: {
    one: 'prompt',
    verb: 'Get',
    busy: 'Getting…',
    none: 'This server offers you no prompts.',
    list: async (signal) => (await all('prompts/list', 'prompts', signal)).map(promptOffer),
  },
};

/** The earlier call whose arguments the next form has. */
let earlier = null;

/** Opens the form of a tool with the arguments of an earlier call, without those that are masked. */
export function callAgain(tool, values) {
  earlier = { tool, values };
  location.hash = `#/tools/${encodeURIComponent(tool)}?again`;
}

/** The form of an offer, with the arguments of an earlier call where there are some. */
function offerForm(context, kind, offer, values) {
  const form = schemaForm(offer.schema, values);
  const outcome = h('div', { id: 'outcome' });
  const status = h('p', { class: 'note', role: 'status' });
  const send = h('button', { type: 'submit', class: 'primary' }, kind.verb);

  async function run(params) {
    send.disabled = true;
    write(status, kind.busy);
    try {
      const result = await call(offer.method, params, {
        signal: context.signal,
        schema: offer.schema,
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
    announce(result.isError ? 'The tool says that it failed' : `The ${kind.one} has answered`);
    outcome.replaceChildren(section('Result', changedNote(result), offer.shown(result)));
  }

  /** Shows the questions of an offer that is no task, and asks for it again with the answers. */
  function asked(result, params) {
    const responses = {};
    const open = Object.entries(result.inputRequests ?? {});
    const panels = open.map(([key, request]) => {
      const panel = h('div', { class: 'asks' });
      const answer = (response) => answered(key, response, panel).catch(context.unlessRefused);
      panel.append(questionForm(key, request, answer));
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
    if (
      offer.isDestructive &&
      !(await confirmed(
        `Call ${offer.name}?`,
        'Its author says that it may destroy something.',
        'Call',
        context.signal,
      ))
    ) {
      return;
    }
    outcome.replaceChildren();
    try {
      await run(offer.params(value));
    } catch (error) {
      if (!(error instanceof Refused)) {
        context.failed(error);
      } else if (!form.refused(error.message)) {
        outcome.replaceChildren(problem(error.message));
      }
    }
  }

  return [
    h('h2', { id: 'tool-title' }, offer.title),
    h('p', { class: 'note' }, h('code', {}, offer.name), offer.facts.map((fact) => ` · ${fact}`)),
    offer.description ? h('p', { class: 'description' }, offer.description) : null,
    h(
      'form',
      { novalidate: true, class: 'fields', 'aria-labelledby': 'tool-title', onsubmit: submitted },
      form.isEmpty ? h('p', { class: 'faint' }, 'It takes no input.') : null,
      form.element,
      h('div', { class: 'actions' }, send),
      status,
    ),
    outcome,
    h('details', {}, h('summary', {}, 'Schema'), json(offer.schema)),
  ];
}

export async function offersPage(context, page, name) {
  const kind = KINDS[page];
  const heading = page[0].toUpperCase() + page.slice(1);
  document.title = `${name ?? heading} – Longhaul console`;
  const found = h('ul', { class: 'tool-list' });
  const chosen = h('section', { class: 'panel tool', 'aria-label': `The ${kind.one}` });
  const search = h('input', {
    type: 'search',
    id: 'find',
    placeholder: `Find a ${kind.one}`,
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
    h('div', { class: 'heading' }, h('h1', {}, heading)),
    h(
      'div',
      { class: 'split' },
      h(
        'nav',
        { 'aria-label': heading },
        h('label', { for: 'find', class: 'unseen' }, `Find a ${kind.one}`),
        search,
        found,
      ),
      chosen,
    ),
  );
  try {
    const offers = await kind.list(context.signal);
    found.replaceChildren(
      ...offers.map((offer) =>
        h(
          'li',
          {},
          h(
            'a',
            {
              href: `#/${page}/${encodeURIComponent(offer.name)}`,
              'aria-current': offer.name === name ? 'page' : null,
            },
            h('strong', {}, offer.title),
            h('span', { class: 'faint' }, offer.description ?? ''),
          ),
        ),
      ),
    );
    const offer = offers.find((one) => one.name === name);
    if (offer) {
      const isAgain = context.query.has('again') && earlier?.tool === name;
      chosen.replaceChildren(...offerForm(context, kind, offer, isAgain ? earlier.values : undefined).filter(Boolean));
    } else {
      const advice = `Choose a ${kind.one} to ${kind.verb.toLowerCase()} it.`;
      chosen.replaceChildren(
        name
          ? problem(`There is no ${kind.one} ${name}.`)
          : h('p', { class: 'faint' }, offers.length > 0 ? advice : kind.none),
      );
    }
  } catch (error) {
    context.failed(error);
  }
}
