// The moments of a match, one choreography each: deal, play, catch, sweep, komi, basra, last deal, the leftovers. All are
// only pictures of what has happened already.

import { h, picture } from '../dom.js';
import { t } from '../i18n.js';
import { moves } from '../settings.js';
import { EASE, shift } from './flip.js';

export const MS = {
  flight: 220, gather: 160, pile: 240, sweep: 300, komi: 350, basra: 700, basraGrows: 180,
  deal: 160, stagger: 50, dealAtMost: 900, note: 900, leftover: 420, back: 260,
};
const KOMI = '7D';

/** How long a play is on its way before the next event's pictures begin. */
export function lengthOf(event) {
  if (event.type === 'played') return event.captured.length ? MS.flight + MS.gather + MS.pile : MS.flight;
  if (event.type === 'round_scored') return event.sheet.leftover.length ? MS.leftover : 0;
  return 0;
}

/** The pause between two dealt cards: fewer milliseconds the more cards there are. */
export const staggerOf = (cards) => Math.min(MS.stagger, (MS.dealAtMost - MS.deal) / Math.max(1, cards - 1));

export class Moments {
  #flip;
  #places;

  /** `places` gives the rectangles of seats, piles and the pack. */
  constructor({ flip, places }) {
    this.#flip = flip;
    this.#places = places;
  }

  /** Show everything that these events moved, one after the other, the first after `wait_ms`; gives when all is done. */
  run(before, events, wait_ms = 0) {
    if (!moves()) return 0;
    const lay = new Map(before); // where a card was last seen
    let at = wait_ms;
    for (const event of events) {
      if (event.type === 'played') this.#played(event, lay, at);
      if (event.type === 'dealt') this.#dealt(event, before, at);
      if (event.type === 'round_scored') this.#leftovers(event.sheet, lay, at);
      at += lengthOf(event);
    }
    return at;
  }

