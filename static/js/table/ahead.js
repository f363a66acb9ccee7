// My move in flight, shown as made before the server has said so. It is the catch that the view offered, never a guess
// at what follows from it: no deal, no turn, no score sheet comes before its news.

import { afterEvent } from './slots.js';

/** The event that my move in flight will be, or null: also while it waits for the line, and lies in my hand again. */
export function moveAhead({ match, pending }) {
  if (!pending || pending.kept || !match.you || !match.you.hand.includes(pending.card)) return null;
  const { turn, card, capture, basra } = pending;
  return { type: 'played', turn, seat: match.you.seat, card, captured: capture, basra };
}

/** Give the state as the eye shall see it: with my move in flight made. */
export function withAhead(state, event = moveAhead(state)) {
  if (!event) return state;
  const { match, slots } = state;
  const { card, captured, basra } = event;
  const { floor, piles, basras } = match.round;
  const mine = (each, change) => each.map((one, side) => (side === match.you.side ? change(one) : one));
  const round = {
    ...match.round,
    floor: captured.length ? floor.filter((one) => !captured.includes(one)) : [...floor, card],
    piles: captured.length ? mine(piles, (cards) => cards + captured.length + 1) : piles,
    basras: basra ? mine(basras, (all) => [...all, { card, points: basra }]) : basras,
  };
  const you = { ...match.you, hand: match.you.hand.filter((one) => one !== card), plays: match.you.plays.filter((play) => play.card !== card) };
  return { ...state, slots: afterEvent(slots, event), match: { ...match, round, you } };
}

const isSame = (one, other) => one.turn === other.turn && one.card === other.card
  && one.captured.length === other.captured.length && one.captured.every((card) => other.captured.includes(card));

/** Follows what has been shown ahead, and says what is left to be shown of the news. */
export class Ahead {
  #shown = null;

  /**
   * Give the step from what was shown to this state: `events` to be moved, `begun` whether they are my move, `lands`
   * whether what flies is confirmed and may go on, and `back`, a move that was shown and is not made.
   */
  step(state) {
    const was = this.#shown;
    const now = moveAhead(state);
    const news = state.news || [];
    this.#shown = now;
    if (now) return { events: was && was.turn === now.turn ? news : [...news, now], begun: !was, lands: false, back: null };
    const made = was && state.log.find((event) => event.type === 'played' && event.turn === was.turn);
    const lands = Boolean(made) && isSame(made, was);
    return { events: lands ? news.filter((event) => event !== made) : news, begun: false, lands, back: was && !lands ? was : null };
  }
}
