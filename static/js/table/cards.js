// A card's face, composed of the page's sprite: rank, suit, and a large suit or a court.

import { h, picture } from '../dom.js';
import { rankOf, suitOf } from '../i18n.js';
import { pips } from './pips.js';

const COURTS = { J: 'walad', Q: 'bint', K: 'shayeb' };
const MARKED = new Set(['7D', 'TD', '2C']);

/** Make the face of a card. It is a picture: what carries it has the name. */
export function face(card) {
  const suit = suitOf(card).toLowerCase();
  const court = COURTS[card[0]];
  return h('span', { class: `card suit-${suit}${court ? ' court' : ''}`, 'aria-hidden': 'true', data: { face: card, suit: suitOf(card) } },
    h('span', { class: 'rank' }, rankOf(card)),
    picture(`suit-${suit}`, 'pip'),
    court ? picture(`suit-${suit}`, 'pip far') : null,
    court ? picture(court, 'figure') : picture(`suit-${suit}`, 'big'),
    court ? null : pips(card, `suit-${suit}`),
    MARKED.has(card) ? h('span', { class: 'mark' }) : null);
}

/** Make a card's back. */
export const back = () => h('span', { class: 'back', 'aria-hidden': 'true' }, picture('back', 'weave'));

/** A card inside a line of text. */
export function inline(card, text) {
  return h('span', { class: `inline-card suit-${suitOf(card).toLowerCase()}`, dir: 'ltr' }, text);
}
