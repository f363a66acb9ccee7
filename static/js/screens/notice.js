// What a screen shows in its own place until it has what it is about, or when it cannot have it.

import { h } from '../dom.js';
import { back } from '../table/cards.js';

/** A title, a line, and the ways on: nodes. */
export function notice({ title, text, testid = 'notice' }, ...ways) {
  return h('div', { class: 'trouble-page', data: { testid } },
    h('span', { class: 'lone-cards' }, back(), back(), back()),
    h('h2', { class: 'display' }, title), text ? h('p', {}, text) : null, ...ways);
}
