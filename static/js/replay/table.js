// The table of a replay: the parts of the live one, told a position. Nothing can be played here; hands may lie open.

import { h, keyed, setAttr, setData, setText } from '../dom.js';
import { cardName, t } from '../i18n.js';
import { face } from '../table/cards.js';
import { Flip } from '../table/flip.js';
import { Floor } from '../table/floor.js';
import { Moments } from '../table/moments.js';
import { othersInOrder, placeAt } from '../table/places.js';
import { rectsOf } from '../table/rects.js';
import { Banner, Opponent, Pile, Score } from '../table/seats.js';
import { handSlots } from '../table/slots.js';
import { nameOf } from '../table/words.js';
import { statusText } from './words.js';

/** The cards of one seat, face up. */
class OpenHand {
  constructor(seat, className, faceOf) {
    this.seat = seat;
    this.faceOf = faceOf;
    this.node = h('ul', { class: className, data: { seat } });
  }

  update({ hands, dealt }, name) {
    const hand = hands[this.seat];
    const slots = handSlots(dealt[this.seat], hand);
    setAttr(this.node, 'aria-label', t('replay.hand_of', { name }));
    const nodes = keyed(this.node, hand, (card) => h('li', {
      class: 'hand-card', data: { testid: 'shown-card', card, seat: this.seat },
    }, h('span', { class: 'hidden' }, cardName(card))));
    nodes.forEach((node, index) => {
      const shown = this.faceOf(hand[index]);
      if (shown.parentNode !== node) node.append(shown);
      setData(node, 'slot', slots[index]);
    });
  }
}

export class ReplayTable {
  #faces = new Map();
  #open;
  #near;

  /** `seat` is the near one; with `open` all hands lie open, else only that one's. */
  constructor(view, seat, open) {
    const faceOf = (card) => {
      if (!this.#faces.has(card)) this.#faces.set(card, face(card));
      return this.#faces.get(card);
    };
    this.#open = open;
    this.#near = seat;
    const count = view.seats.length;
    this.opponents = othersInOrder(count, seat).map((one) => new Opponent(one, view));
    this.hands = open ? this.opponents.map((one) => new OpenHand(one.seat, 'faces', faceOf)) : [];
    this.hands.forEach((hand, index) => this.opponents[index].backs.after(hand.node));
    this.hand = new OpenHand(seat, 'hand', faceOf);
    this.banner = new Banner();
    this.floor = new Floor(faceOf);
    this.name = h('bdi', { class: 'near-name' });
    this.status = h('span', { class: 'small', data: { testid: 'status' } });
    this.layer = h('div', { class: 'fx', 'aria-hidden': 'true' });
    this.node = h('div', { class: 'board', dir: 'ltr', data: { open } },
      h('div', { class: 'opponents' }, ...this.opponents.map(({ node }) => node)), this.banner.node, this.floor.node,
      this.#sums(view, seat), this.hand.node, this.layer);
    this.flip = new Flip({ layer: this.layer, faces: () => this.#faces, onIdle: () => this.#showBusy() });
    const seatNode = (one) => (one === seat ? this.hand.node : this.#backsOf(one));
    this.moments = new Moments({ flip: this.flip, places: rectsOf({ node: this.node, banner: this.banner.node, floor: this.floor.node, seatNode }) });
  }

  /** What the near side has, and with four seats the other side too, as on the live table. */
  #sums(view, seat) {
    const four = view.seats.length === 4;
    const side = seat % 2;
    const ours = [new Score(side), new Pile(side)];
    const theirs = four ? [new Pile(1 - side), new Score(1 - side)] : [];
    this.parts = [...ours, ...theirs];
    const nodes = this.parts.map(({ node }) => node);
    const atStart = four ? 2 : 1;
    return h('div', { class: 'actions' }, h('div', { class: 'side' }, ...nodes.slice(0, atStart)),
      h('div', { class: 'middle near' }, this.name, this.status), h('div', { class: 'side' }, ...nodes.slice(atStart)));
  }

  #backsOf(seat) {
    const at = this.opponents.findIndex((one) => one.seat === seat);
    return this.#open ? this.hands[at].node : this.opponents[at].backs;
  }

  /** Show a position; `moved` is "on" or "back" where it is the neighbour of the one before, else null. */
  update({ position, view, events }, moved, former) {
    const before = moved ? this.flip.measure() : null;
    if (!moved) this.flip.finish();
    this.#draw(position, view, events);
    if (moved === 'on') this.moments.run(before, [this.#shown(position, view)]);
    if (moved === 'back' && former.event.type === 'played') this.moments.back(before, former.event);
    this.#showBusy();
  }

  /** A deal as it is seen here: with the hands that lie open. */
  #shown({ event }, view) {
    if (event.type !== 'dealt') return event;
    const hand = this.#open ? event.hands.flat() : event.hands[this.#near];
    return { ...event, hand, deals: view.round.deals };
  }

  #draw(position, view, events) {
    // Nobody thinks here: who is next is marked, and nothing is said of it.
    const still = { ...view, to_act: null };
    const due = view.to_act === null ? null : view.to_act;
    for (const one of this.opponents) {
      one.update(still);
      setData(one.node, 'acts', one.seat === due);
      setData(one.node, 'place', placeAt(view.seats.length, this.#near, one.seat));
    }
    this.hands.forEach((hand) => hand.update(position, nameOf(view.seats, hand.seat)));
    this.hand.update(position, this.#nameOfNear(view));
    this.banner.update(view);
    this.floor.update({ match: view, slots: position.slots, log: events, pending: null }, null);
    for (const part of this.parts) part.update(view);
    setText(this.name, this.#nameOfNear(view));
    setText(this.status, statusText(view, position));
  }

  #nameOfNear(view) {
    return view.you && view.you.seat === this.#near ? t('table.you') : nameOf(view.seats, this.#near);
  }

  #showBusy() {
    setData(this.node, 'busy', this.flip.busy);
  }

  destroy() {
    this.flip.finish();
  }
}
