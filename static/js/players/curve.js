// A rating over its last matches: a curve for the eye, a table for everybody.

import { h } from '../dom.js';
import { t } from '../i18n.js';
import { momentText, ratingValue, signed } from './words.js';

const SVG = 'http://www.w3.org/2000/svg';
const [WIDTH, HEIGHT, PAD] = [320, 96, 8];

/** The values in the order of time, the one before the first change included. */
export function valuesOf(changes) {
  const inOrder = [...changes].reverse();
  return inOrder.length ? [inOrder[0].value - inOrder[0].delta, ...inOrder.map(({ value }) => value)] : [];
}

/** Where the values stand in the picture: "x,y x,y …". */
export function pointsOf(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (index) => PAD + (index * (WIDTH - 2 * PAD)) / Math.max(1, values.length - 1);
  const y = (value) => HEIGHT - PAD - ((value - low) * (HEIGHT - 2 * PAD)) / Math.max(1, high - low);
  return values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
}

function shape(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

/** Draw the curve; null where there is nothing to draw yet. */
export function ratingCurve(changes) {
  const values = valuesOf(changes);
  if (values.length < 2) return null;
  const label = t('profile.curve', { count: changes.length, from: ratingValue(values[0]), to: ratingValue(values[values.length - 1]) });
  const svg = shape('svg', { class: 'curve', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': label, preserveAspectRatio: 'none' });
  const points = pointsOf(values);
  svg.append(
    shape('polygon', { class: 'curve-area', points: `${PAD},${HEIGHT - PAD} ${points} ${WIDTH - PAD},${HEIGHT - PAD}` }),
    shape('polyline', { class: 'curve-line', points, 'vector-effect': 'non-scaling-stroke' }));
  return h('div', { class: 'curve-box', data: { testid: 'curve' } },
    h('span', { class: 'curve-high small', 'aria-hidden': 'true' }, ratingValue(Math.max(...values))), svg,
    h('span', { class: 'curve-low small', 'aria-hidden': 'true' }, ratingValue(Math.min(...values))), changesTable(changes));
}

function changesTable(changes) {
  const rows = changes.map(({ at, delta, value, match }) => {
    const when = momentText(at);
    return h('tr', {}, h('th', { scope: 'row' }, match ? h('a', { href: `/replay/${match}` }, when) : when),
      h('td', {}, h('bdi', {}, signed(delta))), h('td', {}, ratingValue(value)));
  });
  const head = ['profile.when', 'profile.change', 'players.rating'].map((key) => h('th', { scope: 'col' }, t(key)));
  return h('details', { class: 'changes' }, h('summary', {}, t('profile.changes')),
    h('table', {}, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...rows)));
}
