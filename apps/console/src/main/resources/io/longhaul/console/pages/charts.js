/** Small plots over time: an axis, a few lines, and their newest values in words. */

import { h, svg } from './dom.js';
import { clock, number } from './words.js';

const LEFT = 56;
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 20;

/** The next round number that is not less than value. */
function above(value) {
  if (!(value > 0)) {
    return 1;
  }
  const size = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * size).find((step) => step >= value);
}

/**
 * A plot of lines.
 *
 * @param series the lines, each with a name and points [time, value]; a value of null is a gap
 * @param top    the end of the axis; null to fit the values
 * @param steps  whether a value holds until the next one
 */
export function lineChart({ width, height, label, series, top = null, format = number, steps = false }) {
  const wide = Math.max(240, width || 600);
  const times = series.flatMap(({ points }) => points.map(([at]) => at));
  const first = Math.min(...times);
  const last = Math.max(...times, first + 1);
  const most = top ?? above(Math.max(0, ...series.flatMap(({ points }) => points.map(([, value]) => value ?? 0))));
  const x = (at) => LEFT + ((at - first) / (last - first)) * (wide - LEFT - RIGHT);
  const y = (value) => height - BOTTOM - (value / most) * (height - TOP - BOTTOM);
  const grid = [0, 0.5, 1].map((part) => [
    svg('line', { class: 'grid', x1: LEFT, x2: wide - RIGHT, y1: y(most * part), y2: y(most * part) }),
    svg('text', { class: 'tick', x: LEFT - 6, y: y(most * part) + 4, 'text-anchor': 'end' }, format(most * part)),
  ]);
  const ends = [
    svg('text', { class: 'tick', x: LEFT, y: height - 4 }, clock(first)),
    svg('text', { class: 'tick', x: wide - RIGHT, y: height - 4, 'text-anchor': 'end' }, clock(last)),
  ];
  const lines = series.map(({ points }, at) => {
    let d = '';
    let isDown = false;
    for (const [time, value] of points) {
      if (value === null || value === undefined) {
        isDown = false;
      } else {
        const [across, up] = [x(time).toFixed(1), y(value).toFixed(1)];
        d += !isDown ? `M${across} ${up}` : steps ? `H${across}V${up}` : `L${across} ${up}`;
        isDown = true;
      }
    }
    return svg('path', { class: `line line-${at}`, d });
  });
  return svg(
    'svg',
    { role: 'img', 'aria-label': label, viewBox: `0 0 ${wide} ${height}`, width: wide, height },
    ...grid.flat(),
    ...ends,
    ...lines,
  );
}

/** The legend of a plot: the name of each line, with its newest value. */
export function legend(series, format = number) {
  return h(
    'ul',
    { class: 'legend' },
    series.map(({ name, points }, at) => {
      const value = points.findLast(([, one]) => one !== null && one !== undefined)?.[1];
      const sample = svg(
        'svg',
        { width: 22, height: 8, 'aria-hidden': 'true' },
        svg('path', { class: `line line-${at}`, d: 'M1 4H21' }),
      );
      return h('li', {}, sample, name, ' ', h('strong', {}, value === undefined ? '–' : format(value)));
    }),
  );
}