  #played(event, lay, at) {
    const from = lay.get(event.card) || this.#places.seat(event.seat);
    if (event.captured.length) this.#caught(event, lay, from, at);
    else this.#laid(event.card, lay, from, at);
  }

  #laid(card, lay, from, at) {
    const node = this.#flip.faceOf(card);
    if (!node || !from) return;
    const to = node.getBoundingClientRect();
    this.#flip.fly(node, [{ transform: shift(from, to) }, { transform: 'none' }], { duration: MS.flight, delay: at });
    lay.set(card, to);
  }

  /** A move that was shown is not made: its card flies back into the hand, what it took to its places. */
  back(before, { seat, card, captured }) {
    if (!moves()) return;
    for (const one of [card, ...captured]) {
      const node = this.#flip.faceOf(one);
      const from = before.get(one) || this.#places.pile(seat);
      if (!node || !from) continue;
      const frames = [{ transform: shift(from, node.getBoundingClientRect()) }, { transform: 'none' }];
      this.#flip.fly(node, frames, { duration: MS.back });
    }
  }

  /** The played card flies over its catch; then all go together to the pile. A sweep slides off as one. */
  #caught(event, lay, from, at) {
    const pile = this.#places.pile(event.seat);
    const first = lay.get(event.captured[0]) || from;
    if (!first || !pile) return;
    const sweep = event.captured.length > 1 && (event.card[0] === 'J' || event.card === KOMI);
    const gather = sweep ? 0 : MS.gather;
    const leave = sweep ? MS.sweep : MS.pile;
    const timing = { duration: MS.flight + gather + leave, delay: at };
    for (const card of event.captured) {
      const place = lay.get(card) || first;
      const meet = sweep ? 'none' : shift(first, place);
      this.#flip.flyCopy(this.#flip.ghost(card, place), this.#way('none', meet, shift(pile, place), timing.duration, gather), timing);
    }
    const own = this.#flip.ghost(event.card, first);
    if (event.card === KOMI) this.#rim(own, at);
    this.#flip.flyCopy(own, this.#way(shift(from || first, first), 'none', shift(pile, first), timing.duration, gather), timing);
    if (event.basra) this.#burst(event, at);
  }

  /** Start, where the played card lands, where all meet, the pile. */
  #way(start, meet, goal, total, gather) {
    const landed = start === 'none' ? 'none' : meet;
    return [
      { transform: start, opacity: 1, easing: EASE },
      { transform: landed, opacity: 1, offset: MS.flight / total, easing: EASE },
      { transform: meet, opacity: 1, offset: (MS.flight + gather) / total, easing: EASE },
      { transform: goal, opacity: 0.5 },
    ];
  }

  #rim(ghost, at) {
    const rim = h('span', { class: 'komi-rim' });
    ghost.append(rim);
    this.#flip.fly(rim, [{ opacity: 0, transform: 'scale(1.25)' }, { opacity: 1, transform: 'none', offset: 0.4 }, { opacity: 1 }],
      { duration: MS.komi, delay: at + MS.flight / 2 });
  }

  #dealt(event, before, at) {
    const pack = this.#places.pack();
    if (!pack) return;
    const cards = [...(event.hand || []), ...(event.floor || [])].filter((card) => !before.has(card));
    const pause = staggerOf(cards.length);
    const nodes = cards.map((card) => this.#flip.faceOf(card));
    // Look at all of them before the first one moves: a flight that has begun makes the next look dear.
    const places = nodes.map((node) => node && node.getBoundingClientRect());
    nodes.forEach((node, index) => {
      if (!node) return;
      const frames = [{ transform: shift(pack, places[index]), opacity: 0 }, { opacity: 1, offset: 0.3 }, { transform: 'none', opacity: 1 }];
      this.#flip.fly(node, frames, { duration: MS.deal, delay: at + index * pause });
    });
    if (event.deal > 1 && event.deal === event.deals) this.#lastDeal(at);
  }

  #lastDeal(at) {
    const note = h('div', { class: 'moment-note' }, h('span', { dir: 'auto' }, t('table.last_deal')));
    this.#overFloor(note);
    this.#flip.flyCopy(note, [
      { opacity: 0, transform: 'translateY(8px)' }, { opacity: 1, transform: 'none', offset: 0.2 },
      { opacity: 1, transform: 'none', offset: 0.75 }, { opacity: 0, transform: 'none' },
    ], { duration: MS.note, delay: at });
  }

  #overFloor(node) {
    for (const [side, length] of Object.entries(this.#places.floor())) node.style.setProperty(side, `${length}px`);
  }

  /** What nobody took goes to the side that took last. */
  #leftovers({ leftover, leftover_side: side }, lay, at) {
    const pile = side === null ? null : this.#places.pile(side);
    if (!pile) return;
    for (const card of leftover) {
      const place = lay.get(card);
      if (!place) continue;
      this.#flip.flyCopy(this.#flip.ghost(card, place), [
        { transform: 'none', opacity: 1 }, { transform: 'none', opacity: 1, offset: 0.35 }, { transform: shift(pile, place), opacity: 0.5 },
      ], { duration: MS.leftover, delay: at });
    }
  }

  /** The star bursts, the word stands on it. It lies over the cards without catching a tap. */
  #burst(event, at) {
    const mine = picture('star', 'burst-star');
    const word = h('div', { class: 'burst' }, mine,
      h('strong', { dir: 'auto' }, t('table.burst')), h('span', { dir: 'auto' }, t('table.burst_points', { points: event.basra })));
    this.#overFloor(word);
    const { basra: duration, basraGrows } = MS;
    const grown = basraGrows / duration;
    this.#flip.fly(mine, [{ transform: 'rotate(-22deg) scale(.4)' }, { transform: 'none', offset: grown + 0.1 }, { transform: 'rotate(4deg)' }],
      { duration, delay: at + MS.flight });
    this.#flip.flyCopy(word, [
      { transform: 'scale(.6)', opacity: 0 },
      { transform: 'scale(1)', opacity: 1, offset: grown },
      { transform: 'scale(1)', opacity: 1, offset: 0.8 },
      { transform: 'scale(1.05)', opacity: 0 },
    ], { duration, delay: at + MS.flight });
  }
}
