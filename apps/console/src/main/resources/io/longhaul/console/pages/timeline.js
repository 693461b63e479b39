/** The history of a task as a picture: attempts and questions as bars, steps and messages as marks. */

import { svg } from './dom.js';
import { clock, span } from './words.js';

const LEFT = 76;
const RIGHT = 12;
const ROW = 26;
const BAR = 14;
const TOP = 6;

/** Bars from each event of type begins to the next event that ends it. */
function bars(events, begins, ends, until, key = () => '') {
  const open = new Map();
  const done = [];
  for (const event of events) {
    if (event.type === begins) {
      open.set(key(event), event);
    } else if (ends.includes(event.type)) {
      for (const [name, begun] of open) {
        if (event.type !== 'answered' || name === key(event)) {
          done.push({ from: begun.at, to: event.at, event: begun, end: event.type });
          open.delete(name);
        }
      }
    }
  }
  for (const begun of open.values()) {
    done.push({ from: begun.at, to: until, event: begun, end: null });
  }
  return done;
}

function count(all, name) {
  return `${all.length} ${name}${all.length === 1 ? '' : 's'}`;
}

function marks(events, types) {
  return events.filter(({ type }) => types.includes(type));
}

export function timeline(events, created, until, status, width) {
  const wide = Math.max(240, width || 600);
  const last = Math.max(until, created + 1);
  const x = (at) =>
    LEFT + ((Math.min(last, Math.max(created, at)) - created) / (last - created)) * (wide - LEFT - RIGHT);
  const isLive = ['submitted', 'working', 'input_required'].includes(status);
  const attempts = bars(events, 'started', ['started', 'crashed', 'handed_back', 'ended'], until);
  const questions = bars(events, 'asked', ['answered', 'ended'], until, (event) => event.key);
  const steps = marks(events, ['step']);
  const said = marks(events, ['log', 'output', 'status', 'progress']);
  const lanes = [
    { name: 'Attempts', bars: attempts, style: 'attempt' },
    questions.length > 0 && { name: 'Questions', bars: questions, style: 'wait' },
    steps.length > 0 && { name: 'Steps', marks: steps, style: 'step' },
    said.length > 0 && { name: 'Messages', marks: said, style: 'said' },
  ].filter(Boolean);
  const height = TOP + lanes.length * ROW + 22;
  const drawn = lanes.flatMap((lane, row) => {
    const y = TOP + row * ROW;
    const rail = svg('line', { class: 'grid', x1: LEFT, x2: wide - RIGHT, y1: y + ROW / 2, y2: y + ROW / 2 });
    const name = svg('text', { class: 'tick', x: 0, y: y + ROW / 2 + 4 }, lane.name);
    const shapes = (lane.bars ?? []).map(({ from, to, end }) =>
      svg(
        'rect',
        {
          class: `bar ${lane.style}${end === 'crashed' ? ' crashed' : ''}${end === null ? ' open' : ''}`,
          x: x(from),
          y: y + (ROW - BAR) / 2,
          width: Math.max(2, x(to) - x(from)),
          height: BAR,
          rx: 3,
        },
        svg('title', {}, `${clock(from)}, ${span(to - from)}`),
      ),
    );
    const dots = thinned(lane.marks ?? [], x).map((event) =>
      svg(
        'circle',
        {
          class: `dot ${lane.style} ${event.type}`,
          cx: x(event.at),
          cy: y + ROW / 2,
          r: lane.style === 'step' ? 5 : 3,
        },
        svg('title', {}, `${clock(event.at)} ${event.name ?? event.type}`),
      ),
    );
    return [rail, name, ...shapes, ...dots];
  });
  const end = isLive
    ? []
    : [
        svg('line', {
          class: `end ${status}`,
          x1: wide - RIGHT,
          x2: wide - RIGHT,
          y1: TOP,
          y2: TOP + lanes.length * ROW,
        }),
      ];
  const ticks = [
    svg('text', { class: 'tick', x: LEFT, y: height - 4 }, clock(created)),
    svg(
      'text',
      { class: 'tick', x: wide - RIGHT, y: height - 4, 'text-anchor': 'end' },
      isLive ? `now, after ${span(last - created)}` : `${clock(last)}, after ${span(last - created)}`,
    ),
  ];
  const counts = [count(attempts, 'attempt'), count(questions, 'question'), count(steps, 'step')].join(', ');
  const label = `${counts} in ${span(last - created)}`;
  return svg(
    'svg',
    { role: 'img', 'aria-label': label, viewBox: `0 0 ${wide} ${height}`, width: wide, height },
    ...drawn,
    ...end,
    ...ticks,
  );
}

/** At most one mark for each few pixels: more would overlap. */
function thinned(events, x) {
  const seen = new Set();
  return events.filter((event) => {
    const place = Math.round(x(event.at) / 4);
    const isNew = !seen.has(place);
    seen.add(place);
    return isNew;
  });
}
