// The floor: fixed places, the cards on them, and the signs of what a lifted card would take.

import { h, keyed, picture, setAttr, setData, setText } from '../dom.js';
import { cardName, t } from '../i18n.js';
import { SLOTS } from './slots.js';
import { cutShort, playShort } from './words.js';

export class Floor {
  #faceOf;

  constructor(faceOf) {
    this.#faceOf = faceOf;
    this.places = h('div', { class: 'places', 'aria-hidden': 'true' },
      ...Array.from({ length: SLOTS }, (_, slot) => h('span', { class: 'place', data: { slot } })));
    this.cards = h('ul', { class: 'cards' });
    this.last = h('p', { class: 'last-play', data: { testid: 'last-play' } });
    this.node = h('div', { class: 'floor', role: 'group', 'aria-label': t('table.floor'), data: { testid: 'floor' } },
      picture('star', 'felt-star'), h('div', { class: 'grid' }, this.places, this.cards), this.last);
  }

  update(state, preview) {
    const { match, slots, log, pending } = state;
    const inOrder = [...match.round.floor].sort((a, b) => slots[a] - slots[b]);
    const nodes = keyed(this.cards, inOrder, (card) => this.#make(card));
    nodes.forEach((node, index) => {
      this.#mark(node, inOrder[index], slots, preview);
      setData(node, 'pending', pending?.card === inOrder[index]);
    });
    this.#showLast(match, log);
  }

  #make(card) {
    return h('li', { class: 'floor-card', data: { testid: 'floor-card', card } },
      h('span', { class: 'hidden' }, cardName(card)), h('span', { class: 'badge', 'aria-hidden': 'true' }));
  }

  #mark(node, card, slots, preview) {
    const face = this.#faceOf(card);
    if (face.parentNode !== node) node.append(face);
    const caught = Boolean(preview && preview.takes.includes(card));
    setData(node, 'slot', slots[card]);
    setData(node, 'caught', caught);
    setData(node, 'basra', caught && preview.basra > 0);
    setText(node.querySelector('.badge'), caught ? preview.badges[card] : '');
  }

  /** The last play; before a round's first one, the cut, unless it was nobody's. */
  #showLast(match, log) {
    const cut = cutToTell(log);
    const event = cut || match.last_play;
    setData(this.last, 'turn', match.last_play ? match.last_play.turn : null);
    setData(this.last, 'by', event ? event.by : null);
    setAttr(this.last, 'hidden', !event);
    if (!event) return;
    const { who, what } = cut ? cutShort(match, cut) : playShort(match, event);
    const key = `${event.turn} ${who} ${what}`;
    if (this.last.dataset.said === key) return;
    setData(this.last, 'said', key);
    this.last.replaceChildren(h('bdi', { class: 'name' }, who), h('span', {}, what));
    setData(this.last, 'basra', event.basra > 0);
  }
}

function cutToTell(log) {
  const last = [...log].reverse().find(({ type }) => type === 'cut' || type === 'played');
  return last && last.type === 'cut' && last.by !== 'auto' ? last : null;
}
