/** The page of figures: the load and the throughput of the server. */

import { legend, lineChart } from './charts.js';
import { h, section } from './dom.js';
import { known, stream } from './events.js';
import { number, span } from './words.js';

const MINUTES = 15;

const TILES = [
  ['working', 'Working'],
  ['queue', 'Waiting for a slot'],
  ['questions', 'Open questions'],
  ['slotsTaken', 'Slots taken', (sample) => `of ${number(sample.slots)}`],
  ['sessions', 'Sessions'],
  ['connections', 'Connections'],
  ['streams', 'Streams'],
];

function points(samples, value) {
  return samples.map((sample, at) => [sample.at, value(sample, samples[at - 1])]);
}

/** The rate per second since the previous sample. */
function rate(name) {
  return (sample, before) => (before ? (sample[name] / Math.max(1, sample.at - before.at)) * 1000 : null);
}

function rates(samples, ...names) {
  return names.map(([name, title]) => ({ name: title, points: points(samples, rate(name)) }));
}

function values(samples, ...names) {
  return names.map(([name, title]) => ({ name: title, points: points(samples, (sample) => sample[name] ?? null) }));
}

const PLOTS = [
  {
    title: 'Throughput, tasks per second',
    series: (samples) =>
      rates(
        samples,
        ['created', 'created'],
        ['completed', 'completed'],
        ['failed', 'failed'],
        ['cancelled', 'cancelled'],
        ['declined', 'declined'],
      ),
  },
  {
    title: 'Time from creation to end of a task',
    series: (samples) => values(samples, ['taskMedian', 'median'], ['taskMost', '95 of 100']),
    format: span,
  },
  {
    title: 'Tasks at work',
    series: (samples) =>
      values(samples, ['working', 'working'], ['queue', 'waiting for a slot'], ['input_required', 'need an answer']),
  },
  {
    title: 'Calls without a task, and refusals, per second',
    series: (samples) => rates(samples, ['calls', 'calls'], ['refused', 'refused']),
  },
  {
    title: 'Time of a call without a task',
    series: (samples) => values(samples, ['callMedian', 'median'], ['callMost', '95 of 100']),
    format: span,
  },
];

/** The columns of the table of servers behind this one. */
const BEHIND = [
  ['Server', (it) => it.name],
  ['State', (it) => (it.held.length > 0 ? `${it.state}, changes held back: ${it.held.join(', ')}` : it.state)],
  ['Version', (it) => it.version],
  ['Tools', (it) => number(it.tools), 'figure'],
  ['Under way', (it) => number(it.underWay), 'figure'],
  ['Waiting', (it) => number(it.waiting), 'figure'],
  ['Calls', (it) => number(it.calls), 'figure'],
  ['Errors', (it) => number(it.errors), 'figure'],
  ['Median', (it) => span(it.p50), 'figure'],
  ['99 of 100', (it) => span(it.p99), 'figure'],
];

export function figuresPage({ main, signal }) {
  document.title = 'Figures – Longhaul console';
  const tiles = h('dl', { class: 'tiles' });
  const plots = PLOTS.map((plot) => {
    const words = h('div', {});
    const picture = h('div', { class: 'chart' });
    const panel = section(plot.title, words, picture);
    return { ...plot, words, picture, panel };
  });
  const body = h('tbody', {});
  const table = h(
    'table',
    {},
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        ['Tool', 'Working', 'Waiting for a slot', 'Need an answer', 'Open questions'].map((name, at) =>
          h('th', { scope: 'col', class: at > 0 ? 'figure' : null }, name),
        ),
      ),
    ),
    body,
  );
  const behind = h('tbody', {});
  const servers = section(
    'Servers behind',
    h(
      'div',
      { class: 'scroll', role: 'region', 'aria-label': 'Table of servers', tabindex: '0' },
      h(
        'table',
        {},
        h('thead', {}, h('tr', {}, BEHIND.map(([name, , figure]) => h('th', { scope: 'col', class: figure }, name)))),
        behind,
      ),
    ),
  );
  const note = h('p', { class: 'note' });
  main.replaceChildren(
    h('div', { class: 'heading' }, h('h1', {}, 'Figures')),
    note,
    tiles,
    h(
      'div',
      { class: 'plots' },
      plots.map(({ panel }) => panel),
    ),
    section(
      'By tool',
      h('div', { class: 'scroll', role: 'region', 'aria-label': 'Table of tools', tabindex: '0' }, table),
    ),
    servers,
  );

  function draw() {
    const { samples } = known;
    if (known.owner !== null && !known.operator) {
      note.textContent =
        'Figures of the whole server are for operators: they need the scope tasks:admin, or the token of the console.';
      return;
    }
    const now = samples.at(-1);
    if (!now) {
      note.textContent = 'The first sample comes within two seconds.';
      return;
    }
    note.textContent = `One sample every two seconds, for ${MINUTES} minutes, in the memory of the server.`;
    tiles.replaceChildren(
      ...TILES.map(([name, title, more]) =>
        h('div', {}, h('dt', {}, title), h('dd', {}, number(now[name]), more ? h('small', {}, ` ${more(now)}`) : null)),
      ),
    );
    for (const { series, format, words, picture, title } of plots) {
      const lines = series(samples);
      words.replaceChildren(legend(lines, format));
      picture.replaceChildren(
        lineChart({
          width: picture.clientWidth,
          height: 150,
          label: `${title}: see the figures above`,
          series: lines,
          format,
        }),
      );
    }
    servers.hidden = !now.upstreams?.length;
    behind.replaceChildren(
      ...(now.upstreams ?? []).map((it) =>
        h(
          'tr',
          {},
          BEHIND.map(([, value, figure], at) =>
            at > 0 ? h('td', { class: figure, title: it.why }, value(it)) : h('th', { scope: 'row' }, value(it)),
          ),
        ),
      ),
    );
    body.replaceChildren(
      ...now.tools.map((tool) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, tool.tool),
          [tool.working, tool.queue, tool.input_required, tool.questions].map((value) =>
            h('td', { class: 'figure' }, number(value ?? 0)),
          ),
        ),
      ),
    );
  }

  draw();
  stream.addEventListener('figures', draw, { signal });
  stream.addEventListener('hello', draw, { signal });
  addEventListener('resize', draw, { signal });
}
