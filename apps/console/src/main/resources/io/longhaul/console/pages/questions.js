/** Forms for the questions of tasks and tools. */

import { h } from './dom.js';
import { schemaForm } from './forms.js';
import { json, link } from './results.js';

/** The schema of a form without fields. */
const NOTHING = { properties: {} };

/** A function that sends a response, and shows a refusal in the form. */
function sender(form, answer) {
  return async (response) => {
    try {
      await answer(response);
    } catch (error) {
      form.refused(error.message);
    }
  };
}

/** The buttons of a question; one for yes or no has two. */
function buttons(send, accepted, isYesOrNo = false) {
  return h(
    'div',
    { class: 'actions' },
    h('button', { type: 'submit', class: 'primary' }, accepted),
    h('button', { type: 'button', onclick: () => send({ action: 'decline' }) }, 'Decline'),
    isYesOrNo
      ? null
      : h('button', { type: 'button', class: 'quiet', onclick: () => send({ action: 'cancel' }) }, 'Dismiss'),
  );
}

function elicited(params, answer) {
  const form = schemaForm(params.requestedSchema ?? NOTHING);
  const send = sender(form, answer);
  const submitted = (event) => {
    event.preventDefault();
    const { value, isGood } = form.read();
    if (isGood) {
      send({ action: 'accept', content: value });
    }
  };
  return h(
    'form',
    { novalidate: true, onsubmit: submitted },
    h('p', { class: 'asked' }, params.message ?? ''),
    form.element,
    form.isEmpty ? buttons(send, 'Approve', true) : buttons(send, 'Send answer'),
  );
}

/** The form for a question that is answered on another web page. */
function sentElsewhere(params, answer) {
  const form = schemaForm(NOTHING);
  const send = sender(form, answer);
  const submitted = (event) => {
    event.preventDefault();
    send({ action: 'accept' });
  };
  return h(
    'form',
    { onsubmit: submitted },
    h('p', { class: 'asked' }, params.message ?? ''),
    h('p', {}, link(params.url ?? '')),
    form.element,
    buttons(send, 'It is done'),
  );
}

/** The form for a question to a model: a person may answer in its place. */
function sampled(params, answer) {
  const form = schemaForm({
    properties: { text: { type: 'string', title: 'Answer in place of the model', maxLength: 100_000 } },
    required: ['text'],
  });
  const send = sender(form, answer);
  const submitted = (event) => {
    event.preventDefault();
    const { value, isGood } = form.read();
    if (isGood) {
      const content = { type: 'text', text: value.text };
      send({ role: 'assistant', content, model: 'a person', stopReason: 'endTurn' });
    }
  };
  return h(
    'form',
    { novalidate: true, onsubmit: submitted },
    h('p', { class: 'asked' }, 'The task asks a model:'),
    json(params.messages ?? params),
    form.element,
    h('div', { class: 'actions' }, h('button', { type: 'submit', class: 'primary' }, 'Send answer')),
  );
}

/** The form for one question; answer sends a response, and throws a refusal. */
export function questionForm(key, request, answer) {
  const params = request.params ?? {};
  switch (request.method) {
    case 'elicitation/create':
      return params.mode === 'url' ? sentElsewhere(params, answer) : elicited(params, answer);
    case 'sampling/createMessage':
      return sampled(params, answer);
    default:
      return h(
        'div',
        {},
        h('p', { class: 'note' }, `Only the client that made the call can answer ${request.method}.`),
        json(params),
      );
  }
}
