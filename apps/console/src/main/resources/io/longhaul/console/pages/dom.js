/**
 * Makes elements from data. Text becomes text, never markup: nothing here parses HTML, and the policy of the page
 * (require-trusted-types-for) would refuse it.
 */

const SVG = 'http://www.w3.org/2000/svg';

const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/**
 * Characters that nobody sees, or that change the direction or the lines of text: marks of direction, zero-width and tag
 * characters. U+FE0F is none of them: it makes a sign an emoji.
 */
const HIDDEN = /[\x80-\x9f\u2028\u2029]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

/** Replaces control characters and hidden ones with visible signs. */
export function visible(text) {
  return text
    .replace(CONTROLS, (char) => (char === '\x7f' ? '\u2421' : String.fromCharCode(0x2400 + char.charCodeAt(0))))
    .replace(HIDDEN, (char) => `⟨U+${char.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}

function isThere(child) {
  return child !== null && child !== undefined && child !== false;
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  element.append(
    ...children
      .flat()
      .filter(isThere)
      .map((child) => (child instanceof Node ? child : visible(String(child)))),
  );
  return element;
}

/** Makes an element of HTML; attributes named on… are listeners. */
export function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Makes an element of SVG. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** Writes a text if it differs, so that screen readers do not repeat an unchanged one. */
export function write(element, text) {
  const shown = visible(text ?? '');
  if (element.textContent !== shown) {
    element.textContent = shown;
  }
}

/** Announces a text to screen readers. */
export function announce(text) {
  write(document.getElementById('said'), text);
}

/** A section with a heading. */
export function section(title, ...children) {
  const id = `section-${title.toLowerCase().replace(/[^a-z]+/g, '-')}`;
  return h('section', { 'aria-labelledby': id, class: 'panel' }, h('h2', { id }, title), ...children);
}

/** Makes the message of an error. */
export function problem(text) {
  return h('p', { class: 'problem', role: 'alert' }, text);
}

/** Asks before an action that cannot be undone. Leaving the page, which aborts the signal, counts as no. */
export function confirmed(title, text, action, signal) {
  return new Promise((resolve) => {
    const close = (answer) => {
      dialog.close();
      dialog.remove();
      resolve(answer);
    };
    const dialog = h(
      'dialog',
      { 'aria-labelledby': 'dialog-title', 'aria-describedby': 'dialog-text', oncancel: () => close(false) },
      h('h2', { id: 'dialog-title' }, title),
      h('p', { id: 'dialog-text' }, text),
      h(
        'div',
        { class: 'actions' },
        h('button', { type: 'button', class: 'danger', onclick: () => close(true) }, action),
        h('button', { type: 'button', onclick: () => close(false) }, 'Keep as it is'),
      ),
    );
    signal.addEventListener('abort', () => close(false), { once: true });
    document.body.append(dialog);
    dialog.showModal();
  });
}
