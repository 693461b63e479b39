/** Forms made from JSON Schema. */

import { h, problem, visible, write } from './dom.js';
import { isExact } from './numbers.js';

/** Keywords of a schema for objects that a form with a field for each member cannot express. */
const MORE = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'patternProperties'];

const YES_OR_NO = [
  { value: true, title: 'Yes' },
  { value: false, title: 'No' },
];

let made = 0;

function newId() {
  made += 1;
  return `field-${made}`;
}

function isObject(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Whether a field for each member suffices for every object that the schema accepts. */
function isPlain(schema) {
  const others = schema.additionalProperties;
  const isOpen = others === true || isObject(others) || (others === undefined && !isObject(schema.properties));
  return !isOpen && !MORE.some((word) => word in schema);
}

/** The value and the title of each choice of a schema with a limited set of values; null for other schemas. */
function choices(schema) {
  if (Array.isArray(schema.enum)) {
    return schema.enum.map((value, at) => ({ value, title: schema.enumNames?.[at] ?? String(value) }));
  }
  const titled = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(titled) && titled.length > 0 && titled.every((one) => isObject(one) && 'const' in one)) {
    return titled.map((one) => ({ value: one.const, title: one.title ?? String(one.const) }));
  }
  return null;
}

function typeOf(schema) {
  return Array.isArray(schema.type) ? schema.type.find((type) => type !== 'null') : schema.type;
}

/**
 * The limits of the accepted values, in words. Patterns are left to the server: one of a stranger can keep a browser
 * busy forever.
 */
function bounds(schema) {
  const said = [];
  const between = (least, most, unit) => {
    if (least !== undefined && most !== undefined) {
      said.push(`${least} to ${most}${unit}`);
    } else if (least !== undefined) {
      said.push(`at least ${least}${unit}`);
    } else if (most !== undefined) {
      said.push(`at most ${most}${unit}`);
    }
  };
  between(schema.minimum, schema.maximum, '');
  between(schema.minLength, schema.maxLength, ' characters');
  between(schema.minItems, schema.maxItems, '');
  return said.join(', ');
}

/**
 * A field: the parts that all kinds of fields share, with the place for its error.
 *
 * The functions below add read, which returns {value} (undefined for nothing) or {error}, and isEmpty.
 */
class Field {
  constructor(path, title, schema, required) {
    this.path = path;
    this.id = newId();
    this.required = required;
    this.error = h('p', { class: 'field-error', id: `${this.id}-error`, hidden: true });
    const hint = [schema.description, bounds(schema)].filter(Boolean).join(' · ');
    this.hint = hint ? h('p', { class: 'hint', id: `${this.id}-hint` }, hint) : null;
    this.title = title;
  }

  /** The attributes that every control has. */
  attributes() {
    return {
      id: this.id,
      name: this.path.join('.') || 'value',
      required: this.required,
      'aria-describedby': [this.hint && `${this.id}-hint`, `${this.id}-error`].filter(Boolean).join(' '),
    };
  }

  /** Says below the field what is in its text, where a person cannot see that: the text is sent as it is. */
  warned(control) {
    const warning = h('p', { class: 'hidden', role: 'status', hidden: true });
    const look = () => {
      const shown = visible(control.value);
      warning.hidden = shown === control.value;
      write(warning, warning.hidden ? '' : `This has characters that are not seen: ${shown}`);
    };
    control.addEventListener('input', look);
    look();
    return warning;
  }

  labelled(control) {
    this.control = control;
    const label = h(
      'label',
      { for: this.id },
      this.title,
      this.required ? h('span', { class: 'needed' }, ' (required)') : null,
    );
    const isText = control.matches('textarea, input:not([type="number"])');
    return h('div', { class: 'field' }, label, this.hint, control, isText ? this.warned(control) : null, this.error);
  }

  grouped(...controls) {
    const legend = h('legend', {}, this.title, this.required ? h('span', { class: 'needed' }, ' (required)') : null);
    const attributes = { class: 'field', id: this.id, tabindex: '-1', 'aria-describedby': `${this.id}-error` };
    this.control = h('fieldset', attributes, legend, this.hint, ...controls, this.error);
    return this.control;
  }

  refuse(text) {
    write(this.error, text ?? '');
    this.error.hidden = !text;
    if (text) {
      this.control.setAttribute('aria-invalid', 'true');
    } else {
      this.control.removeAttribute('aria-invalid');
    }
  }

  empty() {
    return this.required ? { error: 'Give a value' } : { value: undefined };
  }
}

/** A time with its zone as the text of a field, which has the zone of the browser; empty if it is no time. */
function localTime(text) {
  const time = new Date(text);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return Number.isNaN(local.getTime()) ? '' : local.toISOString().slice(0, 19);
}

