// Moves cards from where they were to where the new state has put them. The state is already true when a flight
// starts, and a new state ends every flight: nothing waits for it.

import { h, picture } from '../dom.js';
import { t } from '../i18n.js';
import { face } from './cards.js';

const FLIGHT_MS = 220;
const GATHER_MS = 240;
const DEAL_MS = 160;
const STAGGER_MS = 50;
const BURST_MS = 700;
const EASE = 'cubic-bezier(.2,.8,.2,1)';

const stillWanted = () => document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches;

/** From one rectangle to another, as a transform of what lies at the second. */
function shift(from, to) {
  const scale = to.width ? from.width / to.width : 1;
  return `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${scale})`;
}

export class Flip {
  #layer;
  #faces;
  #places;
  #onIdle;
  #running = new Set();

  /** `faces()` gives card -> face node, `places` the rectangles of seats, piles and the pack. */
  constructor({ layer, faces, places, onIdle }) {
    this.#layer = layer;
    this.#faces = faces;
    this.#places = places;
    this.#onIdle = onIdle;
  }

  get busy() {
    return this.#running.size > 0;
  }

  /** Remember where every card is before the state changes. */
  measure() {
    this.finish();
    const rects = new Map();
    for (const [card, node] of this.#faces()) {
      if (node.isConnected) rects.set(card, node.getBoundingClientRect());
    }
    return rects;
  }

  /** Fly everything that these events moved. */
  run(before, events) {
    if (stillWanted()) return;
    const flown = new Set();
    for (const event of events) {
      if (event.type === 'played') this.#played(event, before, flown);
      if (event.type === 'dealt') this.#dealt(event, before);
    }
  }

  finish() {
    for (const animation of [...this.#running]) animation.finish();
    this.#running.clear();
    this.#layer.replaceChildren();
  }

  #played(event, before, flown) {
    const from = before.get(event.card) || this.#places.seat(event.seat);
    if (!event.captured.length) {
      const node = this.#faces().get(event.card);
      if (node && node.isConnected && from) this.#fly(node, [{ transform: shift(from, node.getBoundingClientRect()) }, {}], FLIGHT_MS);
      return;
    }
    const first = before.get(event.captured[0]) || from;
    const pile = this.#places.pile(event.seat);
    if (!first || !pile) return;
    for (const card of event.captured) {
      const lay = before.get(card);
      if (lay && !flown.has(card)) this.#gather(card, lay, lay, pile);
      flown.add(card);
    }
    this.#gather(event.card, from || first, first, pile);
    if (event.basra) this.#burst(event);
  }

  /** A copy goes from one place over a second to the pile; the card itself has left the table already. */
  #gather(card, from, over, pile) {
    const ghost = face(card);
    ghost.classList.add('ghost');
    ghost.style.setProperty('left', `${over.left}px`);
    ghost.style.setProperty('top', `${over.top}px`);
    ghost.style.setProperty('--card-w', `${over.width}px`);
    this.#layer.append(ghost);
    const total = FLIGHT_MS + GATHER_MS + 80;
    this.#fly(ghost, [
      { transform: shift(from, over), easing: EASE },
      { transform: 'none', offset: FLIGHT_MS / total, easing: 'linear' },
      { transform: 'none', offset: (FLIGHT_MS + 80) / total, easing: EASE },
      { transform: shift(pile, over), opacity: 0.4 },
    ], total, () => ghost.remove());
  }

  #dealt(event, before) {
    const pack = this.#places.pack();
    const cards = [...(event.hand || []), ...(event.floor || [])];
    cards.forEach((card, index) => {
      const node = this.#faces().get(card);
      if (!node || !node.isConnected || before.has(card) || !pack) return;
      const frames = [{ transform: shift(pack, node.getBoundingClientRect()), opacity: 0 }, { opacity: 1 }];
      this.#fly(node, frames, DEAL_MS, null, index * STAGGER_MS);
    });
  }

  #burst(event) {
    const word = h('div', { class: 'burst' },
      picture('star', 'burst-star'),
      h('strong', {}, t('table.burst')),
      h('span', {}, t('table.burst_points', { points: event.basra })));
    this.#layer.append(word);
    this.#fly(word, [
      { transform: 'scale(.6)', opacity: 0 },
      { transform: 'scale(1)', opacity: 1, offset: 0.25 },
      { transform: 'scale(1)', opacity: 1, offset: 0.8 },
      { transform: 'scale(1.05)', opacity: 0 },
    ], BURST_MS, () => word.remove(), FLIGHT_MS);
  }

  #fly(node, frames, duration, after = null, delay = 0) {
    const animation = node.animate(frames, { duration, delay, easing: EASE, fill: 'backwards' });
    this.#running.add(animation);
    animation.onfinish = () => {
      if (after) after();
      this.#running.delete(animation);
      if (!this.busy) this.#onIdle();
    };
  }
}
