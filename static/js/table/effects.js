// What a match sounds and feels like: which sound and which buzz go with what has happened.

import { play } from '../audio.js';
import { buzz } from '../haptics.js';
import { isMyTurn } from '../state.js';
import { lengthOf } from './moments.js';

const KOMI = '7D';

/** The sound of an event, or null. */
export function soundOf(event) {
  if (event.type === 'dealt') return 'deal';
  if (event.type !== 'played') return null;
  if (!event.captured.length) return 'down';
  if (event.card === KOMI) return 'komi';
  if (event.basra) return 'basra';
  return event.card[0] === 'J' ? 'sweep' : 'take';
}

/** The sound of a match that has ended just now, as it is for me: win, loss, or null. */
export function endSound({ news, match: { result, you } }) {
  if (!result || !you || result.winner === null || !(news || []).some(({ type }) => type === 'match_finished')) return null;
  return result.winner === you.side ? 'win' : 'loss';
}

export class Effects {
  #turn = null;
  #here = new Map();
  #lifted = null;
  #started = false;

  /** `events` are those that are shown now, `wait_ms` after which they begin. */
  update(state, events = state.news || [], wait_ms = 0) {
    const after_ms = this.#events(state, events, wait_ms);
    this.#people(state.match);
    this.#myTurn(state, after_ms);
    if (state.lifted && state.lifted.card !== this.#lifted) buzz('lift');
    this.#lifted = state.lifted ? state.lifted.card : null;
    this.#started = true;
  }

  #events(state, events, wait_ms) {
    const { match } = state;
    let at_ms = wait_ms;
    for (const event of events) {
      const sound = soundOf(event);
      if (sound) play(sound, at_ms / 1000);
      if (event.type === 'played' && event.seat === match.you?.seat && event.captured.length) buzz(event.basra ? 'basra' : 'take');
      at_ms += lengthOf(event);
    }
    const end = endSound(state);
    if (end) play(end, at_ms / 1000);
    return at_ms;
  }

  #people(match) {
    for (const { seat, connected, player } of match.seats) {
      const was = this.#here.get(seat);
      this.#here.set(seat, connected);
      if (!player || seat === match.you?.seat || was === undefined || was === connected) continue;
      if (match.status === 'playing') play(connected ? 'back' : 'away');
    }
  }

  #myTurn(state, after_ms) {
    const turn = isMyTurn(state) ? `${state.match.turn} ${state.match.round.phase}` : null;
    if (turn && turn !== this.#turn && this.#started) {
      play('turn', after_ms / 1000);
      buzz('turn');
    }
    // A move in flight is not the end of my turn: it may be refused.
    if (turn || state.match.to_act !== state.match.you?.seat) this.#turn = turn;
  }

  /** The time of my turn runs out: once, with the last warning. */
  hurry(seconds) {
    if (seconds <= 10) play('clock');
  }
}