/** Whether a text has as many characters as a schema wants; maxlength and minlength of HTML count UTF-16 units. */
function isOfLength(schema, text) {
  const { length } = [...text];
  return !(length < schema.minLength || length > schema.maxLength);
}

function textField(field, schema) {
  const types = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local', password: 'password' };
  const type = schema.writeOnly === true ? 'password' : (types[schema.format] ?? 'text');
  const isLong = type === 'text' && (schema.maxLength > 200 || schema.format === 'textarea');
  const attributes = { ...field.attributes(), autocomplete: 'off' };
  const control = isLong
    ? h('textarea', { ...attributes, rows: 4 })
    : h('input', { ...attributes, type, step: type === 'datetime-local' ? 1 : null });
  const given = schema.default === undefined ? '' : String(schema.default);
  control.value = type === 'datetime-local' ? localTime(given) : given;
  const shown = control.value;
  const read = () => {
    if (control.value === '') {
      return field.empty();
    }
    if (!control.checkValidity()) {
      return { error: control.validationMessage };
    }
    if (type === 'datetime-local') {
      return { value: control.value === shown ? given : new Date(control.value).toISOString() };
    }
    if (!isOfLength(schema, control.value)) {
      return { error: `Give ${bounds(schema)}` };
    }
    return { value: control.value };
  };
  return { field, element: field.labelled(control), read, isEmpty: () => control.value === '' };
}

function numberField(field, schema, isInteger) {
  const control = h('input', {
    ...field.attributes(),
    type: 'number',
    min: schema.minimum,
    max: schema.maximum,
    step: isInteger ? 1 : 'any',
    value: schema.default,
  });
  const read = () => {
    if (control.validity.badInput || !control.checkValidity()) {
      return { error: control.validationMessage };
    }
    if (control.value === '') {
      return field.empty();
    }
    const value = Number(control.value);
    return isInteger && !Number.isSafeInteger(value)
      ? { error: 'A browser would change so large an integer: call the tool by another client' }
      : { value };
  };
  const isEmpty = () => control.value === '' && !control.validity.badInput;
  return { field, element: field.labelled(control), read, isEmpty };
}

function booleanField(field, schema) {
  const control = h('input', {
    ...field.attributes(),
    required: null,
    type: 'checkbox',
    checked: schema.default === true,
  });
  field.control = control;
  const label = h('label', { for: field.id, class: 'check' }, control, ' ', field.title);
  return {
    field,
    element: h('div', { class: 'field' }, label, field.hint, field.error),
    read: () => ({ value: control.checked }),
    isEmpty: () => !control.checked,
  };
}

function choiceField(field, schema, from) {
  const options = from.map(({ value, title }, at) =>
    h('option', { value: at, selected: value === schema.default }, title),
  );
  const control = h(
    'select',
    field.attributes(),
    h('option', { value: '' }, field.required ? 'Choose…' : '—'),
    options,
  );
  const read = () => (control.value === '' ? field.empty() : { value: from[Number(control.value)].value });
  return { field, element: field.labelled(control), read, isEmpty: () => control.value === '' };
}

function severalField(field, schema, from) {
  const checked = new Set(Array.isArray(schema.default) ? schema.default : []);
  const boxes = from.map(({ value, title }) => {
    const box = h('input', { type: 'checkbox', checked: checked.has(value) });
    return { box, value, label: h('label', { class: 'check' }, box, ' ', title) };
  });
  const read = () => {
    const value = boxes.filter(({ box }) => box.checked).map((one) => one.value);
    if (schema.minItems !== undefined && value.length < schema.minItems && (field.required || value.length > 0)) {
      return { error: `Choose ${bounds(schema)}` };
    }
    if (schema.maxItems !== undefined && value.length > schema.maxItems) {
      return { error: `Choose ${bounds(schema)}` };
    }
    return value.length === 0 && !field.required ? { value: undefined } : { value };
  };
  const isEmpty = () => !boxes.some(({ box }) => box.checked);
  return { field, element: field.grouped(...boxes.map(({ label }) => label)), read, isEmpty };
}

/** A field for JSON, where no other field fits the schema. */
function jsonField(field, schema) {
  const control = h('textarea', {
    ...field.attributes(),
    rows: 4,
    spellcheck: 'false',
    class: 'code',
    placeholder: 'JSON',
  });
  if (schema.default !== undefined) {
    control.value = JSON.stringify(schema.default, null, 2);
  }
  const read = () => {
    if (control.value.trim() === '') {
      return field.empty();
    }
    try {
      const value = JSON.parse(control.value);
      return isExact(control.value)
        ? { value }
        : { error: 'A browser would change so large a number: call the tool by another client' };
    } catch (error) {
      return { error: `This is no JSON: ${error.message}` };
    }
  };
  return { field, element: field.labelled(control), read, isEmpty: () => control.value.trim() === '' };
}

function objectField(field, schema) {
  const members = fields(schema, field.path);
  const isEmpty = () => members.every((member) => member.isEmpty());
  const read = () => {
    if (!field.required && isEmpty()) {
      members.forEach((member) => member.field.refuse(null));
      return { value: undefined };
    }
    const { value, isGood } = readAll(members);
    return isGood ? { value } : { error: null };
  };
  return { field, members, element: field.grouped(...members.map(({ element }) => element)), read, isEmpty };
}

function fieldOf(path, name, schema, required) {
  const field = new Field(path, schema.title ?? name, schema, required);
  const from = choices(schema);
  if (from) {
    return choiceField(field, schema, from);
  }
  switch (typeOf(schema)) {
    case 'string':
      return textField(field, schema);
    case 'integer':
      return numberField(field, schema, true);
    case 'number':
      return numberField(field, schema, false);
    case 'boolean':
      // An optional value without a default may be absent: a checkbox cannot express that.
      return required || typeof schema.default === 'boolean'
        ? booleanField(field, schema)
        : choiceField(field, schema, YES_OR_NO);
    case 'array': {
      const each = choices(schema.items ?? {});
      return each ? severalField(field, schema, each) : jsonField(field, schema);
    }
    case 'object':
      return isPlain(schema) && path.length < 4 ? objectField(field, schema) : jsonField(field, schema);
    default:
      return jsonField(field, schema);
  }
}

/** The fields of an object. */
function fields(schema, path) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    ...fieldOf([...path, name], name, isObject(property) ? property : {}, required.has(name)),
  }));
}

/** Reads all fields, and shows the error of each. */
function readAll(all) {
  const value = {};
  let isGood = true;
  for (const one of all) {
    const read = one.read();
    one.field.refuse(read.error);
    if ('error' in read) {
      isGood = false;
    } else if (read.value !== undefined) {
      value[one.name] = read.value;
    }
  }
  return { value, isGood };
}

/** A field for a whole object as JSON, where fields for its members do not suffice. */
function wholeField(schema, values) {
  const field = new Field([], schema.title ?? 'Input', { description: 'A JSON object' }, false);
  return jsonField(field, { default: values });
}

function readWhole(whole) {
  const { value = {}, error = isObject(value) ? undefined : 'Give a JSON object' } = whole.read();
  whole.field.refuse(error);
  return { value, isGood: !error };
}

function focusFirst(element) {
  element.querySelector('[aria-invalid]')?.focus();
}

function find(all, path) {
  for (const one of all) {
    if (path.length > 0 && one.name === path[0]) {
      return (path.length > 1 && one.members && find(one.members, path.slice(1))) || one;
    }
  }
  return null;
}

/** What the server shows in place of a secret. */
const MASK = '***';

/** A schema whose defaults are the values of an earlier call, without those that are masked. */
function filled(schema, values) {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const value = values[name] === MASK ? undefined : values[name];
    const plain = isObject(property) ? property : {};
    return [name, { ...(isObject(value) ? filled(plain, value) : plain), default: value }];
  });
  return schema.properties ? { ...schema, properties: Object.fromEntries(properties) } : schema;
}

/**
 * A form for an object: its element and whether it has no fields, with functions to read it and to show a refusal of
 * the server. It shows the values of an earlier call, if there is one.
 */
export function schemaForm(schema, values) {
  const whole = isPlain(schema) ? null : wholeField(schema, values);
  const all = whole ? [] : fields(values ? filled(schema, values) : schema, []);
  const general = h('div', {});
  const element = h(
    'div',
    { class: 'fields' },
    whole ? whole.element : all.map((one) => one.element),
    general,
  );
  return {
    element,
    isEmpty: !whole && all.length === 0,
    read() {
      general.replaceChildren();
      const read = whole ? readWhole(whole) : readAll(all);
      if (!read.isGood) {
        focusFirst(element);
      }
      return read;
    },
    /** Shows a refusal, at the field that it names by a JSON pointer or in quotes. False if nothing was shown. */
    refused(message) {
      const pointer = /(?:^|[\s:])\/([^\s:]+)/.exec(message);
      const quoted = /required property '([^']+)'/.exec(message);
      const path = pointer?.[1].split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')) ?? [];
      const one = find(all, quoted ? [...path, quoted[1]] : path);
      if (one) {
        one.field.refuse(message.slice(message.lastIndexOf(': ') + 1).trim());
        focusFirst(element);
      } else {
        general.replaceChildren(problem(message));
      }
      return one !== null || element.isConnected;
    },
  };
}
